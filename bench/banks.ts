import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { keepMessage, readMessages } from '../server/src/features/banks/index.ts';
import type { StoredInstruction } from '../server/src/features/rails/bank/payouts/instruction.ts';
import { makeOrders } from '../server/src/features/rails/bank/payouts/orders.ts';
import { settleMoneys } from '../server/src/features/rails/index.ts';
import { openBankWallet } from '../server/src/features/wallets/index.ts';
import { type Database, openDatabase } from '../server/src/platform/database/database.ts';
import { newId } from '../server/src/platform/ids.ts';
import type { Line } from './report.ts';
import type { Stage } from './stage.ts';

/**
 * A camt.053 with many entries: stored, read, matched and posted by the product's own intake; and many payments out of a bank written to a
 * pain.001 by the product's own job. Database and process share the machine.
 */

const goals = { entriesPerSecond: { atLeast: 1000 }, linesPerSecond: { atLeast: 5000 }, megabytes: { atMost: 300 } };
const companies = 100;

export async function measureBanks(stage: Stage, { entries, payments }: { entries: number; payments: number }) {
  const database = openDatabase(stage.urlFor('causeway_worker'), { poolSize: 4, applicationName: 'causeway-bench' });
  try {
    const numbers = await openWallets(stage, database);
    return [
      ...(await measureFile(stage, database, numbers, entries)),
      await measureOrder(stage, database, payments),
    ] satisfies Line[];
  } finally {
    await database.close();
  }
}

async function measureFile(stage: Stage, database: Database, numbers: readonly string[], entries: number) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  try {
    const lines: Line[] = [];
    // The first round only fills tables, which are then analysed: as autovacuum does, later.
    for (const round of [1, 2]) {
      const path = join(folder, `${round}.xml`);
      await pipeline(Readable.from(statement(round, entries, numbers)), createWriteStream(path));
      const memory = sampleMemory();
      const began = performance.now();
      await keepMessage(database, { bank: 'bench', name: `${round}.xml`, path, source: 'files' });
      await readMessages(database);
      const read = performance.now();
      await settleMoneys(database);
      const seconds = (performance.now() - began) / 1000;
      const megabytes = memory.stop();
      await stage.admin.query('analyze');
      const detail = `camt.053, ${entries} entries of ${companies} companies, each with its details; read in ${((read - began) / 1000).toFixed(1)} s of ${seconds.toFixed(1)} s`;
      lines.splice(0, lines.length, {
        what: 'bank entries read, matched, posted',
        goal: goals.entriesPerSecond,
        figure: entries / seconds,
        unit: 'entries/s',
        detail,
      });
      lines.push({
        what: 'memory meanwhile',
        goal: goals.megabytes,
        figure: megabytes,
        unit: 'MB',
        detail: 'most resident, beyond what the process had before',
      });
    }
    return lines;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Payments that wait at the bank are read under lock, written to one message, and the message is stored with what is in it. */
async function measureOrder(stage: Stage, database: Database, payments: number): Promise<Line> {
  const seconds: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await queuePayments(stage, payments, round);
    const began = performance.now();
    const ordered = await makeOrders(database, 'bench', new Date());
    seconds.push((performance.now() - began) / 1000);
    if (ordered !== payments) throw new Error(`${ordered} payments of ${payments} were ordered`);
  }
  // The first round warms up.
  const best = Math.min(...seconds.slice(1));
  const { rows } = await stage.admin.query<{ bytes: number }>(
    "select max(length(content)) as bytes from causeway.bank_order where bank_id = 'bench'",
  );
  const megabytes = ((rows[0]?.bytes ?? 0) / 1_000_000).toFixed(1);
  return {
    what: 'payments written to a pain.001',
    goal: goals.linesPerSecond,
    figure: payments / best,
    unit: 'lines/s',
    detail: `${payments} payments of ${companies} companies, ${megabytes} MB, locked, written and stored in ${best.toFixed(2)} s`,
  };
}

