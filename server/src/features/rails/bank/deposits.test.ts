import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import {
  figuresOf,
  keepFile,
  moneysOf as moneysIn,
  notification as notificationOf,
  suspenseOf,
  type TestBooking,
  type TestDetail,
  takeIn,
} from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { present } from '../../../testing/present.ts';
import { readMessages } from '../../banks/index.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { settleMoneys } from '../index.ts';
import { creditMoneys } from './crediting.ts';
import { creditHeld, returnHeld } from './held.ts';

/** What a company sees of a deposit and of its reversal, whose it is in odd cases, and what it makes good. */

let db: TestDatabase;
let company: TestCompany;
let wallet: { id: string; number: string };
let superuser: pg.Client;
let account = 998_300_000_000_000;
beforeAll(async () => {
  db = await testDatabase();
  await openTestBank(db);
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
});
// Each test has an account of the installation of its own.
beforeEach(async () => {
  account += 1;
  await openTestCollection(db, String(account));
  company = await openTestCompany(db);
  wallet = await openTestBankWallet(db, company.id, 'HKD');
});
afterAll(async () => {
  expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  await superuser.end();
  await db.close();
});

const of = () => ({ of: String(account) });
const moneysOf = () => moneysIn(db, String(account));
const figures = () => figuresOf(db, company.id, wallet.id);
const money = (ref: string, detail: TestDetail, more: Partial<TestBooking> = {}): TestBooking => ({
  amount: '100.00',
  ref,
  details: [{ tx: `T-${ref}`, ...detail }],
  ...more,
});
const back = (ref: string, detail: TestDetail): TestBooking =>
  money(ref, detail, { sign: 'DBIT', reversal: true, details: [detail] });
const bankSays = (...bookings: TestBooking[]) => takeIn(db, notificationOf(bookings, of()));
const rowsOf = async <Row>(statement: ReturnType<typeof sql<Row>>) =>
  db.worker.withCompany(company.id, async (tx) => (await statement.execute(tx)).rows);

/** Moves minor units of the wallet, as a payment or the operator's collecting of fees does. */
async function move(from: string, to: string, minor: number): Promise<void> {
  await rowsOf(sql`
    select ledger_post(gen_random_uuid(), 'test.moved', gen_random_uuid(), 'test', null,
      array_agg(id order by id), array_agg(case kind when ${from} then -${sql.lit(minor)} else ${sql.lit(minor)} end order by id))
    from ledger_account where company_id = company_id() and owner_id = ${wallet.id} and kind in (${from}, ${to})`);
}

const announced = () =>
  rowsOf(sql`select name, payload from outbox where company_id = company_id() order by id`) as Promise<
    { name: string; payload: Record<string, unknown> }[]
  >;

async function announce(minor: string): Promise<void> {
  await superuser.query(
    `insert into causeway.recharge_notice (company_id, id, wallet_id, amount, paid_at, expected_from, expected_by, late_after, created_by, created_by_name)
     values ($1, $2, $3, $4, now(), now(), now(), now(), $2, 'Ann')`,
    [company.id, newId(), wallet.id, minor],
  );
}

