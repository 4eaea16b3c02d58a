import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { atTime, DAY_MS, dateAt } from './calendar.ts';
import { BankRefusal, isVirtualNumber, luhnDigit, virtualNumber } from './catalogue.ts';
import { closeDays, setFirstClock } from './days.ts';
import { openAccounts, type Turn } from './ledger.ts';
import { settleDue } from './outcomes.ts';
import { bookFee, garbled, payIn, payInBatch, reverseBooking } from './pay-ins.ts';
import { acceptPayment, delayPayment, reasonOf, refusePayment, returnPayment, settlePayment } from './payments.ts';
import { type BankStore, openBankStore } from './store.ts';

const MONDAY = atTime('2026-11-23', '09:00');

let dir = '';
let store: BankStore;
let now = MONDAY;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-books-'));
  await open();
});

afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function open(snapshotAfter?: number): Promise<void> {
  now = MONDAY;
  store = await openBankStore(dir, snapshotAfter);
  await change((turn) => {
    openAccounts(turn);
    setFirstClock(turn, now);
  });
}

function change<Result>(work: (turn: Turn) => Result): Promise<Result> {
  return store.change((tx) => work({ ...tx, now, notifications: new Map() }));
}

const HKD = '998001000000344';
const account = (number = HKD) => store.get('accounts', number);
const PAYEE = { name: 'Wong Trading Ltd', account: '123456789', clearing: { system: 'HKNCC', member: '004' } };

const arrive = (amount: string, to = virtualNumber(7)) =>
  change((turn) => payIn(turn, { bank: 'harbour', to, currency: 'HKD', amount, payer: { name: 'A Payer' } }));

const order = (minor: bigint, more: { requestedDate?: string; uetr?: string; account?: string } = {}) =>
  change((turn) =>
    acceptPayment(turn, {
      bank: 'harbour',
      currency: 'HKD',
      amount: minor,
      payee: { ...PAYEE, account: more.account ?? PAYEE.account },
      messageId: 'M1',
      endToEndId: 'E1',
      requestedDate: more.requestedDate ?? '2026-11-23',
      reference: undefined,
      text: undefined,
      chargeBearer: undefined,
      paymentInformationId: undefined,
      instructionId: undefined,
      uetr: more.uetr,
    }),
  );

