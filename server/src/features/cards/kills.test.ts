import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { asking, type Carded, type CardWorld, carded, cardWorld, eventOf, moneyOf } from '../../testing/cards.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import { dyingDatabase, eachDeath, Killed, killRounds } from '../../testing/dying.ts';
import { authorize } from './service/authorize.ts';
import { takeInEvents } from './service/take-in.ts';
import { reconcileHolds } from './service/unconfirmed.ts';
import { verifyCards } from './verify.ts';

/**
 * A process that dies at each transaction of each step of a purchase, before its commit and after it, and another that repeats what the issuer repeats. `npm run proof` goes
 * through all of it twenty times. Cents.
 */

let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  expect((await of.db.operator.withoutCompany(verifyCards)).mismatches).toEqual([]);
  await of.close();
});

const log = { error: () => undefined, warn: () => undefined, info: () => undefined } as never;

interface Step {
  /** What was so before. @returns what the process does, which may be repeated */
  prepare(card: Carded): Promise<(database: Database) => Promise<unknown>>;
  /** What the wallet has in the end: available, held, owed to the issuer, missing. */
  money: readonly [bigint, bigint, bigint, bigint];
  /** Whose process it is. */
  role?: 'app' | 'worker';
}

const held = async (card: Carded, minutesAgo = 0) => {
  const asked = asking(card, { at: new Date(Date.now() - minutesAgo * 60_000) });
  const patient = { database: of.db.app, clock: systemClock, log, deadlineMs: 30_000 };
  expect(await authorize(patient, asked)).toMatchObject({ outcome: 'approved' });
  return asked;
};
const after = (at: Date) => new Date(at.getTime() + 1000);

const steps: Record<string, Step> = {
  hold: {
    async prepare(card) {
      const asked = asking(card);
      return (database) => authorize({ database, clock: systemClock, log, deadlineMs: 30_000 }, asked);
    },
    money: [90_000n, 10_000n, 0n, 0n],
  },
  increment: {
    async prepare(card) {
      const more = { ...(await held(card)), token: newId(), kind: 'incremental' as const, amountMinor: 500n };
      return (database) => authorize({ database, clock: systemClock, log, deadlineMs: 30_000 }, more);
    },
    money: [89_500n, 10_500n, 0n, 0n],
  },
  'clearing that releases the rest': {
    async prepare(card) {
      const asked = await held(card);
      const event = eventOf(asked, { amountMinor: 8_000n, isLast: true, at: after(asked.at) });
      return (database) => takeInEvents(database, [event]);
    },
    money: [92_000n, 0n, 8_000n, 0n],
  },
  reversal: {
    async prepare(card) {
      const asked = await held(card);
      const event = eventOf(asked, { type: 'reversed', amountMinor: 4_000n, at: after(asked.at) });
      return (database) => takeInEvents(database, [event]);
    },
    money: [94_000n, 6_000n, 0n, 0n],
  },
  'expiry of a hold': {
    async prepare(card) {
      const asked = await held(card);
      const event = eventOf(asked, { type: 'expired', at: after(asked.at) });
      return (database) => takeInEvents(database, [event]);
    },
    money: [100_000n, 0n, 0n, 0n],
  },
  'release of an authorisation that the issuer does not know': {
    async prepare(card) {
      await held(card, 20);
      return (database) => reconcileHolds({ database, issuer: of.issuer, log: rethrowing }, new Date(), 900_000);
    },
    money: [100_000n, 0n, 0n, 0n],
    role: 'worker',
  },
  'what the issuer says of one that was not confirmed': {
    async prepare(card) {
      const asked = await held(card, 20);
      of.issuer.purchases.set(asked.purchaseToken, [eventOf(asked, { amountMinor: 9_000n, isLast: true })]);
      return (database) => reconcileHolds({ database, issuer: of.issuer, log: rethrowing }, new Date(), 900_000);
    },
    money: [91_000n, 0n, 9_000n, 0n],
    role: 'worker',
  },
  'block after a forced post': {
    async prepare(card) {
      const event = eventOf(asking(card), { amountMinor: 100_700n, isLast: true });
      return (database) => takeInEvents(database, [event]);
    },
    money: [0n, 0n, 100_700n, -700n],
  },
  'refund that makes good what was missing': {
    async prepare(card) {
      await takeInEvents(of.db.app, [eventOf(asking(card), { amountMinor: 100_700n, isLast: true })]);
      const event = eventOf(asking(card), { type: 'refunded', amountMinor: 1_000n });
      return (database) => takeInEvents(database, [event]);
    },
    money: [300n, 0n, 99_700n, 0n],
  },
  'refund taken back': {
    async prepare(card) {
      const refund = eventOf(asking(card), { type: 'refunded', amountMinor: 1_000n });
      await takeInEvents(of.db.app, [refund]);
      const event = eventOf(refund, { type: 'refundReversed', amountMinor: 1_000n, at: after(refund.at) });
      return (database) => takeInEvents(database, [event]);
    },
    money: [100_000n, 0n, 0n, 0n],
  },
  'event in another currency': {
    async prepare(card) {
      const event = eventOf(asking(card), { amountMinor: 1_000n, currency: 'USD' });
      return (database) => takeInEvents(database, [event]);
    },
    money: [100_000n, 0n, 0n, 0n],
  },
};

/** The loop looks at the next hold after one that failed; a killed process does not. */
const rethrowing = {
  ...(log as object),
  warn({ err }: { err: unknown }) {
    if (err instanceof Killed) throw err;
  },
} as never;

test.each(Object.entries(steps))(
  '%s',
  { timeout: 60_000 + killRounds * 20_000 },
  async (_, { prepare, money, role = 'app' }) => {
    for (let turn = 0; turn < killRounds; turn += 1) {
      const deaths = await eachDeath(async (transactions, moment) => {
        const card = await carded(of);
        const work = await prepare(card);
        const own = of.db[role];
        const database = dyingDatabase(own, transactions, moment);
        await work(database).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
        // What it left is whole: no money is missing of a card that still pays.
        if ((await moneyOf(of, card))[3] < 0n) expect(await isBlocked(card)).toBe(true);
        await work(own);
        await work(own);
        expect(await moneyOf(of, card)).toEqual(money);
        return database.life.isOver;
      });
      // Else the steps are no longer what is counted.
      expect(deaths).toBeGreaterThan(1);
    }
  },
);

async function isBlocked({ company, cardId }: Carded): Promise<boolean> {
  const { rows } = await of.db.app.withCompany(company.id, (tx) =>
    sql<{
      blocked: boolean;
    }>`select blocked_at is not null as blocked from card where company_id = company_id() and id = ${cardId}`.execute(
      tx,
    ),
  );
  return rows[0]?.blocked ?? false;
}
