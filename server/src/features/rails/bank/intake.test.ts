import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import {
  dayStatement as dayStatementOf,
  depositsOf,
  figuresOf,
  moneysOf as moneysIn,
  notification as notificationOf,
  suspenseOf,
  type TestBooking,
  takeIn,
} from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { verifyLedger } from '../../ledger/index.ts';

/** What a bank's files do to the books: one money for each booking, in whichever messages it is. */

let db: TestDatabase;
let company: TestCompany;
let wallet: { id: string; number: string };
let superuser: pg.Client;
let account = 998_001_000_000_000;
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

type Options = Parameters<typeof dayStatementOf>[1];
const dayStatement = (bookings: readonly TestBooking[], options: Options = {}) =>
  dayStatementOf(bookings, { of: String(account), ...options });
const notification = (bookings: readonly TestBooking[], options: Options = {}) =>
  notificationOf(bookings, { of: String(account), ...options });
const moneysOf = (database: TestDatabase) => moneysIn(database, String(account));
const figures = () => figuresOf(db, company.id, wallet.id);
const suspense = () => suspenseOf(db, String(account));
const referenceOf = async (companyId: string) => {
  const { rows } = await db.worker.withCompany(companyId, (tx) =>
    sql<{ reference: string }>`select reference from bank_account where company_id = company_id()`.execute(tx),
  );
  return rows[0]?.reference ?? '';
};
const deposits = () => depositsOf(db, company.id);

const payIn = (more: Partial<TestBooking> = {}): TestBooking => ({
  amount: '100.00',
  ref: 'R-1',
  details: [
    {
      tx: 'T-1',
      e2e: 'E-1',
      to: wallet.number,
      payer: 'Kowloon Mills',
      payerAccount: `024-${account}`,
      text: 'Invoice 7',
    },
  ],
  ...more,
});

describe('one booking is one money', () => {
  const orders: [string, (() => string)[]][] = [
    ['announced alone', [() => notification([payIn()])]],
    ['booked alone', [() => dayStatement([payIn()])]],
    ['announced, then booked', [() => notification([payIn()]), () => dayStatement([payIn()])]],
    ['booked, then announced', [() => dayStatement([payIn()]), () => notification([payIn()])]],
    [
      'announced twice under two ids, then booked',
      [() => notification([payIn()]), () => notification([payIn()]), () => dayStatement([payIn()])],
    ],
    [
      'booked without the bank’s reference',
      [() => notification([payIn()]), () => dayStatement([payIn({ ref: undefined })])],
    ],
    [
      'known by its transaction alone, in a batch of its own reference',
      [
        () => notification([payIn()]),
        () => dayStatement([payIn({ ref: 'B-9', batch: 1, details: [{ tx: 'T-1', ref: 'R-1', to: wallet.number }] })]),
      ],
    ],
    [
      'known by day, amount and words where the bank names it nowhere',
      [
        () => notification([payIn({ ref: undefined, details: [{ e2e: 'E-1', to: wallet.number }] })]),
        () => dayStatement([payIn({ details: [{ e2e: 'E-1', to: wallet.number }] })]),
      ],
    ],
  ];
  test.each(orders)('%s', async (_, files) => {
    for (const file of files) await takeIn(db, file());
    expect(await figures()).toEqual({ bank: -10_000n, available: 8500n, fee: 1500n });
    expect(await moneysOf(db)).toHaveLength(1);
  });

  test('with payer, words, reference, value date and fee on its deposit', async () => {
    await takeIn(db, notification([payIn()]));
    expect(await deposits()).toEqual([
      {
        status: 'completed',
        stage: 'credited',
        quantity: 10_000n,
        fee: 1500n,
        payer: 'Kowloon Mills',
        description: 'Invoice 7',
        valueDate: '2026-11-20',
        bankReference: 'R-1',
        reference: 'R-1',
        endToEnd: 'E-1',
      },
    ]);
  });

  test('two equal bookings on one day are two, with and without references', async () => {
    const bare = payIn({ ref: undefined, details: [{ e2e: 'RENT', to: wallet.number }] });
    await takeIn(db, notification([bare]));
    await takeIn(db, notification([bare]));
    await takeIn(db, dayStatement([bare, bare, payIn({ ref: 'R-1' }), payIn({ ref: 'R-2' })]));
    expect(await moneysOf(db)).toMatchObject([
      { announced: true, booked: true },
      { announced: true, booked: true },
      { announced: false, booked: true },
      { announced: false, booked: true },
    ]);
    expect((await figures())['bank']).toBe(-40_000n);
  });

  test('the same file again, under its own name or another, is nothing', async () => {
    const file = dayStatement([payIn()]);
    expect(await takeIn(db, file, 'a.xml')).toBe(true);
    expect(await takeIn(db, file, 'a.xml')).toBe(false);
    expect(await takeIn(db, file, 'b.xml')).toBe(false);
    expect(await moneysOf(db)).toHaveLength(1);
    const { rows } = await db.operator.withoutCompany((tx) =>
      sql`select name, state from bank_message where name in ('a.xml', 'b.xml') order by name`.execute(tx),
    );
    expect(rows).toEqual([
      { name: 'a.xml', state: 'read' },
      { name: 'b.xml', state: 'copy' },
    ]);
  });

  test('a statement sent again in another file is a copy; one that says something else under its id is refused', async () => {
    const options = { id: 'DAY-1' };
    await takeIn(db, dayStatement([payIn()], options));
    await takeIn(db, `${dayStatement([payIn()], options)}\n`);
    await takeIn(db, dayStatement([payIn(), payIn({ ref: 'R-2' })], options));
    const { rows } = await db.operator.withoutCompany((tx) =>
      sql`select state, problem from bank_message order by received_at desc, id desc limit 3`.execute(tx),
    );
    expect(rows).toEqual([
      { state: 'refused', problem: 'bankIn.refused.statementDiffers' },
      { state: 'copy', problem: null },
      { state: 'read', problem: null },
    ]);
    expect((await figures())['bank']).toBe(-10_000n);
  });
});

