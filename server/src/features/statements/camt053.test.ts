import { Readable } from 'node:stream';
import type { Locale } from '@causeway/contract/locale.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayStatement, type TestBooking, takeIn } from '../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { pdfText } from '../../testing/pdf.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { describeBankFile, readBankFile } from '../banks/index.ts';
import { registerStatementRoutes } from './index.ts';

/** Statements of wallets at banks: what their bank would say, in each format, read back with our own reader. */

const path = '/web/account/statements/export';
let db: TestDatabase;
let http: SessionApp;
let superuser: pg.Client;
let company: TestCompany;
let caller: Caller;
let wallet: { id: string; number: string };
let account = 998_002_000_000_000;
let now = new Date();

beforeAll(async () => {
  db = await testDatabase();
  await openTestBank(db);
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  http = await sessionApp(
    db.app,
    (app) => registerStatementRoutes(app, { companyName: async () => 'Pearl River Trading Limited' }),
    { now: () => now },
  );
});
afterAll(async () => {
  await http.close();
  await superuser.end();
  await db.close();
});
beforeEach(async () => {
  now = new Date();
  account += 1;
  await openTestCollection(db, String(account));
  company = await openTestCompany(db);
  caller = http.signIn(company.id, 'finance');
  wallet = await openTestBankWallet(db, company.id, 'HKD');
  await db.app.withCompany(company.id, (tx) =>
    sql`with company as (insert into company (company_id, name) values (company_id(), 'Pearl River') returning company_id)
      insert into company_setting (company_id, time_zone, code_recipient, base_currency)
      select company_id, 'Asia/Hong_Kong', 'initiator', 'HKD' from company`.execute(tx),
  );
});

const uetr = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';
const payIn = (more: Partial<TestBooking> = {}): TestBooking => ({
  amount: '100.00',
  ref: 'R-1',
  details: [
    {
      tx: 'T-1',
      e2e: 'INV-7',
      uetr,
      to: wallet.number,
      payer: 'Müller &amp; Söhne GmbH',
      payerAccount: 'DE89370400440532013000',
      text: 'Invoice 7',
    },
  ],
  ...more,
});
const arrive = (bookings: readonly TestBooking[]) => takeIn(db, dayStatement(bookings, { of: String(account) }));

/** The day of the company's zone, so many days from today. */
const day = (offset = 0) => new Date(now.getTime() + 8 * 3_600_000 + offset * 86_400_000).toISOString().slice(0, 10);
const file = (query: string, locale: Locale = 'en-us') =>
  caller.inject({ url: `${path}?${query}`, headers: { 'accept-language': locale } });
const camt = async (query: string, locale?: Locale) => {
  const response = await file(`format=camt053&walletId=${wallet.id}&${query}`, locale);
  expect(response.statusCode, response.body).toBe(200);
  return response;
};
const read = (xml: string) => describeBankFile(Readable.from([Buffer.from(xml)]), 'en-us');

