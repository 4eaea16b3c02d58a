import { gzipSync } from 'node:zlib';
import * as batches from '@causeway/contract/batches.ts';
import { setCompanySettings } from '@causeway/contract/organisation.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { newBankAccount } from '../../testing/bank-payee-requests.ts';
import { openTestBank, openTestBankWallet } from '../../testing/banks.ts';
import {
  draft,
  problemsOf,
  readWhole,
  savedBankPayee,
  savedCryptoPayee,
  uploaded,
  wrongRows,
} from '../../testing/batch-drafts.ts';
import { randomAddress } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';

/** Drafts of batches on a real database, through the calls. */

let world: MainApp;
let company: Tenant;
let admin: Member;
let hkdWallet: string;
beforeAll(async () => {
  const db = await testDatabase();
  await openTestBank(db);
  world = await mainApp(db);
  company = await world.company();
  admin = company.admin;
  hkdWallet = (await openTestBankWallet(db, company.id, 'HKD')).id;
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function auditOf(id: string): Promise<string[]> {
  const { rows } = await world.db.app.withCompany(company.id, (tx) =>
    sql<{
      action: string;
    }>`select action from audit_event where company_id = company_id() and subject_id = ${id} order by at`.execute(tx),
  );
  return rows.map(({ action }) => action);
}

describe('a file', () => {
  test('becomes rows that name wallets, payees and amounts, crypto and bank mixed', async () => {
    const crypto = await savedCryptoPayee(world, admin, 'Mixed coin supplier');
    const bank = await savedBankPayee(world, admin, 'Mixed bank supplier');
    const found = await uploaded(
      world,
      admin,
      `Payee,Account,Currency,Network,Amount,Message to payee,Invoice number\n` +
        `mixed COIN supplier,,USDT,Ethereum,"1,250.50",Thanks,INV-1\n` +
        `Mixed bank supplier,,HKD,Harbour Bank,980,Invoice 2,INV-2\n` +
        `,${crypto.address.toLowerCase()},usdt,,7,,\n` +
        `,999 ${bank.account.account},HKD,海港銀行,8.00,,\n`.replace('999 ', ''),
    );
    expect(found.batch).toMatchObject({
      name: 'payments',
      state: 'draft',
      rows: 4,
      readTo: 4,
      counts: { wrong: 0, warned: 0, newPayees: 0, waitingPayees: 0 },
      totals: [
        { asset: 'USDT', amount: '1257.500000', rows: 2 },
        { asset: 'HKD', amount: '988.00', rows: 2 },
      ],
    });
    expect(problemsOf(found)).toEqual([[], [], [], []]);
    expect(found.rows.map(({ meaning }) => [meaning?.payee.id, meaning?.walletId, meaning?.amount])).toEqual([
      [crypto.id, company.wallets.USDT, '1250.500000'],
      [bank.id, hkdWallet, '980.00'],
      [crypto.id, company.wallets.USDT, '7.000000'],
      [bank.id, hkdWallet, '8.00'],
    ]);
    expect(await auditOf(found.batch.id)).toEqual(['batches.upload']);
  });

  test('keeps its hash, and its terms as payments take them', async () => {
    await savedCryptoPayee(world, admin, 'Termed supplier');
    const { batch, rows } = await uploaded(
      world,
      admin,
      'payee,amount,reference,category,notes\nTermed supplier,3,for us,Rent,\n',
    );
    expect(batch.fileHash).toMatch(/^[0-9a-f]{64}$/);
    const kept = await world.db.app.withCompany(company.id, (tx) =>
      sql<{
        terms: object;
      }>`select terms from payout_batch_row where company_id = company_id() and id = ${rows[0]?.id ?? null}`.execute(
        tx,
      ),
    );
    // On a chain the payee reads nothing: the reference is the company's own note.
    expect(kept.rows[0]?.terms).toEqual({ category: 'Rent', notes: 'for us' });
  });

  test('keeps the days on which a pain.001 message asks for payment', async () => {
    const xml = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
      <GrpHdr><NbOfTxs>1</NbOfTxs></GrpHdr><PmtInf><PmtMtd>TRF</PmtMtd><ReqdExctnDt><Dt>2026-12-24</Dt></ReqdExctnDt>
      <CdtTrfTxInf><Amt><InstdAmt Ccy="HKD">5</InstdAmt></Amt></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>`;
    const { batch } = await uploaded(world, admin, xml);
    expect([batch.rows, batch.asked]).toEqual([1, { from: '2026-12-24', to: '2026-12-24' }]);
    expect((await uploaded(world, admin, 'payee,amount\nNobody,3\n')).batch.asked).toBeNull();
  });

  test('says of each row what is wrong, by column and value', async () => {
    await savedCryptoPayee(world, admin, 'Twice', 'USDT');
    await savedCryptoPayee(world, admin, 'Twice', 'USDC');
    const known = await savedCryptoPayee(world, admin, 'Known supplier');
    const other = randomAddress();
    const found = await uploaded(
      world,
      admin,
      `payee,account,asset,network,amount\n` +
        `Unsaved Ltd,,USDT,,5\n` +
        `Twice,,,,5\n` +
        `Known supplier,${other},USDT,,5\n` +
        `Known supplier,,USDC,,5\n` +
        `Known supplier,,DOGE,,5\n` +
        `Known supplier,,USDT,Tron,5\n` +
        `Known supplier,,USDT,,"1,234"\n` +
        `Known supplier,,USDT,,0\n` +
        `,,USDT,,5\n` +
        `New one,${other},USDT,,5\n` +
        `New bank,123456789,HKD,,5\n` +
        `Broken,${known.address.slice(0, -1)}g,USDT,,5\n`,
    );
    expect(problemsOf(found)).toEqual([
      ['payee: payeeUnknown'],
      ['payee: payeeAmbiguous'],
      ['account: payeeDiffers'],
      ['payee: payeeOtherPlace'],
      ['asset: assetUnknown'],
      ['place: placeUnknown'],
      ['amount: amountAmbiguous'],
      ['amount: amountZero'],
      ['payee: required'],
      ['account: payeeNotSaved'],
      ['account: payeeDetailsLacking'],
      [expect.stringMatching(/^account: (addressInvalid|payeeDetailsLacking)$/)],
    ]);
    expect(found.rows[0]?.problems[0]).toEqual({
      column: 'payee',
      key: 'payeeUnknown',
      severity: 'error',
      sentence: 'No saved payee is called “Unsaved Ltd”.',
      mend: 'Correct the name, or give the payee’s account so that it can be saved.',
      accepted: false,
    });
    expect(found.batch.counts).toMatchObject({ wrong: 12, newPayees: 1 });
  });

  test.each([
    ['a spreadsheet', Buffer.from('PK\x03\x04[Content_Types].xml'), /spreadsheet/],
    ['gzip that is named .csv', gzipSync('payee,amount\nA,1\n'), /archive/],
    ['a file of 10,000 columns', Buffer.from(`${'a,'.repeat(9_999)}a\n1\n`), /10,?000 columns/],
    [
      'a statement of a bank',
      Buffer.from('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt/></Document>'),
      /This is camt\.053\.001\.08; a pain\.001 message is needed\.$/,
    ],
    ['a file without rows', Buffer.from('payee,amount\n'), /no payments/],
    ['a file in Latin letters of Windows', Buffer.from('payee,amount\nM\xfcller,1\n', 'latin1'), /cannot be read/],
  ])('%s is refused with what to do', async (_, content, sentence) => {
    const refused = await world.ask(batches.uploadBatch, { as: admin, upload: { name: 'a.csv', content } });
    expect([refused.key, refused.errors[0]]).toEqual(['batchFileRefused', expect.stringMatching(sentence)]);
  });

  test('a file that is too large is refused before it is kept', async () => {
    const refused = await world.ask(batches.uploadBatch, {
      as: admin,
      upload: { name: 'a.csv', content: Buffer.alloc(11_000_000, 'a,b\n') },
    });
    expect(refused.key).toBe('fileTooLarge');
  });

  test('a formula is text, and leaves as text', async () => {
    const { batch } = await uploaded(world, admin, `payee,amount\n"=HYPERLINK(""http://x"",""y"")",5\n@SUM(A1),6\n`);
    const file = await wrongRows(world, admin, batch.id);
    expect(file.map(([payee]) => payee)).toEqual(['payee', `'=HYPERLINK("http://x","y")`, "'@SUM(A1)"]);
  });
});

describe('columns', () => {
  const content = 'Empfänger,Betrag,Währung\nColumn supplier,12.50,USDT\n';

  test('are matched by hand where their names say nothing, and alike the next time', async () => {
    await savedCryptoPayee(world, admin, 'Column supplier');
    const first = await uploaded(world, admin, content);
    expect(first.batch).toMatchObject({
      state: 'mapping',
      rows: 0,
      preview: { columns: [{ name: 'Empfänger', samples: ['Column supplier'] }, {}, {}] },
    });
    const unread = await world.ask(batches.readBatch, { as: admin, body: { id: first.batch.id } });
    expect(unread.key).toBe('batchUnmapped');
    const half = await world.ask(batches.mapBatch, {
      as: admin,
      body: { id: first.batch.id, version: 1, mapping: { payee: 0 } },
    });
    expect(half.key).toBe('batchUnmapped');
    const outside = await world.ask(batches.mapBatch, {
      as: admin,
      body: { id: first.batch.id, version: 1, mapping: { payee: 0, amount: 7 } },
    });
    expect(outside.key).toBe('batchUnmapped');
    const mapping = { payee: 0, amount: 1, asset: 2 };
    await succeed(world, batches.mapBatch, { as: admin, body: { id: first.batch.id, version: 1, mapping } });
    expect(problemsOf(await readWhole(world, admin, first.batch.id))).toEqual([[]]);
    const second = await uploaded(world, admin, content);
    expect(second.batch).toMatchObject({ state: 'draft', mapping, counts: { wrong: 0 } });
  });

  test('a column with values that is not known waits for a person, and one that is empty does not', async () => {
    const { address } = await savedCryptoPayee(world, admin, 'Moved supplier');
    const lines = (pay: string[]) =>
      `Payee;Pay into;Coin;Amount\n${pay.map((to) => `Moved supplier;${to};USDT;11\n`).join('')}`;
    const empty = await uploaded(world, admin, lines(['', '']));
    expect(empty.batch).toMatchObject({ state: 'draft', rows: 2 });
    const other = randomAddress();
    const { batch, rows } = await uploaded(world, admin, lines(['', '', '', '', other]));
    expect([batch.state, rows, batch.mapping]).toEqual(['mapping', [], { payee: 0, asset: 2, amount: 3 }]);
    expect(batch.preview?.columns.map(({ samples }) => samples.length)).toEqual([3, 1, 3, 3]);
    expect(batch.preview?.columns[1]?.samples).toEqual([other]);
    const { id, version, mapping } = batch;
    // Another encoding says nothing about the columns.
    const decoded = { id, version, mapping: {}, encoding: 'utf-8' };
    const again = (await succeed(world, batches.mapBatch, { as: admin, body: decoded })).data;
    expect(again.state).toBe('mapping');
    const matched = { id, version: again.version, mapping: { ...mapping, account: 1 } };
    await succeed(world, batches.mapBatch, { as: admin, body: matched });
    const read = await readWhole(world, admin, id);
    expect(problemsOf(read).at(-1)).toEqual(['account: payeeDiffers']);
    expect((await uploaded(world, admin, lines([address]))).batch).toMatchObject({ state: 'draft', rows: 1 });
  });

  test('one that was chosen to be left out stays so while it has values, and asks where it had none', async () => {
    const lines = (floor: string, desk: string) => `Payee;Floor;Desk;Amount\nA;${floor};${desk};1\n`;
    const { batch } = await uploaded(world, admin, lines('3', ''));
    expect(batch.state).toBe('mapping');
    const mapping = { payee: 0, amount: 3 };
    await succeed(world, batches.mapBatch, { as: admin, body: { id: batch.id, version: batch.version, mapping } });
    expect((await uploaded(world, admin, lines('4', ''))).batch).toMatchObject({ state: 'draft', mapping });
    const asked = (await uploaded(world, admin, lines('4', '12'))).batch;
    expect(asked).toMatchObject({ state: 'mapping', mapping, rows: 0 });
    const states = { state: 'mapping', keyword: 'payments' };
    const { items } = (await succeed(world, batches.listBatches, { as: admin, query: states })).data;
    expect(items.map(({ id }) => id)).toContain(asked.id);
    await succeed(world, batches.mapBatch, { as: admin, body: { id: asked.id, version: asked.version, mapping } });
    expect((await uploaded(world, admin, lines('4', '12'))).batch.state).toBe('draft');
    expect((await uploaded(world, admin, lines('', '9'))).batch.state).toBe('draft');
  });

  test('are of a file alone', async () => {
    const body = { id: newId(), name: 'Typed' };
    const { id, version } = (await succeed(world, batches.addBatch, { as: admin, body })).data;
    const mapped = { id, version, mapping: { payee: 0, amount: 1 } };
    expect((await world.ask(batches.mapBatch, { as: admin, body: mapped })).key).toBe('batchNotOfCsv');
  });

  test('a remembered mapping is the company’s own', async () => {
    const stranger = await world.company();
    expect((await uploaded(world, stranger.admin, content)).batch.state).toBe('mapping');
  });
});

describe('reading in parts', () => {
  test('5,000 rows are read part by part, and a reader that gave up goes on', async () => {
    await savedCryptoPayee(world, admin, 'Large supplier');
    const lines = Array.from({ length: 5_000 }, (_, i) => `Large supplier,USDT,${i + 1}.5,${i}`);
    const upload = { name: 'large.csv', content: Buffer.from(`payee,coin,amount,invoice\n${lines.join('\n')}\n`) };
    const { id, rows, state } = (await succeed(world, batches.uploadBatch, { as: admin, upload })).data;
    expect([rows, state]).toEqual([5_000, 'reading']);
    const seen: number[] = [];
    let isDone = false;
    while (!isDone) {
      const part = (await succeed(world, batches.readBatch, { as: admin, body: { id } })).data;
      seen.push(part.readTo);
      ({ isDone } = part);
    }
    expect(seen).toEqual([500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000]);
    const read = await draft(world, admin, id);
    expect(read.batch).toMatchObject({
      state: 'draft',
      counts: { wrong: 0, warned: 0 },
      totals: [{ asset: 'USDT', amount: '12505000.000000' }],
    });
    const full = await world.ask(batches.addBatchRows, {
      as: admin,
      body: {
        batchId: id,
        version: read.batch.version,
        rows: [{ id: newId(), written: { payee: 'Large supplier', amount: '1' } }],
      },
    });
    expect(full.key).toBe('batchFull');
  });
});

describe('new payees', () => {
  test('are saved by the rules of every new payee, once for all rows that name them', async () => {
    const address = randomAddress();
    const { account, bankCode, enterpriseName } = newBankAccount();
    const { batch } = await uploaded(
      world,
      admin,
      `payee,account,currency,network,amount,account holder,company or person,country,bank code\n` +
        `Fresh coin,${address},USDT,Ethereum,5,,,,\n` +
        `Fresh coin,${address},USDT,Ethereum,6,,,,\n` +
        `Fresh bank,${account},HKD,,7,${enterpriseName},company,HK,${bankCode}\n` +
        `Own,${company.address},USDT,Ethereum,8,,,,\n`,
    );
    expect(batch.counts).toMatchObject({ wrong: 4, newPayees: 4 });
    const saved = (
      await succeed(world, batches.saveNewPayees, { as: admin, body: { batchId: batch.id, version: batch.version } })
    ).data;
    expect(saved).toMatchObject({
      saved: 2,
      refused: [{ number: 4, sentence: expect.stringMatching(/your own|own address/i) }],
      remaining: 0,
    });
    const after = await draft(world, admin, batch.id);
    expect(problemsOf(after)).toEqual([[], [], [], ['account: payeeNotSaved']]);
    expect(after.rows[0]?.meaning?.payee).toMatchObject({ label: 'Fresh coin', account: address, status: 'usable' });
    expect(after.rows[0]?.meaning?.payee.id).toBe(after.rows[1]?.meaning?.payee.id);
    expect(await auditOf(batch.id)).toEqual(['batches.upload', 'batches.savePayees']);
  });

  test('wait for approval where the company has it on, and their rows show it', async () => {
    const other = await world.company();
    await world.member(other, 'approver');
    const body = { timeZone: 'Asia/Hong_Kong', codeRecipient: 'initiator', approveNewPayees: true };
    await succeed(world, setCompanySettings, { as: other.admin, body });
    const { batch } = await uploaded(
      world,
      other.admin,
      `payee,account,coin,amount\nWaiting coin,${randomAddress()},USDT,5\n`,
    );
    const saved = (
      await succeed(world, batches.saveNewPayees, {
        as: other.admin,
        body: { batchId: batch.id, version: batch.version },
      })
    ).data;
    expect(saved.saved).toBe(1);
    const after = await draft(world, other.admin, batch.id);
    expect(after.rows[0]?.meaning?.payee.status).toBe('waiting');
    expect(after.batch.counts).toMatchObject({ wrong: 0, waitingPayees: 1 });
  });
});

describe('a discarded batch', () => {
  test('is off the list and gone for every call', async () => {
    const { batch } = await uploaded(world, admin, 'payee,amount\nDiscarded,5\n', 'discard me.csv');
    const listed = (await succeed(world, batches.listBatches, { as: admin, query: { keyword: 'discard ME' } })).data;
    expect(listed.items.map(({ id }) => id)).toEqual([batch.id]);
    await succeed(world, batches.discardBatch, { as: admin, params: { id: batch.id } });
    expect(
      (await succeed(world, batches.listBatches, { as: admin, query: { keyword: 'discard ME' } })).data.items,
    ).toEqual([]);
    for (const answer of [
      await world.ask(batches.getBatch, { as: admin, params: { id: batch.id } }),
      await world.ask(batches.readBatch, { as: admin, body: { id: batch.id } }),
      await world.ask(batches.discardBatch, { as: admin, params: { id: batch.id } }),
    ]) {
      expect(answer.key).toBe('batchNotFound');
    }
    expect(await auditOf(batch.id)).toEqual(['batches.upload', 'batches.discard']);
  });

  test('the list narrows by state', async () => {
    const { batch } = await uploaded(world, admin, 'a,b\nx,5\n', 'by state.csv');
    const states = async (state: string) =>
      (await succeed(world, batches.listBatches, { as: admin, query: { state, keyword: 'by state' } })).data.items.map(
        ({ id }) => id,
      );
    expect(await states('mapping')).toEqual([batch.id]);
    expect(await states('draft')).toEqual([]);
  });
});
