import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import {
  dayStatement,
  figuresOf,
  keepFile,
  notification,
  type TestBooking,
  takeIn,
} from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { dying, dyingDatabase, Killed } from '../../../testing/dying.ts';
import { type BankGateway, fetchMessages, readMessages } from '../../banks/index.ts';
import { nilCompany } from '../../identity/index.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { reconcileBanks, reconcileBanksByCompany, settleMoneys } from '../index.ts';

/** Money of a bank is credited once: by two workers, under kills at every step, and in random histories; the bank's statement is the judge. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const kills = Math.max(2, Math.ceil(Number(process.env['PROOF_ROUNDS'] ?? 8) / 8));
const log = createLog('test', 'silent');
let db: TestDatabase;
let company: TestCompany;
let wallet: { id: string; number: string };
let account = 998_002_000_000_000;
beforeAll(async () => {
  db = await testDatabase();
  await openTestBank(db);
});
afterAll(async () => {
  expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  await db.close();
});
beforeEach(async () => {
  account += 1;
  await openTestCollection(db, String(account));
  company = await openTestCompany(db);
  wallet = await openTestBankWallet(db, company.id, 'HKD');
});

const of = () => ({ of: String(account) });
const bank = async () => -((await figuresOf(db, company.id, wallet.id))['bank'] ?? 0n);
let last = 0;
const payIn = (more: Partial<TestBooking> = {}): TestBooking => {
  last += 1;
  return { amount: '100.00', ref: `R-${last}`, details: [{ tx: `T-${last}`, to: wallet.number }], ...more };
};
async function agreed(): Promise<void> {
  const { comparisons, findings } = await reconcileBanks(db.operator);
  expect(findings).toEqual([]);
  expect(comparisons.filter(({ differenceMinor }) => differenceMinor !== 0n)).toEqual([]);
}

test(`two workers that read and post the same messages credit them once, ${rounds} times`, async () => {
  let expected = 0n;
  const booked: TestBooking[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bookings = [payIn(), payIn()];
    booked.push(...bookings);
    expected += 20_000n;
    await Promise.all([keepFile(db, notification(bookings, of())), keepFile(db, notification(bookings, of()))]);
    const work = async () => {
      await readMessages(db.worker);
      await settleMoneys(db.worker);
    };
    await Promise.all([work(), work()]);
    await work();
    expect(await bank()).toBe(expected);
  }
  await takeIn(db, dayStatement(booked, of()));
  expect(await bank()).toBe(expected);
  await agreed();
});

test(`the same file stored by two workers at once is one message, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const file = notification([payIn()], of());
    const stored = await Promise.all([keepFile(db, file), keepFile(db, file)]);
    expect(stored.filter((isNew) => isNew)).toHaveLength(1);
  }
  await readMessages(db.worker);
  await settleMoneys(db.worker);
  expect(await bank()).toBe(10_000n * BigInt(rounds));
});

/** A bank with one file, in memory. */
function oneFile(
  content: string,
): BankGateway & { confirmed: number; messages(): Promise<{ name: string; bytes: number }[]> } {
  const name = `k-${++last}.xml`;
  const gateway = {
    bank: 'harbour-hk',
    source: 'files' as const,
    confirmed: 0,
    async visit<T>(work: Parameters<BankGateway['visit']>[0]): Promise<T> {
      return (await work(dyingVisit ?? gateway)) as T;
    },
    orders: {
      kind: 'folder' as const,
      look: async () => 'none' as const,
      put: async () => undefined,
      finish: async () => undefined,
    },
    messages: async () => (gateway.confirmed > 0 ? [] : [{ name, bytes: content.length }]),
    async *content() {
      yield Buffer.from(content);
    },
    async confirm() {
      gateway.confirmed += 1;
    },
  };
  let dyingVisit: Parameters<Parameters<BankGateway['visit']>[0]>[0] | null = null;
  return Object.assign(gateway, {
    dieAt(method: 'messages' | 'confirm', moment: 'before' | 'after') {
      dyingVisit = dying(gateway, method, moment);
    },
  });
}

