import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import {
  askCard,
  asking,
  type Carded,
  type CardWorld,
  carded,
  cardWorld,
  eventOf,
  moneyOf,
  sayOfCard,
} from '../../testing/cards.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import { dyingDatabase, Killed } from '../../testing/dying.ts';
import { race } from '../../testing/race.ts';
import type { AuthorizationRequest, CardEvent } from './issuer.ts';
import { authorize } from './service/authorize.ts';
import { takeInEvents } from './service/take-in.ts';
import { verifyCards } from './verify.ts';

/** Random lives of purchases, races and deaths: money is conserved, holds are never negative and end, limits hold. Cents. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  const { mismatches } = await of.db.operator.withoutCompany(verifyCards);
  expect(mismatches).toEqual([]);
  await of.close();
});

const step = fc.record({
  purchase: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom(
    'ask',
    'ask',
    'increment',
    'authorized',
    'declined',
    'adjusted',
    'reversed',
    'cleared',
    'cleared',
    'last',
    'expired',
    'refunded',
    'refundReversed',
    'again',
  ),
  amountMinor: fc.constantFrom(100n, 700n, 2_500n, 4_000n),
  /** By the issuer's clock, which is not the order of arrival. */
  second: fc.integer({ min: 0, max: 60 }),
  mayBePartial: fc.boolean(),
});

const limits = { each: 5_000n, day: 9_000n, month: null, total: null };

test('lives of purchases in any order of events', { timeout: 60_000 + rounds * 10_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const card = await carded(of, { cents: 8_000n, bounds: { limits } });
      const base = Date.now() - 120_000;
      const purchases = [0, 1, 2].map(() => asking(card, { at: new Date(base) }));
      const sent: CardEvent[] = [];
      const requests: AuthorizationRequest[] = [];
      for (const { purchase, kind, amountMinor, second, mayBePartial } of steps) {
        const { purchaseToken } = purchases[purchase] ?? asking(card);
        const at = new Date(base + second * 1000);
        if (kind === 'ask' || kind === 'increment') {
          const asked = asking(card, {
            purchaseToken,
            amountMinor,
            at,
            mayBePartial,
            kind: kind === 'ask' ? 'authorization' : 'incremental',
          });
          requests.push(asked);
          const before = await spentOf(card);
          const answer = await askCard(of, asked);
          if (answer?.outcome === 'approved') {
            // What was cleared without us may be above a limit already: what we approve never is.
            expect(answer.approvedMinor <= limits.each && answer.approvedMinor + before <= limits.day).toBe(true);
          }
        } else if (kind === 'again') {
          for (const asked of requests.slice(-1)) await askCard(of, asked);
          if (sent.length > 0) await sayOfCard(of, sent.slice(-2));
        } else {
          const request = requests.findLast((asked) => asked.purchaseToken === purchaseToken);
          const type = kind === 'last' ? 'cleared' : kind;
          const isOfAll = type === 'expired' || type === 'declined';
          const event = eventOf(
            { cardToken: card.token, purchaseToken },
            {
              type,
              at,
              isLast: kind === 'last',
              amountMinor: isOfAll ? null : amountMinor,
              requestToken: type === 'authorized' || type === 'declined' ? (request?.token ?? null) : null,
            },
          );
          sent.push(event);
          await sayOfCard(of, [event]);
        }
        await expectConserved(card);
      }
      const end = new Date(base + 100_000);
      const ends = purchases.map((asked) => eventOf({ ...asked, cardToken: card.token }, { type: 'expired', at: end }));
      await sayOfCard(of, ends);
      const [, held] = await moneyOf(of, card);
      expect(held).toBe(0n);
      // All again, in the other order: nothing changes.
      const settled = await moneyOf(of, card);
      await sayOfCard(of, [...ends, ...sent].toReversed());
      expect(await moneyOf(of, card)).toEqual(settled);
      await expectConserved(card);
    }),
    { numRuns: rounds },
  );
});