/** As the worker hands them over: one company in a hundred each. */
async function queuePayments(stage: Stage, payments: number, round: number): Promise<void> {
  const instruction: StoredInstruction = {
    chargeBearer: 'SHAR',
    onBehalfOf: { name: 'Pearl River Trading Limited', address: null },
    payee: {
      name: 'Kowloon Mills Limited',
      address: { lines: ['8 Mill Street'], town: 'Hong Kong', country: 'HK' },
    },
    account: { number: '004123456789' },
    bank: { bic: 'HSBCHKHHHKH', clearing: { system: 'HKNCC', member: '004' } },
    purpose: null,
    remittance: { text: `Invoice ${round}` },
  };
  await stage.admin.query(
    `insert into causeway.bank_order_line
       (transaction_id, company_id, wallet_id, bank_id, asset_id, amount, uetr, end_to_end, service_level, instruction)
     select gen_random_uuid(), w.company_id, w.id, 'bench', 'HKD', 10000 + n, gen_random_uuid(), 'R' || $2 || 'N' || n, 'NURG', $3
     from generate_series(1, $1) n
     join (select company_id, id, row_number() over (order by id) - 1 as place from causeway.wallet where bank_id = 'bench') w
       on w.place = n % $4`,
    [payments, round, JSON.stringify(instruction), companies],
  );
  await stage.admin.query('analyze causeway.bank_order_line');
}

async function openWallets(stage: Stage, database: Database): Promise<string[]> {
  await stage.admin.query(
    `insert into causeway.bank (id, name, country, bic) values ('bench', 'Bench', 'HK', 'BENCHKHH') on conflict do nothing`,
  );
  await stage.admin.query(
    `insert into causeway.bank_asset (bank_id, asset_id, recharge_fee, collecting_account)
     values ('bench', 'HKD', 100, '998001000000000') on conflict do nothing`,
  );
  const numbers: string[] = [];
  for (let index = 0; index < companies; index += 1) {
    const accountNumber = String(99_800_100_000_000 + index);
    const account = { holderName: 'Bench', accountNumber, branchCode: null, iban: null };
    await database.withCompany(newId(), (tx) => openBankWallet(tx, { bank: 'bench', currency: 'HKD', account }));
    numbers.push(accountNumber);
  }
  return numbers;
}

function* statement(round: number, entries: number, numbers: readonly string[]): Generator<string> {
  const balance = (type: string, minor: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="HKD">${(minor / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-2${round}</Dt></Dt></Bal>`;
  const opening = (round - 1) * entries * 10_000;
  yield `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M${round}</MsgId><CreDtTm>2026-11-20T18:00:00+08:00</CreDtTm></GrpHdr><Stmt><Id>S${round}</Id><Acct><Id><Othr><Id>998001000000000</Id></Othr></Id><Ccy>HKD</Ccy></Acct>`;
  yield balance('OPBD', opening) + balance('CLBD', opening + entries * 10_000);
  for (let at = 0; at < entries; at += 1) {
    const name = `${round}-${at}`;
    yield `<Ntry><Amt Ccy="HKD">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-2${round}</Dt></BookgDt><ValDt><Dt>2026-11-2${round}</Dt></ValDt><AcctSvcrRef>R${name}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>DMCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>E${name}</EndToEndId><TxId>T${name}</TxId></Refs><RltdPties><Dbtr><Pty><Nm>Payer ${at % 1000}</Nm></Pty></Dbtr><DbtrAcct><Id><Othr><Id>0240${at % 1000}</Id></Othr></Id></DbtrAcct><CdtrAcct><Id><Othr><Id>${numbers[at % numbers.length]}</Id></Othr></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Invoice ${name}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  }
  yield '</Stmt></BkToCstmrStmt></Document>';
}

function sampleMemory(): { stop(): number } {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return (most - before) / 1_000_000;
    },
  };
}