describe(`killed ${kills} times at each step`, () => {
  const steps = (['before commit', 'after commit'] as const).flatMap((moment) =>
    [1, 2, 3, 4, 5, 6].map((transaction) => [transaction, moment] as const),
  );
  test.each(steps)('of reading and posting: at transaction %i, %s', async (transaction, moment) => {
    for (let round = 1; round <= kills; round += 1) {
      const booking = payIn();
      await keepFile(db, notification([booking, payIn({ details: [] })], of()));
      const broken = dyingDatabase(db.worker, transaction, moment);
      const died = readMessages(broken).then(() => settleMoneys(broken));
      await died.catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      await readMessages(db.worker);
      await settleMoneys(db.worker);
      expect(await bank()).toBe(10_000n * BigInt(round));
    }
    await agreed();
  });

  test.each([
    ['messages', 'after'],
    ['confirm', 'before'],
    ['confirm', 'after'],
  ] as const)('of fetching: at %s, %s it', async (method, moment) => {
    for (let round = 1; round <= kills; round += 1) {
      const gateway = oneFile(notification([payIn()], of())) as ReturnType<typeof oneFile> & {
        dieAt(method: 'messages' | 'confirm', moment: 'before' | 'after'): void;
      };
      gateway.dieAt(method, moment);
      await expect(fetchMessages({ database: db.worker, log }, gateway)).rejects.toBeInstanceOf(Killed);
      await fetchMessages({ database: db.worker, log }, gateway);
      await readMessages(db.worker);
      await settleMoneys(db.worker);
      expect(gateway.confirmed).toBe(1);
      expect(await bank()).toBe(10_000n * BigInt(round));
    }
  });
});

/** One day at a bank in a random history. */
const day = fc.record({
  bookings: fc.array(
    fc.record({
      cents: fc.integer({ min: 1, max: 100_000 }),
      to: fc.constantFrom('own', 'other', 'unknown'),
      isNamed: fc.boolean(),
      isBatch: fc.boolean(),
      isAnnounced: fc.constantFrom('not', 'before', 'after', 'twice'),
    }),
    { maxLength: 5 },
  ),
  isLate: fc.boolean(),
  isSentTwice: fc.boolean(),
});

test('random histories: pay-ins, batches, duplicates, days that come late; what the bank says and what is booked agree to the last unit', async () => {
  const other = await openTestCompany(db);
  const otherWallet = await openTestBankWallet(db, other.id, 'HKD');
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 1, maxLength: 5 }), async (days) => {
      account += 1;
      await openTestCollection(db, String(account));
      const before = [await bank(), -((await figuresOf(db, other.id, otherWallet.id))['bank'] ?? 0n)];
      const expected = { own: 0n, other: 0n };
      const late: string[] = [];
      let opening = 0;
      for (const [index, { bookings, isLate, isSentTwice }] of days.entries()) {
        const date = `2026-10-${String(index + 1).padStart(2, '0')}`;
        const written = bookings.map((booking): TestBooking => {
          last += 1;
          const details = (booking.isBatch && booking.cents > 1 ? [1, booking.cents - 1] : [booking.cents]).map(
            (cents, part) => ({
              amount: (cents / 100).toFixed(2),
              e2e: booking.isNamed ? `E-${last}-${part}` : `SAME-${booking.to}-${part}`,
              ...(booking.isNamed ? { tx: `T-${last}-${part}` } : {}),
              ...(booking.to === 'unknown' ? {} : { to: booking.to === 'own' ? wallet.number : otherWallet.number }),
            }),
          );
          if (booking.to !== 'unknown') expected[booking.to] += BigInt(booking.cents);
          const amount = (booking.cents / 100).toFixed(2);
          return { amount, date, details, ...(booking.isNamed ? { ref: `R-${last}` } : {}) };
        });
        const announce = async (when: string) => {
          for (const [at, booking] of bookings.entries()) {
            const one = written[at];
            if (!one || (booking.isAnnounced !== when && booking.isAnnounced !== 'twice')) continue;
            // Without a name a second announcement would be a second booking.
            if (booking.isAnnounced === 'twice' && when === 'after' && !booking.isNamed) continue;
            await takeIn(db, notification([one], of()));
          }
        };
        await announce('before');
        const file = dayStatement(written, { ...of(), date, opening: (opening / 100).toFixed(2) });
        opening += bookings.reduce((sum, { cents }) => sum + cents, 0);
        if (isLate) late.push(file);
        else await takeIn(db, file);
        if (isSentTwice && !isLate) await takeIn(db, `${file} `);
        await announce('after');
      }
      for (const file of late) await takeIn(db, file);
      const after = [await bank(), -((await figuresOf(db, other.id, otherWallet.id))['bank'] ?? 0n)];
      expect([(after[0] ?? 0n) - (before[0] ?? 0n), (after[1] ?? 0n) - (before[1] ?? 0n)]).toEqual([
        expected.own,
        expected.other,
      ]);
      await agreed();
    }),
    {
      numRuns: Math.max(5, Number(process.env['PROOF_HISTORIES'] ?? 8)),
      ...(process.env['PROOF_SEED'] ? { seed: Number(process.env['PROOF_SEED']) } : {}),
    },
  );
});