describe('a deposit', () => {
  test("has the bank's words, and is announced to mails and open pages, as is its reversal", async () => {
    await rowsOf(sql`delete from outbox where company_id = company_id()`);
    const uetr = '8a562c67-ca16-48ba-b074-65581be6f001';
    await bankSays(money('R-1', { to: wallet.number, payerAccount: '0241', uetr }));
    const [deposit] = await rowsOf(sql<{ id: string }>`
      select id, payer_account as "payerAccount", payee_account as "payeeAccount", uetr,
        (select string_agg(stage, ' ' order by s.id) from transaction_stage s
          where s.company_id = t.company_id and s.transaction_id = t.id) as stages
      from transaction t where company_id = company_id() and type = 'fiat_deposit'`);
    expect(deposit).toMatchObject({
      payerAccount: '0241',
      payeeAccount: wallet.number,
      uetr,
      stages: 'received credited',
    });
    const told = (stage: string) => [
      { name: 'transaction.reached', payload: { transactionId: deposit?.id, stage } },
      { name: 'live', payload: { topic: 'transaction', id: deposit?.id } },
      { name: 'live', payload: { topic: 'balance', id: wallet.id } },
    ];
    expect(await announced()).toEqual(expect.arrayContaining(told('credited')));
    await rowsOf(sql`delete from outbox where company_id = company_id()`);
    await bankSays(back('R-2', { tx: 'T-R-1' }));
    expect(await announced()).toEqual(expect.arrayContaining(told('reversed')));
  });

  test('without the bank’s own reference is known by that of the transaction', async () => {
    await bankSays(money('R-1', { to: wallet.number }, { ref: undefined }));
    expect(
      await rowsOf(sql`select bank_reference as reference from transaction where company_id = company_id()`),
    ).toEqual([{ reference: 'T-R-1' }]);
  });

  test('first makes good what the wallet lacks', async () => {
    await bankSays(money('R-1', { to: wallet.number }));
    await move('available', 'bank', 8000);
    await bankSays(back('R-2', { tx: 'T-R-1' }));
    expect(await figures()).toMatchObject({ deficit: -8000n });
    await bankSays(money('R-3', { to: wallet.number }), money('R-4', { to: wallet.number }));
    expect(await figures()).toEqual({ bank: -12_000n, available: 9000n, fee: 3000n });
  });

  test('ends an announcement of its own amount; two deposits of one amount end two', async () => {
    for (const minor of ['20000', '10000', '10000']) await announce(minor);
    await bankSays(money('R-1', { to: wallet.number }), money('R-2', { to: wallet.number }));
    expect(
      await rowsOf(sql`select n.amount, t.bank_reference as reference from recharge_notice n
        left join transaction t on t.company_id = n.company_id and t.id = n.transaction_id
        where n.company_id = company_id() order by n.id`),
    ).toEqual([
      { amount: 20_000n, reference: null },
      { amount: 10_000n, reference: 'R-1' },
      { amount: 10_000n, reference: 'R-2' },
    ]);
  });

  test('of each currency is matched by the accounts of that currency; all are counted', async () => {
    const yen = await openTestBankWallet(db, company.id, 'JPY');
    await keepFile(db, notificationOf([money('R-1', { to: wallet.number })], of()));
    const inYen = [money('R-2', { to: yen.number }, { amount: '700' })];
    await keepFile(db, notificationOf(inYen, { of: '998001000000002' }).replaceAll('HKD', 'JPY'));
    await readMessages(db.worker);
    expect(await settleMoneys(db.worker)).toBe(2);
    expect(await figures()).toMatchObject({ bank: -10_000n });
    expect(await figuresOf(db, company.id, yen.id)).toEqual({ bank: -700n, available: 700n });
  });

  test('that a worker found too late is neither credited nor announced again', async () => {
    await bankSays(money('R-1', { to: wallet.number }));
    const [credited] = await moneysOf();
    await rowsOf(sql`delete from outbox where company_id = company_id()`);
    const late = (tx: Parameters<typeof creditMoneys>[0]) =>
      creditMoneys(tx, { bank: 'harbour-hk', asset: 'HKD' }, new Map([[present(credited).id, 'account']]));
    expect(await db.worker.withCompany(company.id, late)).toBe(0);
    expect([await figures(), await announced()]).toEqual([{ bank: -10_000n, available: 8500n, fee: 1500n }, []]);
  });

  test('waits where its company’s books fail, which is reported; those of other companies are credited', async () => {
    const other = await openTestCompany(db);
    const otherWallet = await openTestBankWallet(db, other.id, 'HKD');
    await keepFile(
      db,
      notificationOf([money('R-1', { to: wallet.number }), money('R-2', { to: otherWallet.number })], of()),
    );
    await readMessages(db.worker);
    const failing: typeof db.worker = {
      ...db.worker,
      withCompany: (id, work, options) =>
        id === company.id ? Promise.reject(new Error('no books')) : db.worker.withCompany(id, work, options),
    };
    await expect(settleMoneys(failing)).rejects.toThrow('no books');
    expect(await figures()).toEqual({});
    expect(await figuresOf(db, other.id, otherWallet.id)).toMatchObject({ bank: -10_000n });
    expect(await moneysOf()).toMatchObject([{ state: 'new' }, { state: 'credited' }]);
    await settleMoneys(db.worker);
    expect(await figures()).toMatchObject({ bank: -10_000n });
  });
});

