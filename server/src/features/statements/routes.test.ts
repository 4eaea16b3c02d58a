import type { Locale } from '@causeway/contract/locale.ts';
import { pdfMostMovements } from '@causeway/contract/statements-rules.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { credit, openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { pdfText } from '../../testing/pdf.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { accountsByKind, move, post } from '../ledger/index.ts';
import { registerStatementRoutes } from './index.ts';

let db: TestDatabase;
let http: SessionApp;
let superuser: pg.Client;
let company: TestCompany;
let caller: Caller;
const name = '遠航貿易有限公司 Far Voyage Ltd';
const path = '/web/account/statements';
let now = new Date();

beforeAll(async () => {
  db = await testDatabase();
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  http = await sessionApp(db.app, (http) => registerStatementRoutes(http, { companyName: async () => name }), {
    now: () => now,
  });
});
afterAll(async () => {
  await http.close();
  await superuser.end();
  await db.close();
});
beforeEach(async () => {
  now = new Date();
  company = await openTestCompany(db);
  caller = http.signIn(company.id, 'finance');
  await db.app.withCompany(company.id, (tx) =>
    sql`with company as (insert into company (company_id, name) values (company_id(), ${name}) returning company_id)
      insert into company_setting (company_id, time_zone, code_recipient, base_currency)
      select company_id, 'UTC', 'initiator', 'HKD' from company`.execute(tx),
  );
});