describe('a batch', () => {
  const parts = [
    { amount: '60.00', tx: 'T-1', to: '', e2e: 'E-1' },
    { amount: '40.00', tx: 'T-2', to: '', e2e: 'E-2' },
  ];
  const batch = (isDetailed: boolean): TestBooking => ({
    amount: '100.00',
    ref: 'B-1',
    batch: 2,
    details: isDetailed ? parts.map((part) => ({ ...part, to: wallet.number })) : [],
  });

  test('and its parts are one money, each part its own', async () => {
    await takeIn(db, dayStatement([batch(true)]));
    await takeIn(db, notification([batch(true)]));
    expect(await moneysOf(db)).toMatchObject([{ amount: 6000n }, { amount: 4000n }]);
    expect((await figures())['bank']).toBe(-10_000n);
  });

  test('announced one by one, and booked as one', async () => {
    for (const part of parts)
      await takeIn(
        db,
        notification([{ amount: part.amount, ref: `R-${part.tx}`, details: [{ ...part, to: wallet.number }] }]),
      );
    await takeIn(db, dayStatement([batch(true)]));
    expect(await moneysOf(db)).toMatchObject([
      { announced: true, booked: true },
      { announced: true, booked: true },
    ]);
    expect((await figures())['bank']).toBe(-10_000n);
  });

  test.each([
    ['the total first', [false, true]],
    ['the parts first', [true, false]],
  ])('without details in one message and with them in the other: %s', async (_, [first, second]) => {
    await takeIn(db, dayStatement([batch(first === true)]));
    if (first === false) expect(await suspense()).toEqual({ suspense: 10_000n, collecting: -10_000n });
    await takeIn(db, notification([batch(second === true)]));
    expect((await figures())['bank']).toBe(-10_000n);
    expect(await suspense()).toEqual({});
    expect((await moneysOf(db)).filter(({ state }) => state === 'credited')).toMatchObject([
      { announced: true, booked: true },
      { announced: true, booked: true },
    ]);
  });

  test('whose parts come to something else is held as a whole', async () => {
    await takeIn(db, dayStatement([{ ...batch(true), amount: '100.01' }]));
    expect(await moneysOf(db)).toMatchObject([
      { amount: 10_001n, state: 'suspense', unmatched: 'undetailed', suggestions: [] },
    ]);
  });
});