describe('a reversal', () => {
  test('gives back of the fee what the operator has not collected', async () => {
    await bankSays(money('R-1', { to: wallet.number }));
    await move('fee', 'bank', 1000);
    await bankSays(back('R-2', { tx: 'T-R-1' }));
    expect(await figures()).toEqual({ bank: 1000n, deficit: -1000n });
    expect(await moneysOf()).toMatchObject([{ state: 'credited' }, { state: 'reversal' }]);
  });

  test('gives back no more than the deposit’s own fee', async () => {
    await bankSays(money('R-1', { to: wallet.number }), money('R-3', { to: wallet.number }));
    await bankSays(back('R-2', { tx: 'T-R-1' }));
    expect(await figures()).toEqual({ bank: -10_000n, available: 8500n, fee: 1500n });
  });

  test('that may be of two moneys takes neither back, and waits for an operator', async () => {
    const [one, other] = [
      money('R-1', { to: wallet.number, e2e: 'SAME' }),
      money('R-3', { to: wallet.number, e2e: 'SAME' }),
    ];
    await bankSays(one, other);
    await bankSays(back('R-2', { e2e: 'SAME' }));
    expect(await figures()).toEqual({ bank: -20_000n, available: 17_000n, fee: 3000n });
    expect((await moneysOf()).at(-1)).toMatchObject({ state: 'charged', unmatched: 'reversal' });
  });
});

describe('whose it is', () => {
  const references = async () =>
    (await rowsOf(sql<{ reference: string }>`select reference from bank_account where company_id = company_id()`)).map(
      ({ reference }) => reference,
    );

  test('a reference that is no company’s beside one that is', async () => {
    const [own = ''] = await references();
    await bankSays(
      money('R-1', { text: `RF18 5390 0754 7034 and ${own}` }),
      money('R-2', { text: 'RF18 5390 0754 7034' }),
    );
    expect(await moneysOf()).toMatchObject([
      { state: 'credited', matchedBy: 'text' },
      { state: 'suspense', unmatched: 'nothing' },
    ]);
  });

  test('an announced amount of a payer who has paid the company before', async () => {
    const payerAccount = `024-${account}`;
    await bankSays(money('R-1', { to: wallet.number, payerAccount }));
    await announce('77801');
    await bankSays(money('R-2', { payer: 'A stranger', payerAccount }, { amount: '778.01' }));
    expect((await moneysOf()).at(-1)).toMatchObject({ state: 'credited', matchedBy: 'notice' });
  });

  const holder = 'Pearl River Trading Limited';
  test.each([
    ['ＰＥＡＲＬ　ＲＩＶＥＲ trading limited', holder, 'credited'],
    ['Pearl River Trading Limited 2', holder, 'suspense'],
    ['', holder, 'suspense'],
    [undefined, holder, 'suspense'],
    ['HAFENSTRASSE GMBH', 'Hafenstraße GmbH', 'credited'],
    ['---', '***', 'suspense'],
  ])('an announced amount of a payer with the name %j, to the account of %s, is %s', async (payer, of, state) => {
    await superuser.query('update causeway.bank_account set holder_name = $2 where company_id = $1', [company.id, of]);
    const amount = 77_900 + (account % 100);
    await announce(String(amount));
    await bankSays(money('R-1', payer === undefined ? {} : { payer }, { amount: (amount / 100).toFixed(2) }));
    expect(await moneysOf()).toMatchObject([{ state }]);
  });

  test('suggestions say which account is near, which notice is open and which payer is known; at most ten accounts', async () => {
    const payerAccount = `024${account}`;
    await bankSays(money('R-1', { to: wallet.number, payerAccount }));
    // Twelve accounts that differ from another in one digit.
    const to = '555500899';
    const numbers = [
      ...Array.from('12345678', (digit) => `55550${digit}899`),
      ...Array.from('1234', (digit) => `5${digit}5500899`),
    ];
    for (const number of numbers) {
      const { id } = await openTestCompany(db);
      await openTestBankWallet(db, id, 'HKD');
      await superuser.query('update causeway.bank_account set account_number = $2 where company_id = $1', [id, number]);
    }
    await announce('66602');
    await bankSays(
      money('R-2', { to, payerAccount }, { amount: '666.01' }),
      money('R-3', { to: wallet.number.slice(1) }, { amount: '666.02' }),
    );
    const suggestions = ((await moneysOf()) as unknown as { suggestions: { why: string; value: string }[] }[]).map(
      (each) => each.suggestions.map(({ why, value }) => [why, value]),
    );
    expect(suggestions[1]).toHaveLength(11);
    expect(suggestions[1]?.at(-1)).toEqual(['payerBefore', payerAccount]);
    for (const [why, value] of suggestions[1]?.slice(0, -1) ?? [])
      expect([why, numbers.includes(value ?? '')]).toEqual(['accountNear', true]);
    expect(suggestions[2]).toEqual([['noticeOpen', expect.stringMatching(/^[\da-f-]{36}$/)]]);
  });
});

