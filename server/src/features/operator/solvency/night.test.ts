import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AskSolvency, createSolvencySigner } from '../../../platform/solvency/signing.ts';
import { midnightAfter, nextDay } from '../../../platform/solvency/statement.ts';
import { findReport, findReports } from '../../../platform/solvency/store.ts';
import { approvedTransfer, fundedCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, chainWorld, depth, walletOf } from '../../../testing/chain-world.ts';
import { payOutside } from '../../../testing/outside-payments.ts';
import { today } from '../../../testing/solvency-nights.ts';
import { type EvmGateway, NoAgreement } from '../../chains/index.ts';
import { solvencyJob } from './jobs.ts';
import { reproduceReports } from './reproduce.ts';
import { makeReport } from './service/report.ts';

/**
 * The nightly report against a real chain and ledger. The midnight of today is to come; which block is the last before it, a test chooses. Tests
 * share the chain and the books, and each makes the report of the same night.
 */

let world: ChainWorld;
let ask: AskSolvency;
const day = today();
const yearMs = 365 * 86_400_000;
const payee = '0x00000000000000000000000000000000000A11cE';

beforeAll(async () => {
  world = await chainWorld();
  ask = createSolvencySigner(world.signerDatabase, randomBytes(32));
});
afterAll(() => world.close());

/** The chain as it is, on which midnight comes after a block, and the midnights of the next days too. */
function endingAt(height: number): EvmGateway {
  const midnight = midnightAfter(day).getTime();
  const time = (of: number) => midnight + (of - height) * 1000 - 500 + (of > height ? yearMs : 0);
  return { ...world.gateway, blockTime: async (of) => new Date(time(of)) };
}

/** The report of the night whose last block has a height. */
async function report(height: number, parts: Partial<EvmGateway> = {}) {
  const gateways = new Map([['ethereum', { ...endingAt(height), ...parts }]]);
  await makeReport({ database: world.db.worker, gateways, ask }, day);
  const made = await world.db.worker.withoutCompany((tx) => findReport(tx, day));
  if (!made) throw new Error('the report was made');
  return made;
}

type Made = Awaited<ReturnType<typeof report>>;
let before: Made;

/** What a report has of an asset more than the one before the test. */
function figures(made: Made, asset: string) {
  const of = ({ statement }: Made) => statement.assets.find((each) => each.asset === asset);
  const [now, then] = [of(made), of(before)];
  if (!now) throw new Error(`the report has ${asset}`);
  const more = (of: 'owed' | 'held' | 'own' | 'timing' | 'difference' | 'tank') =>
    String(BigInt(now[of]) - BigInt(then?.[of] ?? '0'));
  return {
    owed: more('owed'),
    held: more('held'),
    own: more('own'),
    timing: more('timing'),
    difference: more('difference'),
    tank: more('tank'),
  };
}

/** As an intruder, or as time itself: the tests' own hand in the ledger. */
async function asOwner(statement: string): Promise<void> {
  await world.asSuperuser(`set session_replication_role = replica; set search_path = causeway; ${statement}`);
}

async function forgetReports(): Promise<void> {
  await asOwner(
    'truncate solvency_signature, solvency_timing, solvency_holding, solvency_bank, solvency_leaf, solvency_report',
  );
}

test('missed nights are made up for in order, each naming the one before; what waits is looked at again, and a failure pauses until an operator asks', async () => {
  await fundedCompany(world, '50');
  const height = await world.gateway.head();
  let silent = false;
  const gateway: EvmGateway = {
    ...endingAt(height),
    blockTime: async (of) => {
      if (silent) throw new NoAgreement('silence', 'time');
      return endingAt(height).blockTime(of);
    },
  };
  const clock = { now: () => new Date(at) };
  let at = midnightAfter(day).getTime() + 60_000;
  const job = solvencyJob({ gateways: new Map([['ethereum', gateway]]), ask }, clock);
  const run = () =>
    job.run({ database: world.db.worker, log: world.parts().log, signal: new AbortController().signal });
  const days = async () =>
    (await world.db.worker.withoutCompany((tx) => findReports(tx, { most: 9 }))).map((made) => made.day).reverse();
  const state = async () =>
    (
      await world.db.worker.withoutCompany((tx) =>
        sql<{ problem: string | null }>`select problem from solvency_state`.execute(tx),
      )
    ).rows[0]?.problem;

  // Postings of the last minutes may still commit: the day before is the last that is over.
  await run();
  const yesterday = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  expect(await days()).toEqual([yesterday]);
  // A block that is not final yet is waited for, without a pause.
  at = midnightAfter(day).getTime() + 600_000;
  await run();
  expect(await state()).toMatch(/is not final yet/);
  await world.advance(depth);
  await run();
  expect(await days()).toEqual([yesterday, day]);
  // Two nights without a worker.
  at = midnightAfter(nextDay(nextDay(day))).getTime() + 600_000;
  silent = true;
  await run();
  expect(await days()).toEqual([yesterday, day]);
  expect(await state()).toMatch(/too few nodes answered/);
  silent = false;
  at = Date.now() + 60_000;
  const late = midnightAfter(nextDay(nextDay(day))).getTime() + 600_000;
  await run();
  expect(await days()).toEqual([yesterday, day]);
  await world.asSuperuser(`set session_replication_role = replica;
    insert into causeway.operator_solvency_request (id, operator_id) values (gen_random_uuid(), gen_random_uuid())`);
  at = late;
  await run();
  expect(await days()).toEqual([yesterday, day, nextDay(day), nextDay(nextDay(day))]);
  expect(await state()).toBeNull();
  const reports = (await world.db.worker.withoutCompany((tx) => findReports(tx, { most: 9 }))).reverse();
  expect(reports.map(({ statement }) => statement.previous)).toEqual([
    null,
    ...reports.slice(0, -1).map((made) => made.digest),
  ]);
});