async function spentOf({ company, cardId }: Carded): Promise<bigint> {
  const { rows } = await of.db.app.withCompany(company.id, (tx) =>
    sql<{
      spent: bigint;
    }>`select coalesce(sum(held + cleared), 0) as spent from card_purchase where company_id = company_id() and card_id = ${cardId}`.execute(
      tx,
    ),
  );
  return rows[0]?.spent ?? 0n;
}

async function expectConserved(card: Carded): Promise<void> {
  const [available, held, owed, deficit] = await moneyOf(of, card);
  expect(available + held + owed + deficit).toBe(8_000n);
  expect(available >= 0n && held >= 0n && deficit <= 0n).toBe(true);
}

test('an authorisation against a freeze: declined behind it, held before it', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const card = await carded(of);
    const asked = asking(card);
    const freeze = () =>
      of.db.app.withCompany(card.company.id, (tx) =>
        sql`update card set frozen_by = 'holder', frozen_at = now()`.execute(tx),
      );
    const [answer] = await race(of.db, round, () => askCard(of, asked), freeze);
    const [, held] = await moneyOf(of, card);
    expect(held).toBe(answer?.outcome === 'approved' ? 10_000n : 0n);
    expect(await askCard(of, asking(card))).toMatchObject({ outcome: 'declined' });
  }
});

test('two for the last cent, and two against a limit of the day: one of them', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const poor = await carded(of, { cents: 15_000n });
    const limited = await carded(of, { bounds: { limits: { ...limits, each: null, day: 15_000n } } });
    for (const card of [poor, limited]) {
      const [one, other] = await race(
        of.db,
        round,
        () => askCard(of, asking(card)),
        () => askCard(of, asking(card)),
      );
      expect([one?.outcome, other?.outcome].toSorted()).toEqual(['approved', 'declined']);
      expect((await moneyOf(of, card))[1]).toBe(10_000n);
    }
  }
});

test('a clearing against a reversal, and an event against itself', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const card = await carded(of);
    const asked = asking(card);
    await askCard(of, asked);
    const cleared = eventOf(asked, { amountMinor: 6_000n, at: new Date(asked.at.getTime() + 2000) });
    const reversed = eventOf(asked, { type: 'reversed', at: new Date(asked.at.getTime() + 1000) });
    await race(
      of.db,
      round,
      () => sayOfCard(of, [cleared]),
      () => sayOfCard(of, [reversed]),
    );
    await race(
      of.db,
      round,
      () => sayOfCard(of, [cleared]),
      () => sayOfCard(of, [cleared]),
    );
    expect(await moneyOf(of, card)).toEqual([94_000n, 0n, 6_000n, 0n]);
  }
});

test('a process that dies while it holds or clears: once, after the issuer repeats', async () => {
  for (const moment of ['before commit', 'after commit'] as const) {
    for (let transactions = 1; transactions <= 2; transactions += 1) {
      const card = await carded(of);
      const asked = asking(card);
      const log = { error: () => undefined, warn: () => undefined };
      const dying = () => dyingDatabase(of.db.app, transactions, moment);
      // What the process would have answered no longer matters: the issuer asks again.
      await authorize({ database: dying(), clock: systemClock, log } as never, asked);
      expect(await askCard(of, asked)).toMatchObject({ outcome: 'approved', approvedMinor: 10_000n });
      expect(await moneyOf(of, card)).toEqual([90_000n, 10_000n, 0n, 0n]);
      for (const event of [
        eventOf(asked, { amountMinor: 12_000n, isLast: true }),
        eventOf({ ...asked, purchaseToken: newId() }, { type: 'refunded', amountMinor: 500n }),
      ]) {
        await takeInEvents(dying(), [event]).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
        await sayOfCard(of, [event]);
      }
      expect(await moneyOf(of, card)).toEqual([88_500n, 0n, 11_500n, 0n]);
    }
  }
});