test('money that is given free of suspense leaves nothing there', async () => {
  await bankSays(money('R-1', {}));
  expect(await suspenseOf(db, String(account))).toEqual({ suspense: 10_000n, collecting: -10_000n });
  await bankSays(back('R-2', { tx: 'T-R-1' }));
  expect(await suspenseOf(db, String(account))).toEqual({});
});

describe('money in suspense', () => {
  const held = async (ref: string) => {
    await bankSays(money(ref, {}));
    return present((await moneysOf()).at(-1)).id;
  };
  const credit = (companyId: string, id: string, walletId: string, amountMinor = 10_000n) =>
    db.worker.withCompany(companyId, (tx) => creditHeld(tx, id, { walletId, amountMinor }));

  test('is credited to the wallet and of the amount that two operators agreed on, once', async () => {
    const id = await held('R-1');
    const stranger = await openTestCompany(db);
    expect(await credit(company.id, id, wallet.id, 10_001n)).toEqual({ is: 'settled' });
    expect(await credit(company.id, id, newId())).toEqual({ is: 'noWallet' });
    expect(await credit(stranger.id, id, wallet.id)).toEqual({ is: 'noWallet' });
    expect([await figures(), await suspenseOf(db, String(account))]).toEqual([
      {},
      { suspense: 10_000n, collecting: -10_000n },
    ]);
    expect(await credit(company.id, id, wallet.id)).toMatchObject({ is: 'credited' });
    expect(await credit(company.id, id, wallet.id)).toEqual({ is: 'settled' });
    expect([await figures(), await suspenseOf(db, String(account))]).toEqual([
      { bank: -10_000n, available: 8500n, fee: 1500n },
      {},
    ]);
  });

  test('is not ended by a debit of another amount', async () => {
    const id = await held('R-1');
    await bankSays({ amount: '99.00', sign: 'DBIT', ref: 'R-2' });
    const taken = present((await moneysOf()).at(-1)).id;
    expect(await db.worker.withoutCompany((tx) => returnHeld(tx, id, taken))).toBe(false);
    expect(await moneysOf()).toMatchObject([{ state: 'suspense' }, { state: 'charged' }]);
    expect(await suspenseOf(db, String(account))).toEqual({ suspense: 10_000n, charges: -9900n, collecting: -100n });
  });
});