describe('whose it is', () => {
  const to = (details: object): TestBooking => payIn({ details: [{ tx: 'T-1', ...details }] });

  test('the account comes before the reference', async () => {
    const other = await openTestCompany(db);
    await openTestBankWallet(db, other.id, 'HKD');
    await takeIn(db, notification([to({ to: wallet.number, creditorReference: await referenceOf(other.id) })]));
    expect(await moneysOf(db)).toMatchObject([{ matchedBy: 'account' }]);
    expect((await figures())['bank']).toBe(-10_000n);
  });

  test('by the reference in its field, and in what the payer wrote, grouped or not', async () => {
    const reference = await referenceOf(company.id);
    const grouped = reference.replace(/(.{4})/g, '$1 ').toLowerCase();
    const given = [
      { creditorReference: reference },
      { text: `pay ${grouped}please` },
      { text: `/ROC/${reference}/INV 12` },
    ];
    for (const [index, each] of given.entries()) {
      await takeIn(db, notification([payIn({ ref: `R-${index}`, details: [each] })]));
    }
    expect((await moneysOf(db)).map(({ matchedBy }) => matchedBy)).toEqual(['reference', 'text', 'text']);
    expect((await figures())['bank']).toBe(-30_000n);
  });

  test('with the references of two companies it stays in suspense, and both are suggested', async () => {
    const other = await openTestCompany(db);
    await openTestBankWallet(db, other.id, 'HKD');
    const text = `${await referenceOf(company.id)} ${await referenceOf(other.id)}`;
    await takeIn(db, notification([to({ text })]));
    const [money] = await moneysOf(db);
    expect(money).toMatchObject({ state: 'suspense', unmatched: 'several' });
    expect(money?.suggestions.map(({ companyId }) => companyId).sort()).toEqual([company.id, other.id].sort());
    expect(await figures()).toEqual({});
    expect(await suspense()).toEqual({ suspense: 10_000n, collecting: -10_000n });
  });

  test('with a wrong digit in the account number it stays in suspense, and account and payer are suggested', async () => {
    await takeIn(db, notification([payIn()]));
    // The first digit: accounts of other tests differ in the last ones, and only ten are suggested.
    const wrong = wallet.number.replace(/^./, (digit) => String((Number(digit) % 9) + 1));
    const again = payIn({ ref: 'R-2', details: [{ to: wrong, payerAccount: `024-${account}`, tx: 'T-2' }] });
    await takeIn(db, notification([again]));
    const [, money] = await moneysOf(db);
    expect(money).toMatchObject({
      state: 'suspense',
      unmatched: 'nothing',
    });
    expect(money?.suggestions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ companyId: company.id, why: 'accountNear' }),
        expect.objectContaining({ companyId: company.id, why: 'payerBefore' }),
      ]),
    );
  });

  test('what the statement adds later finds its owner, and suspense is given free', async () => {
    await takeIn(db, notification([to({})]));
    expect(await suspense()).toEqual({ suspense: 10_000n, collecting: -10_000n });
    await takeIn(db, dayStatement([payIn()]));
    expect(await suspense()).toEqual({});
    expect((await figures())['bank']).toBe(-10_000n);
    expect(await moneysOf(db)).toMatchObject([{ state: 'credited', matchedBy: 'account' }]);
  });

  describe('by an announcement', () => {
    const announce = (amount: string, by = company, at = wallet) =>
      superuser.query(
        `insert into causeway.recharge_notice (company_id, id, wallet_id, amount, paid_at, expected_from, expected_by, late_after, created_by, created_by_name)
         values ($1, $2, $3, $4, now(), now(), now(), now(), $2, 'Ann')`,
        [by.id, newId(), at.id, amount],
      );
    const notices = async () =>
      (
        await superuser.query(
          'select status, transaction_id is not null as linked from causeway.recharge_notice where company_id = $1 order by id',
          [company.id],
        )
      ).rows;
    const bare = (amount: string, payer: string): TestBooking => ({
      amount,
      ref: `N-${amount}-${payer.length}`,
      details: [{ payer }],
    });

    test('of the amount, the only one, by the company itself', async () => {
      await announce('77701');
      await takeIn(db, notification([bare('777.01', 'PEARL RIVER TRADING, LIMITED')]));
      expect(await moneysOf(db)).toMatchObject([{ state: 'credited', matchedBy: 'notice' }]);
      expect(await notices()).toEqual([{ status: 'matched', linked: true }]);
    });

    test('never of a payer who is not known, of another amount, or where two announced it', async () => {
      const other = await openTestCompany(db);
      await announce('77702');
      await announce('77703');
      await announce('77703', other, await openTestBankWallet(db, other.id, 'HKD'));
      const own = 'Pearl River Trading Limited';
      await takeIn(db, notification([bare('777.02', 'A stranger'), bare('777.03', own), bare('777.04', own)]));
      expect(await moneysOf(db)).toMatchObject([
        { state: 'suspense', suggestions: [{ why: 'noticeOpen', companyId: company.id }] },
        { state: 'suspense', suggestions: [{ why: 'noticeOpen' }, { why: 'noticeOpen' }] },
        { state: 'suspense', suggestions: [] },
      ]);
      expect((await notices()).map(({ status }) => status)).toEqual(['waiting', 'waiting']);
    });

    test('ends with the deposit that was matched by its account; a second deposit of the amount is one all the same', async () => {
      await announce('10000');
      await takeIn(db, notification([payIn(), payIn({ ref: 'R-2', details: [{ tx: 'T-2', to: wallet.number }] })]));
      expect(await notices()).toEqual([{ status: 'matched', linked: true }]);
      expect((await figures())['bank']).toBe(-20_000n);
    });
  });

  test('below the minimum, with the wallet frozen, the currency off: it is the company’s all the same', async () => {
    await db.worker.withCompany(company.id, (tx) =>
      sql`update wallet set frozen_at = now(), frozen_reason = 'deposit reversed' where company_id = company_id() and id = ${wallet.id}`.execute(
        tx,
      ),
    );
    await superuser.query('update causeway.bank_asset set enabled = false');
    await takeIn(db, notification([payIn({ amount: '0.01' })]));
    await superuser.query('update causeway.bank_asset set enabled = true');
    expect(await figures()).toEqual({ bank: -1n, fee: 1n });
  });
});

test('the account of a company itself is as good as one below the collecting account', async () => {
  await takeIn(db, notification([payIn({ details: [{ tx: 'T-1' }] })], { of: wallet.number }));
  expect(await moneysIn(db, wallet.number)).toMatchObject([{ matchedBy: 'account' }]);
});
