import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
  noBounds,
  sayOfCard,
} from '../../testing/cards.ts';
import { expectCompanyBooks } from '../../testing/company-books.ts';
import { authorize } from './service/authorize.ts';
import { writeRule } from './store/rules.ts';

/** What an authorisation waits for and what it does not, and what the same request never gets. Cents. */

let of: CardWorld;
/** Beside the product: it holds the locks. */
let other: pg.Client;
beforeAll(async () => {
  of = await cardWorld();
  other = new pg.Client({ connectionString: of.db.superuserUrl });
  await other.connect();
  await other.query('set search_path = causeway');
});
afterAll(async () => {
  await other.end();
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

const declined = (code: string) => ({ outcome: 'declined', code });

async function isBlocked({ company, cardId }: Carded): Promise<boolean | undefined> {
  const { rows } = await of.db.app.withCompany(company.id, (tx) =>
    sql<{ blocked: boolean }>`select blocked_at is not null as blocked from card where id = ${cardId}`.execute(tx),
  );
  return rows[0]?.blocked;
}

test('the same request for less than was approved is declined, for as much or more approved as it was', async () => {
  const card = await carded(of);
  const asked = asking(card);
  expect(await askCard(of, asked)).toMatchObject({ outcome: 'approved', approvedMinor: 10_000n });
  expect(await askCard(of, { ...asked, amountMinor: 9_999n })).toEqual(declined('declined'));
  expect(await askCard(of, { ...asked, amountMinor: 10_001n })).toMatchObject({ approvedMinor: 10_000n });
  expect(await moneyOf(of, card)).toEqual([90_000n, 10_000n, 0n, 0n]);
});

test('a card that was blocked for what was missing is no longer, once it has paid again', async () => {
  const card = await carded(of, { cents: 5_000n });
  await sayOfCard(of, [eventOf(asking(card), { amountMinor: 7_000n, isLast: true })]);
  expect(await isBlocked(card)).toBe(true);
  expect(await askCard(of, asking(card, { amountMinor: 1n }))).toEqual(declined('card_paused'));
  await sayOfCard(of, [eventOf(asking(card), { type: 'refunded', amountMinor: 3_000n })]);
  expect(await askCard(of, asking(card, { amountMinor: 600n }))).toMatchObject({ outcome: 'approved' });
  expect(await isBlocked(card)).toBe(false);
  // It is blocked again only by what is missing again.
  expect(await askCard(of, asking(card, { amountMinor: 400n }))).toMatchObject({ outcome: 'approved' });
});

test('what is released makes good what is missing', async () => {
  const card = await carded(of, { cents: 10_000n });
  const held = asking(card);
  await askCard(of, held);
  await sayOfCard(of, [eventOf(asking(card), { amountMinor: 2_000n, isLast: true })]);
  expect(await moneyOf(of, card)).toEqual([0n, 10_000n, 2_000n, -2_000n]);
  await sayOfCard(of, [eventOf(held, { type: 'reversed', amountMinor: 1_500n, at: new Date(Date.now() + 1000) })]);
  expect(await moneyOf(of, card)).toEqual([0n, 8_500n, 2_000n, -500n]);
  await sayOfCard(of, [eventOf(held, { amountMinor: 7_000n, isLast: true, at: new Date(Date.now() + 2000) })]);
  expect(await moneyOf(of, card)).toEqual([1_000n, 0n, 9_000n, 0n]);
  await expectCompanyBooks(of.db, card.company.id);
});

test('a rule for one currency binds no card of another', async () => {
  const card = await carded(of);
  await of.db.app.withCompany(card.company.id, async (tx) => {
    const lowest = { ...noBounds, limits: { each: 1n, day: null, month: null, total: null } };
    await writeRule(tx, newId(), { scope: 'company', scopeId: null, asset: 'USD', bounds: lowest });
  });
  expect(await askCard(of, asking(card))).toMatchObject({ outcome: 'approved', approvedMinor: 10_000n });
});

test('a card pays until the month that is printed on it is over, and not after', async () => {
  const card = await carded(of);
  const at = (time: string) => {
    const context = {
      database: of.db.app,
      clock: { now: () => new Date(time) },
      log: { error: vi.fn(), warn: vi.fn() },
    };
    return authorize(context, asking(card, { at: new Date(time) }));
  };
  expect(await at('2031-12-31T23:59:59.999Z')).toMatchObject({ outcome: 'approved' });
  expect(await at('2032-01-01T00:00:00Z')).toEqual(declined('expired'));
});

test('that a purchase was forced is news once, whatever follows', async () => {
  const card = await carded(of);
  const forced = asking(card);
  for (const [amountMinor, after] of [
    [700n, 0],
    [300n, 1000],
  ] as const) {
    await sayOfCard(of, [eventOf(forced, { amountMinor, at: new Date(Date.now() + after) })]);
  }
  expect(await moneyOf(of, card)).toEqual([99_000n, 0n, 1_000n, 0n]);
  const { rows } = await other.query(
    "select from outbox where company_id = $1 and name = 'cards.purchase' and payload ->> 'kind' = 'forced'",
    [card.company.id],
  );
  expect(rows).toHaveLength(1);
});

test('a freeze that has begun is seen by what is asked meanwhile', async () => {
  const card = await carded(of);
  await other.query('begin');
  await other.query('select pg_advisory_xact_lock(freeze_lock($1))', [card.company.id]);
  await other.query("update wallet set frozen_at = now(), frozen_reason = 'operator' where id = $1", [card.walletId]);
  let answer: unknown;
  const log = { error: vi.fn(), warn: vi.fn() };
  const asked = authorize({ database: of.db.app, clock: systemClock, log, deadlineMs: 20_000 }, asking(card));
  void asked.then((said) => {
    answer = said;
  });
  await expect
    .poll(async () => {
      const { rows } = await other.query(
        "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
      );
      return answer ?? rows.length;
    })
    .toBe(1);
  await other.query('commit');
  expect(await asked).toEqual(declined('declined'));
  expect(log.error).not.toHaveBeenCalled();
  expect(await moneyOf(of, card)).toEqual([100_000n, 0n, 0n, 0n]);
  await other.query('update wallet set frozen_at = null, frozen_reason = null where id = $1', [card.walletId]);
});

test('a card that is held longer than the issuer waits is declined without waiting for it', async () => {
  const card = await carded(of);
  await other.query('begin');
  await other.query('select from card where id = $1 for update', [card.cardId]);
  const log = { error: vi.fn(), warn: vi.fn() };
  const asked = { ...asking(card), token: newId() };
  const answer = await authorize({ database: of.db.app, clock: systemClock, log, deadlineMs: 400 }, asked);
  expect(answer).toEqual(declined('declined'));
  expect(String(log.error.mock.calls[0]?.[0].err)).toContain('lock timeout');
  await other.query('commit');
  expect(await moneyOf(of, card)).toEqual([100_000n, 0n, 0n, 0n]);
  expect(await askCard(of, asked)).toMatchObject({ outcome: 'approved' });
});