const day = (offset = 0) => new Date(now.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
const today = () => `from=${day()}&to=${day()}`;

/** A transfer as the ledger sees it: held, then sent with its fee, or given back. */
async function transfer(amountMinor: bigint, feeMinor: bigint, end: 'held' | 'sent' | 'returned'): Promise<string> {
  const id = await insertTestTransaction(db, company, {
    type: 'chain_withdraw',
    quantityMinor: amountMinor,
    feeMinor,
    payeeName: '=SUM(A1) Kobe Steel',
  });
  await superuser.query('update causeway.transaction set value_usd_cents = quantity / 10000 where id = $1', [id]);
  await db.worker.withCompany(company.id, async (tx) => {
    const accounts = await accountsByKind(tx, company.wallets.USDT, ['available', 'outbound', 'chain', 'fee']);
    const both = amountMinor + feeMinor;
    const step = (kind: string, legs: Parameters<typeof post>[1]['legs']) =>
      post(tx, { id: newId(), kind, sourceId: id, description: 'transfer', legs });
    await step('transfer.reserve', move(accounts.available.id, accounts.outbound.id, both));
    if (end === 'sent') {
      await step('transfer.settle', [
        { accountId: accounts.outbound.id, amountMinor: -both },
        { accountId: accounts.chain.id, amountMinor },
        { accountId: accounts.fee.id, amountMinor: feeMinor },
      ]);
    }
    if (end === 'returned') await step('transfer.release', move(accounts.outbound.id, accounts.available.id, both));
  });
  return id;
}

async function price(asset: string, usd: string): Promise<void> {
  await db.worker.withoutCompany((tx) =>
    sql`insert into rate_daily (asset_id, day, usd, source, updated_at) values (${asset}, ${day()}, ${usd}, 'test', now())
      on conflict (asset_id, day) do update set usd = excluded.usd`.execute(tx),
  );
}

describe('a wallet’s statement', () => {
  test('shows what came and went, its fees, what is on hold, and what it was worth', async () => {
    await price('HKD', '0.125');
    await price('USDT', '1');
    await credit(db, company, 'USDT', 100_000_000n);
    const sent = await transfer(30_000_000n, 1_000_000n, 'sent');
    await transfer(5_000_000n, 1_000_000n, 'returned');
    await transfer(7_000_000n, 1_000_000n, 'held');
    const { data } = await caller.get(`${path}/${company.wallets.USDT}?${today()}` as `${typeof path}/{id}`);
    expect(data.statement).toMatchObject({
      opening: '0.000000',
      moneyIn: '100.000000',
      moneyOut: '31.000000',
      fees: '1.000000',
      closing: '69.000000',
      onHold: '8.000000',
      available: '61.000000',
      movements: 2,
      isNew: true,
      openingValue: '0.00',
      closingValue: '552.00',
    });
    expect(data.currency).toBe('HKD');
    expect(data.items).toMatchObject([
      { amount: '100.000000', fee: '0.000000', balance: '100.000000', transactionId: null, value: null },
      // 30 dollars are 240 HKD; the fee on top is worth 8.
      { amount: '-31.000000', fee: '1.000000', balance: '69.000000', transactionId: sent, value: '-248.00' },
    ]);
    expect(data.period).toMatchObject({ timeZone: 'UTC', isFinal: false });
  });

  test('goes on page by page, and a place outside the period is no place', async () => {
    for (let i = 1n; i <= 23n; i++) await credit(db, company, 'USDT', i);
    const url = `${path}/${company.wallets.USDT}?${today()}&size=10` as `${typeof path}/{id}`;
    const first = (await caller.get(url)).data;
    expect(first).toMatchObject({ total: 23, totalExact: true });
    const second = (await caller.get(`${url}&cursor=${first.next}` as typeof url)).data;
    const third = (await caller.get(`${url}&cursor=${second.next}` as typeof url)).data;
    const amounts = [first, second, third].flatMap(({ items }) => items.map(({ amount }) => Number(amount) * 1e6));
    expect(amounts.map(Math.round)).toEqual(Array.from({ length: 23 }, (_, i) => i + 1));
    expect(third.next).toBeNull();
    expect(third.items.at(-1)!.balance).toBe('0.000276');
    const elsewhere = Buffer.from(JSON.stringify([99, 0])).toString('base64url');
    expect((await caller.get(`${url}&cursor=${elsewhere}` as typeof url)).key).toBe('cursorInvalid');
    const stranger = http.signIn((await openTestCompany(db)).id);
    expect((await stranger.get(url)).key).toBe('walletNotFound');
  });

  test('of an empty period has one balance, and a period before the wallet has none', async () => {
    await credit(db, company, 'USDT', 5_000_000n);
    const url = (from: string, to: string) =>
      `${path}/${company.wallets.USDT}?from=${from}&to=${to}` as `${typeof path}/{id}`;
    const later = (await caller.get(url(day(1), day(3)))).data;
    expect(later.statement).toMatchObject({ opening: '5.000000', closing: '5.000000', movements: 0, isNew: false });
    expect(later.items).toEqual([]);
    const before = (await caller.get(url(day(-3), day(-1)))).data;
    expect(before.statement).toMatchObject({ opening: '0.000000', closing: '0.000000', isNew: false });
    expect((await caller.get(`${path}?from=${day(-3)}&to=${day(-1)}` as typeof path)).data.items).toEqual([]);
  });
});

describe('a period', () => {
  test('is the current month of the company’s time zone where none is asked for', async () => {
    now = new Date('2026-10-31T17:00:00Z');
    await inZone('Asia/Hong_Kong');
    const { data } = await caller.get(path);
    expect(data.period).toEqual({
      from: '2026-11-01',
      to: '2026-11-30',
      timeZone: 'Asia/Hong_Kong',
      opensAt: '2026-10-31T16:00:00.000Z',
      closesAt: '2026-11-30T16:00:00.000Z',
      isFinal: false,
    });
  });

  test('ends with the midnights of the zone, also where the clocks change', async () => {
    await inZone('America/New_York');
    const { data } = await caller.get(`${path}?from=2025-11-02&to=2025-11-02` as typeof path);
    expect(data.period).toMatchObject({
      opensAt: '2025-11-02T04:00:00.000Z',
      closesAt: '2025-11-03T05:00:00.000Z',
      isFinal: true,
    });
  });

  test('is final a minute after its end, when what was posted in it is certainly there', async () => {
    now = new Date(`${day()}T00:00:59.999Z`);
    const yesterday = `${path}?from=${day(-1)}&to=${day(-1)}` as typeof path;
    expect((await caller.get(yesterday)).data.period.isFinal).toBe(false);
    now = new Date(`${day()}T00:01:00.000Z`);
    expect((await caller.get(yesterday)).data.period.isFinal).toBe(true);
  });

  test('in the wrong order, and days that there are not, are refused', async () => {
    for (const query of [`from=${day()}&to=${day(-1)}`, 'from=2026-02-30', 'to=1999-12-31', 'from=26-1-1']) {
      expect((await caller.get(`${path}?${query}` as typeof path)).key).toBe('validationFailed');
    }
  });

  async function inZone(timeZone: string): Promise<void> {
    await db.app.withCompany(company.id, (tx) => sql`update company_setting set time_zone = ${timeZone}`.execute(tx));
  }
});

describe('the company’s statements', () => {
  test('add up what is valued, and say nothing of a total with an unknown price', async () => {
    await price('HKD', '0.125');
    await price('USDT', '1');
    await price('ETH', '2000');
    await credit(db, company, 'USDT', 100_000_000n);
    await credit(db, company, 'ETH', 10n ** 18n);
    const whole = (await caller.get(`${path}?${today()}` as typeof path)).data;
    expect(whole).toMatchObject({ openingValue: '0.00', closingValue: '16800.00' });
    expect(whole.items.map(({ asset, closingValue }) => [asset, closingValue])).toEqual([
      ['ETH', '16000.00'],
      ['HKDT', '0.00'],
      ['USDC', '0.00'],
      ['USDT', '800.00'],
    ]);
    await credit(db, company, 'USDC', 1n);
    expect((await caller.get(`${path}?${today()}` as typeof path)).data.closingValue).toBeNull();
  });
});

describe('a download', () => {
  const file = (query: string, locale: Locale = 'en-us') =>
    caller.inject({ url: `${path}/export?${query}`, headers: { 'accept-language': locale } });

  test('as CSV has opening, movements and closing of each wallet, amounts as numbers and no formula', async () => {
    await credit(db, company, 'USDT', 100_000_000n);
    await transfer(30_000_000n, 1_000_000n, 'sent');
    const response = await file(`${today()}&format=csv`);
    expect(response.headers['content-disposition']).toContain(`statement-${day()}-${day()}.csv`);
    expect(response.headers['x-total-rows']).toBe('10');
    const lines = response.body.replace('\ufeff', '').trim().split('\r\n');
    expect(lines).toHaveLength(11);
    expect(lines[0]).toContain('Time (UTC),Time (UTC),Description,Counterparty,Transaction ID');
    const usdt = lines.filter((line) => line.startsWith('USDT,'));
    expect(usdt[0]).toMatch(/,Opening balance,,,,,,,,,,0\.000000,0\.000000,0\.000000,HKD,/);
    expect(usdt[2]).toMatch(/,Transfer sent,'=SUM\(A1\) Kobe Steel,.*,-31\.000000,1\.000000,69\.000000,/);
    expect(usdt[3]).toMatch(/,Balance so far,,,,,,,,,,69\.000000,0\.000000,69\.000000,HKD,/);
  });

  test.each([
    ['en-us', ['Statement of account', 'Opening balance', 'Transfer sent', 'Balance so far', 'Page 1 of 1']],
    ['zh-hk', ['帳戶結單', '期初餘額', '截至目前餘額', '第 1 頁，共 1 頁']],
    ['zh-cn', ['账户对账单', '期初余额', '截至目前余额', '第 1 页，共 1 页']],
  ] as const)(
    'as PDF in %s names the company, the period, each movement and what is on hold',
    async (locale, words) => {
      await credit(db, company, 'USDT', 100_000_000n);
      const id = await transfer(30_000_000n, 1_000_000n, 'sent');
      await transfer(7_000_000n, 1_000_000n, 'held');
      const response = await file(`${today()}&format=pdf&walletId=${company.wallets.USDT}`, locale);
      expect(response.headers['content-type']).toBe('application/pdf');
      expect(response.headers['content-disposition']).toContain(`statement-usdt-ethereum-${day()}-${day()}.pdf`);
      const text = await pdfText(response.rawPayload);
      for (const word of words) expect(text).toContain(word);
      for (const fact of [name, '=SUM(A1) Kobe Steel', id, '+100.00', '−31.00', '69.00', '8.00 USDT', '61.00 USDT']) {
        expect(text.replaceAll('\n', '')).toContain(fact);
      }
    },
  );

  test('of the whole company as PDF begins with all wallets', async () => {
    await credit(db, company, 'USDT', 100_000_000n);
    const text = await pdfText((await file(`${today()}&format=pdf`)).rawPayload);
    expect(text).toContain('All wallets');
    for (const asset of ['ETH', 'HKDT', 'USDC', 'USDT']) expect(text).toContain(`${asset} · Ethereum`);
  });

  test('is in the audit log with its period, and a download needs the permission', async () => {
    await file(`${today()}&format=csv&walletId=${company.wallets.USDT}`);
    const { rows } = await superuser.query('select * from causeway.audit_event where company_id = $1', [company.id]);
    expect(rows).toMatchObject([
      {
        actor_id: caller.session.userId,
        action: 'statements.download',
        subject_kind: 'wallet',
        subject_id: company.wallets.USDT,
        detail: { name: 'USDT · Ethereum', format: 'csv', from: day(), to: day(), timeZone: 'UTC', count: 0 },
      },
    ]);
    const viewer = http.signIn(company.id, 'viewer');
    const refused = await viewer.inject({ url: `${path}/export?format=csv` });
    expect(refused.statusCode).toBe(403);
  });

  test('of very many movements is streamed as CSV, no faster than it is read, and refused as PDF', {
    timeout: 120_000,
  }, async () => {
    // A fifth of it, but in `npm run proof`.
    const movements = process.env['PROOF_ROUNDS'] === undefined ? 8_000 : 100_000;
    await fill(movements);
    const refused = await file(`${today()}&format=pdf&walletId=${company.wallets.USDT}`);
    expect(refused.json()).toMatchObject({ key: 'statementTooLong' });
    expect(refused.json().errors[0]).toContain(`${pdfMostMovements}`);
    const url = await http.app.listen({ port: 0, host: '127.0.0.1' });
    const token = String((await caller.inject({ url: path })).raw.req.headers['authorization']);
    const response = await fetch(`${url}${path}/export?${today()}&format=csv&walletId=${company.wallets.USDT}`, {
      headers: { authorization: token },
    });
    expect(response.status).toBe(200);
    const before = process.memoryUsage().rss;
    let [lines, mostRss, tail] = [0, 0, ''];
    for await (const chunk of response.body ?? []) {
      tail = (tail + Buffer.from(chunk).toString('utf8')).slice(-2000);
      lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
      mostRss = Math.max(mostRss, process.memoryUsage().rss);
    }
    expect(lines).toBe(movements + 3);
    expect(tail.trim().split('\r\n').at(-1)).toContain(`,${(movements / 1e6).toFixed(6)},`);
    expect((mostRss - before) / 1e6).toBeLessThan(200);
  });
});

/** Many deposits of one minor unit, written as the ledger would have: a call for each would take minutes. */
async function fill(count: number): Promise<void> {
  const accounts = await db.app.withCompany(company.id, (tx) =>
    accountsByKind(tx, company.wallets.USDT, ['available', 'chain']),
  );
  await superuser.query(
    `with made as (
       insert into causeway.ledger_posting (company_id, id, kind, source_id, description)
       select $1, gen_random_uuid(), 'deposit.credited', gen_random_uuid(), 'test' from generate_series(1, $2) returning id
     ), numbered as (select id, row_number() over () as n from made)
     insert into causeway.ledger_entry (company_id, account_id, sequence, posting_id, asset_id, amount, balance_after, created_at)
     select $1, account, n, id, 'USDT', sign, sign * n, now() from numbered
     cross join (values ($3::uuid, 1), ($4::uuid, -1)) as legs (account, sign)`,
    [company.id, count, accounts.available.id, accounts.chain.id],
  );
  await superuser.query(
    `update causeway.ledger_account set version = $2, balance = case kind when 'chain' then -1 else 1 end * $2::bigint, moved_at = now()
     where company_id = $1 and id in ($3, $4)`,
    [company.id, count, accounts.available.id, accounts.chain.id],
  );
  await superuser.query('analyze causeway.ledger_entry');
}