describe('camt.053', () => {
  test('has what came in, its fee, its names and the balances, as our own reader reads a bank’s', async () => {
    await arrive([
      payIn(),
      payIn({ ref: 'R-2', amount: '40.00', details: [{ to: wallet.number, payer: '九龍紗廠' }] }),
    ]);
    now = new Date(now.getTime() + 2 * 86_400_000);
    const response = await camt(`from=${day(-2)}&to=${day(-2)}`);
    expect(response.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(response.headers['content-disposition']).toContain(
      `statement-hkd-harbour-hk-${day(-2)}-${day(-2)}.camt053.xml`,
    );
    expect(response.headers['x-total-rows']).toBe('4');
    expect(response.body.trimEnd().split('\n')).toHaveLength(6);
    const { messages, statements } = await read(response.body);
    expect(messages).toMatchObject([{ kind: 'camt.053', name: 'camt.053.001.08' }]);
    const [statement] = statements;
    expect(statement).toMatchObject({
      from: `${day(-2)}T00:00:00+08:00`,
      to: `${day(-2)}T23:59:59+08:00`,
      account: {
        number: wallet.number,
        currency: 'HKD',
        owner: { name: 'Pearl River Trading Limited' },
        servicer: { bic: 'HARBHKHH', name: 'Harbour Bank' },
      },
      findings: [],
      checks: [{ currency: 'HKD', credits: '110.00', debits: '0.00', agrees: true }],
    });
    expect(statement?.balances).toMatchObject([
      { type: { code: 'OPBD' }, amount: '0.00', date: { date: day(-2) } },
      { type: { code: 'CLBD' }, amount: '110.00', date: { date: day(-2) } },
      { type: { code: 'CLAV' }, amount: '110.00' },
    ]);
    expect(statement?.entries).toMatchObject([
      {
        amount: '85.00',
        direction: 'credit',
        state: 'booked',
        isReversal: false,
        bookingDate: { date: day(-2) },
        valueDate: { date: '2026-11-20' },
        code: { domain: 'PMNT', family: 'RCDT', subFamily: 'OTHR', proprietary: 'deposit.credited' },
        additional: 'Deposit credited',
        details: [
          {
            references: { accountServicer: 'R-1', endToEnd: 'INV-7', uetr, proprietary: [{ type: 'Causeway' }] },
            amounts: { transaction: { amount: '100', currency: 'HKD' } },
            charges: [{ amount: '15.00', direction: 'debit', isIncluded: true }],
            debtor: { name: 'Muller + Sohne GmbH' },
            debtorAccount: { iban: 'DE89370400440532013000' },
            remittance: { unstructured: ['Invoice 7'] },
          },
        ],
      },
      { amount: '25.00', details: [{ debtor: { name: '九龍紗廠' }, debtorAccount: null }] },
    ]);
  });

  test('of a period that is not over has interim balances, and an id of its own each time', async () => {
    await arrive([payIn()]);
    const ids = [];
    for (const at of [now, new Date(now.getTime() + 1000)]) {
      now = at;
      const { statements } = await read((await camt(`from=${day(-5)}&to=${day(1)}`)).body);
      expect(statements[0]?.balances).toMatchObject([
        { type: { code: 'OPBD' } },
        { type: { code: 'ITBD' }, amount: '85.00' },
        { type: { code: 'ITAV' }, amount: '85.00' },
      ]);
      expect(statements[0]).toMatchObject({ checks: [{ agrees: true }], findings: [] });
      ids.push(statements[0]?.id);
    }
    expect(new Set(ids).size).toBe(2);
    const later = await read((await camt(`from=${day(3)}&to=${day(4)}`)).body);
    expect(later.statements[0]).toMatchObject({
      balances: [{ type: { code: 'ITBD' } }, { type: { code: 'ITBD' } }, { type: { code: 'ITAV' } }],
      checks: [{ opening: { amount: '85.00' }, closing: { amount: '85.00' }, agrees: true }],
    });
  });

  test('has the same id whenever a period that is over is saved', async () => {
    const query = `from=${day(-9)}&to=${day(-3)}`;
    const first = await read((await camt(query)).body);
    now = new Date(now.getTime() + 60_000);
    const again = await read((await camt(query, 'zh-hk')).body);
    expect(again.statements[0]?.id).toBe(first.statements[0]?.id);
    expect(again.messages[0]?.id).not.toBe(first.messages[0]?.id);
  });

  test('shows money that the bank took back as a reversal, with the fee that goes back', async () => {
    await arrive([payIn()]);
    await arrive([payIn({ sign: 'DBIT', reversal: true })]);
    const { statements } = await read((await camt(`from=${day()}&to=${day()}`)).body);
    expect(statements[0]?.entries).toMatchObject([
      { amount: '85.00', direction: 'credit', isReversal: false },
      {
        amount: '85.00',
        direction: 'debit',
        isReversal: true,
        code: { domain: 'PMNT', family: 'RCDT', subFamily: 'RRTN' },
        details: [
          {
            amounts: { transaction: { amount: '100' } },
            charges: [{ amount: '15.00', direction: 'credit' }],
            debtor: { name: 'Muller + Sohne GmbH' },
          },
        ],
      },
    ]);
    const references = statements[0]?.entries.map(
      (entry) => (entry as { accountServicerReference: string }).accountServicerReference,
    );
    expect(new Set(references).size).toBe(2);
  });

  test('of the company has a statement for each wallet at a bank, and none of coins', async () => {
    const yen = await openTestBankWallet(db, company.id, 'JPY');
    const { statements } = await read((await file(`format=camt053&from=${day()}&to=${day()}`)).body);
    expect(statements.map(({ account: { number, currency } }) => [number, currency])).toEqual([
      [wallet.number, 'HKD'],
      [yen.number, 'JPY'],
    ]);
    const refused = await file(`format=camt053&walletId=${company.wallets.USDT}`);
    expect(refused.json()).toMatchObject({ code: 4038, key: 'statementOnlyAtBanks' });
    const withoutBank = http.signIn((await openTestCompany(db)).id);
    const none = await withoutBank.inject({ url: `${path}?format=camt053` });
    expect(none.json()).toMatchObject({ key: 'statementOnlyAtBanks' });
  });

  test('of very many movements is streamed, no faster than it is read', { timeout: 120_000 }, async () => {
    const movements = process.env['PROOF_ROUNDS'] === undefined ? 8_000 : 100_000;
    await fillAtBank(movements);
    const url = await http.app.listen({ port: 0, host: '127.0.0.1' });
    const token = String((await caller.inject({ url: path })).raw.req.headers['authorization']);
    const response = await fetch(`${url}${path}?from=${day()}&to=${day()}&format=camt053&walletId=${wallet.id}`, {
      headers: { authorization: token },
    });
    const before = process.memoryUsage().rss;
    let [entries, mostRss] = [0, 0];
    for await (const part of readBankFile(response.body ?? Readable.from([]))) {
      if (part.part === 'entry') entries += 1;
      if (part.part === 'statementEnd') {
        expect(part.findings).toEqual([]);
        expect(part.checks).toMatchObject([{ credits: BigInt(movements), difference: 0n }]);
      }
      mostRss = Math.max(mostRss, process.memoryUsage().rss);
    }
    expect(entries).toBe(movements);
    expect((mostRss - before) / 1e6).toBeLessThan(200);
  });
});

test('CSV has the bank’s and the payer’s names of a payment', async () => {
  await arrive([payIn()]);
  const lines = (await file(`format=csv&walletId=${wallet.id}&from=${day()}&to=${day()}`)).body.trim().split('\r\n');
  expect(lines[0]).toContain('Transaction hash,Bank’s reference,Payer’s reference (EndToEndId),UETR,Value date,Amount');
  expect(lines[2]).toContain(`,,R-1,INV-7,${uetr},2026-11-20,85.00,15.00,85.00,`);
});

test.each([
  ['en-us', ['HKD · Harbour Bank', 'Bank reference R-1', 'Closing balance']],
  ['zh-hk', ['HKD · 海港銀行', '銀行參考編號 R-1', '期末餘額']],
  ['zh-cn', ['HKD · 海港银行', '银行参考号 R-1', '期末余额']],
] as const)('a PDF in %s names the account and the bank’s reference', async (locale, words) => {
  await arrive([payIn()]);
  now = new Date(now.getTime() + 2 * 86_400_000);
  const response = await file(`format=pdf&walletId=${wallet.id}&from=${day(-2)}&to=${day(-2)}`, locale);
  const text = await pdfText(response.rawPayload);
  for (const word of [...words, wallet.number, 'HARBHKHH', 'Pearl River Trading Limited', '+85.00', '85.00 HKD']) {
    expect(text).toContain(word);
  }
});

/** Many deposits of one minor unit, written as the ledger would have. */
async function fillAtBank(count: number): Promise<void> {
  const { rows } = await superuser.query<{ id: string; kind: string }>(
    `select id, kind from causeway.ledger_account where company_id = $1 and owner_id = $2 and kind in ('available', 'bank')`,
    [company.id, wallet.id],
  );
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)?.id;
  await superuser.query(
    `with made as (
         insert into causeway.ledger_posting (company_id, id, kind, source_id, description)
         select $1, gen_random_uuid(), 'deposit.credited', gen_random_uuid(), 'test' from generate_series(1, $2) returning id
       ), numbered as (select id, row_number() over () as n from made)
       insert into causeway.ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at)
       select $1, account, n, id, 'HKD', sign, sign * n, now() from numbered
       cross join (values ($3::uuid, 1), ($4::uuid, -1)) as legs (account, sign)`,
    [company.id, count, idOf('available'), idOf('bank')],
  );
  await superuser.query(
    `update causeway.ledger_account set version = $2, balance = case kind when 'bank' then -1 else 1 end * $2::bigint, moved_at = now()
       where company_id = $1 and id in ($3, $4)`,
    [company.id, count, idOf('available'), idOf('bank')],
  );
  await superuser.query('analyze causeway.ledger_entry');
}