/** What must hold after whatever happened. */
function checkBooks(): void {
  const accounts = store.all('accounts');
  const bookings = store.all('bookings');
  const sums = new Map<string, bigint>();
  for (const { bank, currency, balance } of accounts) {
    const key = `${bank} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(balance));
  }
  for (const [key, sum] of sums) expect(sum, `money of ${key} is conserved`).toBe(0n);
  for (const one of accounts.filter(({ kind }) => kind === 'customer')) {
    const own = bookings.filter((booking) => booking.account === one.number);
    expect(own.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(BigInt(one.balance));
    const open = store
      .all('payments')
      .filter((payment) => payment.account === one.number && ['pending', 'accepted'].includes(payment.state));
    expect(open.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(BigInt(one.held));
    let closing = '0';
    let number = 0;
    for (const statement of store.all('statements').filter((each) => each.account === one.number)) {
      number += 1;
      expect(statement.number).toBe(number);
      expect(statement.opening, 'a day begins with the closing balance of the day before').toBe(closing);
      const entries = own.filter(({ bookingDate }) => bookingDate === statement.date);
      expect(statement.bookings).toEqual(entries.map(({ id }) => id));
      const sum = entries.reduce((total, { amount }) => total + BigInt(amount), BigInt(statement.opening));
      expect(BigInt(statement.closing)).toBe(sum);
      closing = statement.closing;
    }
    expect(one.closing).toBe(closing);
  }
  for (const booking of bookings.filter(({ details }) => details.length > 0)) {
    const parts = booking.details.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    expect(parts, 'the parts of an entry are the entry').toBe(
      BigInt(booking.amount) < 0n ? -BigInt(booking.amount) : BigInt(booking.amount),
    );
  }
}

type Step =
  | { kind: 'payIn' | 'order' | 'fee'; minor: number }
  | { kind: 'batch'; parts: number[] }
  | { kind: 'settle' | 'refuse' | 'delay' | 'return' | 'reverse'; which: number }
  | { kind: 'due' }
  | { kind: 'wait'; hours: number };

const minor = fc.integer({ min: 1, max: 5_000_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('payIn' as const, 'order' as const, 'fee' as const), minor }),
  fc.record({ kind: fc.constant('batch' as const), parts: fc.array(minor, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    kind: fc.constantFrom(
      'settle' as const,
      'refuse' as const,
      'delay' as const,
      'return' as const,
      'reverse' as const,
    ),
    which: fc.nat(20),
  }),
  fc.record({ kind: fc.constant('due' as const) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 80 }) }),
);

function carryOut(turn: Turn, one: Step): void {
  const text = (value: number) => (value / 100).toFixed(2);
  const incoming = { bank: 'harbour', to: virtualNumber(1), currency: 'HKD', payer: { name: 'A Payer' } } as const;
  const { kind } = one;
  if (kind === 'payIn') payIn(turn, { ...incoming, amount: text(one.minor) });
  else if (kind === 'batch')
    payInBatch(
      turn,
      one.parts.map((part) => ({ ...incoming, amount: text(part) })),
      'with',
    );
  else if (kind === 'fee') bookFee(turn, { bank: 'harbour', currency: 'HKD', amount: text(one.minor), text: 'Fee' });
  else if (kind === 'due') settleDue(turn);
  else if (kind === 'order')
    acceptPayment(turn, {
      bank: 'harbour',
      currency: 'HKD',
      amount: BigInt(one.minor),
      payee: PAYEE,
      messageId: 'M',
      endToEndId: 'E',
      requestedDate: dateAt(turn.now),
      reference: undefined,
      text: undefined,
      chargeBearer: undefined,
      paymentInformationId: undefined,
      instructionId: undefined,
      uetr: undefined,
    });
  else if (one.kind === 'reverse') {
    const bookings = turn.all('bookings');
    reverseBooking(turn, bookings[one.which % Math.max(bookings.length, 1)]?.id ?? '', reasonOf('CUST'));
  } else if ('which' in one) {
    const payments = turn.all('payments');
    const id = payments[one.which % Math.max(payments.length, 1)]?.id ?? '';
    if (kind === 'settle') settlePayment(turn, id);
    if (kind === 'refuse') refusePayment(turn, id, reasonOf('AC04'));
    if (kind === 'delay') delayPayment(turn, id);
    if (kind === 'return') returnPayment(turn, id, reasonOf('AC04'));
  }
}

test('whatever happens, money is conserved and each day closes with its opening balance and its entries', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        for (const one of steps) {
          if (one.kind === 'wait') now += one.hours * 3_600_000;
          await change((turn) => closeDays(turn));
          await change((turn) => carryOut(turn, one)).catch((error: unknown) => {
            if (!(error instanceof BankRefusal)) throw error;
          });
        }
        now += 3 * DAY_MS;
        await change((turn) => closeDays(turn));
        checkBooks();
      })
      .beforeEach(async () => {
        await store.close();
        await rm(dir, { recursive: true, force: true });
        await open();
      }),
    { numRuns: Number(process.env['PROOF_ROUNDS'] ?? 8) * 4 },
  );
});

test('a payment reserves its amount, and is booked once', async () => {
  await arrive('100.00');
  const { id, state } = await order(6_000n);
  expect(state).toBe('accepted');
  expect(account()).toMatchObject({ balance: '10000', held: '6000' });
  expect(await order(5_000n)).toMatchObject({ state: 'rejected', reason: { code: 'AM04' } });
  await change((turn) => settlePayment(turn, id));
  expect(account()).toMatchObject({ balance: '4000', held: '0' });
  await expect(change((turn) => settlePayment(turn, id))).rejects.toThrow('The payment is settled.');
  await expect(change((turn) => refusePayment(turn, id, reasonOf('AC04')))).rejects.toThrow(BankRefusal);
  await change((turn) => returnPayment(turn, id, reasonOf('AC04')));
  await expect(change((turn) => returnPayment(turn, id, reasonOf('AC04')))).rejects.toThrow(BankRefusal);
  expect(account()).toMatchObject({ balance: '10000', held: '0' });
  checkBooks();
});

test('a UETR that was used is a duplicate', async () => {
  await arrive('100.00');
  const uetr = '7a562c67-ca16-48ba-b074-65581be6f066';
  expect(await order(100n, { uetr })).toMatchObject({ state: 'accepted' });
  expect(await order(100n, { uetr })).toMatchObject({ state: 'rejected', reason: { code: 'DUPL' } });
  expect(account()).toMatchObject({ held: '100' });
});

test('payments after the cut-off, at a weekend or for a later day leave on the working day that follows', async () => {
  await arrive('100.00');
  now = atTime('2026-11-23', '16:59');
  expect(await order(1n)).toMatchObject({ executionDate: '2026-11-23' });
  now = atTime('2026-11-23', '17:00');
  expect(await order(1n)).toMatchObject({ executionDate: '2026-11-24' });
  expect(await order(1n, { requestedDate: '2026-11-28' })).toMatchObject({ executionDate: '2026-11-30' });
  now = atTime('2026-11-28', '10:00');
  expect(await order(1n)).toMatchObject({ executionDate: '2026-11-30' });
  expect(await change(settleDue)).toBe(2);
  now = atTime('2026-11-30', '09:00');
  expect(await change(settleDue)).toBe(2);
});

test('money that comes in after the cut-off has the next working day as its value date', async () => {
  now = atTime('2026-11-27', '17:30');
  expect(await arrive('1.00')).toMatchObject({ bookingDate: '2026-11-27', valueDate: '2026-11-30' });
  now = atTime('2026-11-29', '12:00');
  expect(await arrive('1.00')).toMatchObject({ bookingDate: '2026-11-30', valueDate: '2026-11-30' });
});

test('only working days are closed, each once', async () => {
  now = atTime('2026-12-01', '00:00');
  expect(await change(closeDays)).toEqual([
    '2026-11-23',
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
    '2026-11-30',
  ]);
  expect(await change(closeDays)).toEqual([]);
  expect(
    store
      .all('statements')
      .filter((one) => one.account === HKD)
      .map(({ date }) => date),
  ).toEqual(['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-30']);
});

test('a change that fails leaves nothing behind', async () => {
  await arrive('5.00');
  const files = store.all('files').length;
  await expect(
    change((turn) => {
      payIn(turn, { bank: 'harbour', to: HKD, currency: 'HKD', amount: '1.00', payer: { name: 'A' } });
      throw new Error('power cut');
    }),
  ).rejects.toThrow('power cut');
  expect(account()).toMatchObject({ balance: '500' });
  expect(store.all('files')).toHaveLength(files);
  checkBooks();
});

test('what was changed is there after a restart, from the journal and from a snapshot', async () => {
  for (let round = 0; round < 3; round += 1) {
    await arrive('1.23');
    const before = [store.all('accounts'), store.all('bookings'), store.all('files'), store.all('counters')];
    await store.close();
    await open(round === 1 ? 1 : undefined);
    expect([store.all('accounts'), store.all('bookings'), store.all('files'), store.all('counters')]).toEqual(before);
  }
  expect(account()).toMatchObject({ balance: '369' });
});

test('virtual account numbers have fourteen digits and a check digit', () => {
  // 7992739871 has the check digit 3 (ISO/IEC 7812-1, the example of the algorithm's description).
  expect(luhnDigit('7992739871')).toBe('3');
  expect(virtualNumber(1)).toMatch(/^9980010000001\d$/);
  fc.assert(
    fc.property(fc.nat(9_999_999), fc.nat(13), fc.integer({ min: 1, max: 9 }), (sequence, place, by) => {
      const number = virtualNumber(sequence);
      expect(isVirtualNumber(number)).toBe(true);
      const wrong = [...number];
      wrong[place] = String((Number(wrong[place]) + by) % 10);
      expect(isVirtualNumber(wrong.join(''))).toBe(false);
    }),
  );
});

test('a reference can be garbled so that it can be read, or not', () => {
  const wish = {
    bank: 'harbour',
    to: HKD,
    currency: 'HKD',
    amount: '1',
    payer: { name: 'A' },
    reference: 'RF18539007547034',
  } as const;
  expect(garbled(wish, 'no')).toBe(wish);
  expect(garbled(wish, 'spaced')).toMatchObject({ text: 'pmt ref rf18 5390 0754 7034' });
  expect(garbled(wish, 'spaced')).not.toHaveProperty('reference');
  expect(garbled(wish, 'broken')).toMatchObject({ text: 'pmt ref rf18 5390 0754 7037' });
});