describe('a report', () => {
  beforeAll(forgetReports);

  beforeEach(async () => {
    const height = await world.gateway.head();
    await world.advance(depth);
    before = await report(height);
    await forgetReports();
  });
  afterEach(forgetReports);

  test('owed and held agree at a block that is final; until then the report waits', async () => {
    await fundedCompany(world, '50');
    await fundedCompany(world, '7');
    const head = await world.gateway.head();
    await expect(report(head)).rejects.toThrow(/the last before midnight, is not final yet/);
    // A reorganisation replaces the last blocks; the report is of what the chain has in the end.
    await world.advance(depth);
    const made = await report(head);
    expect(figures(made, 'USDT')).toEqual({
      owed: '57000000',
      held: '57000000',
      own: '0',
      timing: '0',
      difference: '0',
      tank: '0',
    });
    expect(made.statement.assets.find(({ asset }) => asset === 'ETH')).toMatchObject({
      owed: '0',
      tank: '10000000000000000000',
    });
    expect(made.statement).toMatchObject({ companies: before.statement.companies + 2, previous: null });
    expect(made.statement.chains).toMatchObject([{ chain: 'ethereum', block: { height: head }, source: 'nodes' }]);
    expect(made.signed?.digest).toBe(made.digest);
    // Another company, and postings after midnight, change nothing of it.
    const late = await fundedCompany(world, '100');
    const move = (interval: string) =>
      asOwner(`update ledger_entry set created_at = created_at + interval '${interval}' where company_id = '${late.id}';
        update ledger_account set created_at = created_at + interval '${interval}' where company_id = '${late.id}'`);
    await move('1 year');
    const again = await world.db.operator.withoutCompany((tx) => reproduceReports(tx, day, day));
    expect(again).toEqual([{ day, companies: made.statement.companies, problems: [] }]);
    await move('-1 year');
  });

  test('a reorganisation that takes the block away leaves no report of it', async () => {
    const company = await fundedCompany(world, '50');
    await world.chain.treasury.send('USDT', company.address, '9');
    await world.chain.engine.mine(1);
    await world.follow();
    const height = await world.gateway.head();
    await expect(report(height)).rejects.toThrow('not final yet');
    await world.chain.engine.reorganise(1, false);
    await world.advance(depth + 2);
    const made = await report(height);
    const block = await world.gateway.block(height);
    expect(made.statement.chains[0]?.block).toMatchObject({ height, hash: block?.hash });
    expect(figures(made, 'USDT').difference).toBe('0');
  });

  test('a deposit that is on the chain and in no books is a difference with its sign', async () => {
    const company = await fundedCompany(world, '50');
    await world.chain.treasury.send('USDT', company.address, '3');
    await world.chain.engine.mine(1);
    // Nodes that conceal what the block brought.
    const concealing: EvmGateway = {
      ...world.gateway,
      contents: async (from, to, own) =>
        (await world.gateway.contents(from, to, own)).map((content) => ({ ...content, arrivals: [] })),
    };
    await world.follow(concealing);
    const height = await world.gateway.head();
    await world.advance(depth + 1);
    expect(figures(await report(height), 'USDT')).toMatchObject({
      owed: '50000000',
      held: '53000000',
      difference: '3000000',
    });
  });

  test('a payment that the books do not know is a negative difference', async () => {
    const company = await fundedCompany(world, '50');
    await world.chain.treasury.send('ETH', company.address, '1');
    await world.advance(depth + 1);
    await payOutside(world, company, payee, 20_000_000n);
    await world.advance(1);
    const height = await world.gateway.head();
    await world.advance(depth + 1);
    const made = await report(height);
    expect(figures(made, 'USDT')).toMatchObject({ owed: '50000000', held: '30000000', difference: '-20000000' });
    expect(BigInt(figures(made, 'ETH').difference)).toBeLessThan(0n);
  });

  test('where nodes have forgotten the block, its balances follow from a later one and the recorded movements', async () => {
    const company = await fundedCompany(world, '50');
    const height = await world.gateway.head();
    await world.chain.treasury.send('USDT', company.address, '5');
    await world.advance(depth + 1);
    await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
    await world.work();
    await world.advance(2 * depth + 4);
    const made = await report(height, {
      balance: async (contract, address, at) => {
        if (at <= height) throw new NoAgreement('silence', 'balance');
        return world.gateway.balance(contract, address, at);
      },
    });
    expect(made.statement.chains[0]?.source).toBe('movements');
    expect(figures(made, 'USDT')).toMatchObject({ held: '50000000', difference: '0' });
    expect(figures(made, 'ETH')).toMatchObject({ difference: '0' });
  });

  test('what the books have on the other side of midnight explains itself, in both directions', async () => {
    const company = await fundedCompany(world, '50');
    await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
    await world.work();
    await world.advance(depth + 4);
    const height = await world.gateway.head();
    // Seen before midnight by the books' clock, in a block after it by the chain's.
    await world.chain.treasury.send('USDT', company.address, '5');
    await world.advance(depth + 2);
    // And the payment, which was settled only after midnight.
    await asOwner(`update ledger_entry e set created_at = now() + interval '1 year' from ledger_posting p
      where e.company_id = '${company.id}' and p.company_id = e.company_id and p.id = e.posting_id and p.kind in ('transfer.settle', 'gas.spent', 'gas.advanced')`);
    const made = await report(height);
    const usdt = figures(made, 'USDT');
    expect(usdt.difference).toBe('0');
    expect(usdt.timing).not.toBe('0');
    expect(figures(made, 'ETH').difference).toBe('0');
    const { rows } = await world.db.operator.withoutCompany((tx) =>
      sql<{
        kind: string;
        minor: bigint;
      }>`select kind, minor from solvency_timing where asset_id = 'USDT' order by kind`.execute(tx),
    );
    expect(rows).toEqual([
      { kind: 'deposit.seen', minor: -5_000_000n },
      { kind: 'transfer.settle', minor: -20_000_000n },
    ]);
  });
});