const script = resolve(import.meta.dirname, '../../../verify-bank.ts');

describe('the reconciliation', () => {
  const found = async () => (await reconcileBanks(db.operator)).findings.map(({ line }) => line).join('\n');
  /** `npm run bank:verify`. */
  const command = () => {
    const env = { ...process.env, CHAINS_FILE: 'unread', DATABASE_OPERATOR_URL: db.urlFor('causeway_operator') };
    const { status, stdout } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    return { status, last: stdout.trim().split('\n').at(-1) };
  };

  test('says what a missing day, a statement that does not add up and a posting of our own leave open', async () => {
    const known = await found();
    expect(known).toBe('');
    expect(command()).toEqual({ status: 0, last: expect.stringMatching(/currencies at banks, 0 findings$/) });
    await takeIn(db, dayStatement([payIn({ date: '2026-11-20' })], { ...of(), date: '2026-11-20' }));
    await takeIn(
      db,
      dayStatement([], { ...of(), id: `GAP-${account}`, date: '2026-11-23', opening: '130.00', closing: '130.00' }),
    );
    expect(await found()).toContain(`GAP-${account}: opening less the closing before it, difference 3000`);
    const missing = dayStatement([payIn({ amount: '30.00', date: '2026-11-21' })], {
      ...of(),
      date: '2026-11-21',
      opening: '100.00',
    });
    await takeIn(db, missing);
    await agreed();
    await db.worker.withCompany(company.id, (tx) =>
      sql`select ledger_post(gen_random_uuid(), 'deposit.credited', gen_random_uuid(), 'made up', null,
        array_agg(id order by id), array_agg(case kind when 'bank' then -7 else 7 end order by id))
        from ledger_account where company_id = company_id() and owner_id = ${wallet.id} and kind in ('available', 'bank')`.execute(
        tx,
      ),
    );
    expect(await found()).toContain('no money of a bank explains it, difference 7');
    expect(command()).toEqual({ status: 1, last: '1 currencies at banks, 1 findings' });
    const { comparisons } = await reconcileBanks(db.operator);
    expect(comparisons.map(({ differenceMinor }) => differenceMinor)).toEqual([-7n]);
    const companies = await db.operator.withoutCompany((tx) =>
      sql<{ id: string }>`select distinct company_id as id from ledger_account`.execute(tx),
    );
    const ids = new Set([...companies.rows.map(({ id }) => id), nilCompany]);
    expect((await reconcileBanksByCompany(db.worker, [...ids]))?.comparisons).toEqual(comparisons);
  });
});