test('the signer signs nothing that the ledger does not say', async () => {
  const company = await fundedCompany(world, '50');
  const height = await world.gateway.head();
  await world.advance(depth);
  const refused: AskSolvency = async () => ({ signed: false, refusal: 'absent' });
  const gateways = new Map([['ethereum', endingAt(height)]]);
  const unsigned = () => makeReport({ database: world.db.worker, gateways, ask: refused }, day);
  await expect(unsigned()).rejects.toThrow('the signer refuses');
  expect(await ask({ day: '2020-01-01' })).toEqual({ signed: false, refusal: 'absent' });

  const tries = async (statement: string, undo: string) => {
    await asOwner(statement);
    const answer = await ask({ day });
    await asOwner(undo);
    return answer;
  };
  const wallet = walletOf(company, 'USDT');
  expect(
    await tries(
      `update solvency_leaf set sums = '{"USDT": "1"}' where company_id = '${company.id}'`,
      `update solvency_leaf set sums = '{"USDT": "50000000"}' where company_id = '${company.id}'`,
    ),
  ).toEqual({ signed: false, refusal: 'tree' });
  expect(
    await tries(
      `update ledger_entry set balance_after = balance_after + 7 where account_id in (select id from ledger_account where owner_id = '${wallet}' and kind = 'available')`,
      `update ledger_entry set balance_after = balance_after - 7 where account_id in (select id from ledger_account where owner_id = '${wallet}' and kind = 'available')`,
    ),
  ).toEqual({ signed: false, refusal: 'ledger' });
  expect(
    await tries(
      `update solvency_report set statement = replace(statement, '"decimals":6', '"decimals":7')`,
      `update solvency_report set statement = replace(statement, '"decimals":7', '"decimals":6')`,
    ),
  ).toEqual({ signed: false, refusal: 'altered' });
  expect(await ask({ day })).toEqual({ signed: true });
  expect(await ask({ day })).toEqual({ signed: true });
  expect(await tries(`update solvency_report set digest = sha256('other')`, 'select 1')).toEqual({
    signed: false,
    refusal: 'differs',
  });
  // The next one names a report that was not signed.
  await expect(makeReport({ database: world.db.worker, gateways, ask }, nextDay(day))).rejects.toThrow('order');
});
