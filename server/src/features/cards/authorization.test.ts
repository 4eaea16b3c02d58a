import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import {
  askCard,
  asking,
  type Carded,
  type CardWorld,
  carded,
  cardRows,
  cardWorld,
  eventOf,
  moneyOf,
  sayOfCard,
} from '../../testing/cards.ts';
import { expectCompanyBooks } from '../../testing/company-books.ts';
import { accountsByKind, move, post } from '../ledger/index.ts';
import { authorize } from './service/authorize.ts';

/** Authorisations, and what becomes of them, through the issuer's own addresses. Cents. */

let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

const approved = (approvedMinor: bigint, availableMinor: bigint) => ({
  outcome: 'approved',
  approvedMinor,
  availableMinor,
});
const declined = (code: string) => ({ outcome: 'declined', code });

async function reasons({ company }: Carded): Promise<(string | null)[]> {
  const { rows } = await of.db.app.withCompany(company.id, (tx) =>
    sql<{
      reason: string | null;
    }>`select reason from card_request where company_id = company_id() order by answered_at, id`.execute(tx),
  );
  return rows.map(({ reason }) => reason);
}

test('holds what it approves, clears it, and has one row for it', async () => {
  const card = await carded(of);
  const asked = asking(card);
  expect(await askCard(of, asked)).toEqual(approved(10_000n, 90_000n));
  expect(await moneyOf(of, card)).toEqual([90_000n, 10_000n, 0n, 0n]);
  expect(await cardRows(of, card)).toEqual(['card_payment held 10000']);
  expect(await askCard(of, asked)).toEqual(approved(10_000n, 90_000n));
  expect(
    await sayOfCard(of, [eventOf(asked, { type: 'authorized', amountMinor: 10_000n, requestToken: asked.token })]),
  ).toMatchObject({ status: 200 });
  expect(await moneyOf(of, card)).toEqual([90_000n, 10_000n, 0n, 0n]);
  await sayOfCard(of, [eventOf(asked, { amountMinor: 8_000n, isLast: true })]);
  expect(await moneyOf(of, card)).toEqual([92_000n, 0n, 8_000n, 0n]);
  expect(await cardRows(of, card)).toEqual(['card_payment completed 8000']);
  await expectCompanyBooks(of.db, card.company.id);
});

test('an increment, a partial approval, a clearing above, several clearings, an expiry', async () => {
  const card = await carded(of, { cents: 30_000n });
  const hotel = asking(card);
  await askCard(of, hotel);
  expect(await askCard(of, { ...hotel, token: newId(), kind: 'incremental', amountMinor: 5_000n })).toEqual(
    approved(5_000n, 15_000n),
  );
  expect(await cardRows(of, card)).toEqual(['card_payment held 15000']);
  // Petrol: a part is enough.
  const petrol = asking(card, { amountMinor: 50_000n, mayBePartial: true });
  expect(await askCard(of, petrol)).toEqual(approved(15_000n, 0n));
  await sayOfCard(of, [eventOf(petrol, { type: 'expired', at: new Date(Date.now() + 1000) })]);
  expect(await moneyOf(of, card)).toEqual([15_000n, 15_000n, 0n, 0n]);
  await sayOfCard(of, [eventOf(hotel, { amountMinor: 4_000n, at: new Date(Date.now() + 1000) })]);
  await sayOfCard(of, [eventOf(hotel, { amountMinor: 12_000n, at: new Date(Date.now() + 2000) })]);
  expect(await moneyOf(of, card)).toEqual([14_000n, 0n, 16_000n, 0n]);
  expect(await cardRows(of, card)).toEqual(['card_payment completed 16000', 'card_payment reversed 15000']);
  // Late, after the expiry: paid all the same.
  await sayOfCard(of, [eventOf(petrol, { amountMinor: 14_500n, at: new Date(Date.now() + 3000) })]);
  expect(await moneyOf(of, card)).toEqual([0n, 0n, 30_500n, -500n]);
  expect(await cardRows(of, card)).toEqual(['card_payment completed 16000', 'card_payment completed 14500']);
  expect(await askCard(of, asking(card, { amountMinor: 1n }))).toEqual(declined('card_paused'));
  await expectCompanyBooks(of.db, card.company.id);
});

test('reversals in part and whole, and a decline of the issuer, release the hold', async () => {
  const card = await carded(of);
  const asked = asking(card);
  await askCard(of, asked);
  const later = (ms: number) => new Date(Date.now() + ms);
  await sayOfCard(of, [eventOf(asked, { type: 'reversed', amountMinor: 4_000n, at: later(1000) })]);
  expect(await moneyOf(of, card)).toEqual([94_000n, 6_000n, 0n, 0n]);
  await sayOfCard(of, [eventOf(asked, { type: 'reversed', at: later(2000) })]);
  expect(await moneyOf(of, card)).toEqual([100_000n, 0n, 0n, 0n]);
  const other = asking(card);
  await askCard(of, other);
  await sayOfCard(of, [eventOf(other, { type: 'declined', requestToken: other.token })]);
  expect(await moneyOf(of, card)).toEqual([100_000n, 0n, 0n, 0n]);
  expect(await cardRows(of, card)).toEqual(['card_payment reversed 6000', 'card_payment reversed 10000']);
  const adjusted = asking(card);
  await askCard(of, adjusted);
  await sayOfCard(of, [eventOf(adjusted, { type: 'adjusted', amountMinor: 3_000n, at: later(1000) })]);
  expect(await moneyOf(of, card)).toEqual([97_000n, 3_000n, 0n, 0n]);
});

test('a forced post, a refund without a purchase, and a refund that is taken back before it came', async () => {
  const card = await carded(of, { cents: 5_000n });
  const forced = asking(card);
  await sayOfCard(of, [eventOf(forced, { amountMinor: 7_000n, isLast: true })]);
  expect(await moneyOf(of, card)).toEqual([0n, 0n, 7_000n, -2_000n]);
  const refund = asking(card);
  await sayOfCard(of, [eventOf(refund, { type: 'refunded', amountMinor: 3_000n })]);
  expect(await moneyOf(of, card)).toEqual([1_000n, 0n, 4_000n, 0n]);
  // Made good: the card pays again.
  expect(await askCard(of, asking(card, { amountMinor: 1_000n }))).toEqual(approved(1_000n, 0n));
  const early = asking(card);
  await sayOfCard(of, [eventOf(early, { type: 'refundReversed', amountMinor: 900n })]);
  expect(await moneyOf(of, card)).toEqual([0n, 1_000n, 4_000n, 0n]);
  await sayOfCard(of, [eventOf(early, { type: 'refunded', amountMinor: 900n })]);
  expect(await moneyOf(of, card)).toEqual([0n, 1_000n, 4_000n, 0n]);
  expect(await cardRows(of, card)).toEqual([
    ...[
      'card_payment completed 7000',
      'card_refund credited 3000',
      'card_payment held 1000',
      'card_refund reversed 900',
    ],
  ]);
  await expectCompanyBooks(of.db, card.company.id);
});

test('declines by what is frozen, closed, unknown, limited or not allowed, and says why', async () => {
  const card = await carded(of, {
    bounds: {
      limits: { each: 20_000n, day: 30_000n, month: null, total: null },
      categories: { mode: 'deny', groups: ['gambling'] },
      countries: { mode: 'allow', codes: ['HK', 'CN'] },
      online: false,
    },
  });
  const merchant = asking(card).merchant;
  expect(await askCard(of, asking(card, { cardToken: 'unknown' }))).toEqual(declined('declined'));
  expect(await askCard(of, asking(card, { merchant: { ...merchant, mcc: '7995' } }))).toEqual(
    declined('unauthorized_merchant'),
  );
  expect(await askCard(of, asking(card, { merchant: { ...merchant, country: 'US' } }))).toEqual(
    declined('unauthorized_merchant'),
  );
  expect(await askCard(of, asking(card, { isOnline: null }))).toEqual(declined('unauthorized_merchant'));
  expect(await askCard(of, asking(card, { currency: 'USD' }))).toEqual(declined('currency'));
  expect(await askCard(of, asking(card, { amountMinor: 20_001n }))).toEqual(declined('velocity_exceeded'));
  expect(await askCard(of, asking(card, { amountMinor: 20_000n }))).toEqual(approved(20_000n, 0n));
  expect(await askCard(of, asking(card, { amountMinor: 10_001n }))).toEqual(declined('velocity_exceeded'));
  expect(await askCard(of, asking(card, { kind: 'inquiry', amountMinor: 0n }))).toEqual(approved(0n, 10_000n));
  const set = (statement: ReturnType<typeof sql>) =>
    of.db.app.withCompany(card.company.id, (tx) => statement.execute(tx));
  await set(sql`update card set frozen_by = 'holder', frozen_at = now()`);
  expect(await askCard(of, asking(card))).toEqual(declined('card_paused'));
  await set(sql`update card set frozen_by = null, frozen_at = null, valid_until = '2020-01-01'`);
  expect(await askCard(of, asking(card))).toEqual(declined('expired'));
  await set(sql`update card set state = 'closed', closed_at = now(), valid_until = null`);
  expect(await askCard(of, asking(card))).toEqual(declined('card_closed'));
  expect(await reasons(card)).toEqual([
    ...[
      'category',
      'country',
      'online',
      'currency',
      'limitEach',
      null,
      'limitDay',
      null,
      'cardFrozenByHolder',
      'cardExpired',
      'cardClosed',
    ],
  ]);
  expect(await moneyOf(of, card)).toEqual([80_000n, 20_000n, 0n, 0n]);
});

test('what is forged, altered or old is refused, and repeated events count once', async () => {
  const card = await carded(of);
  const asked = asking(card);
  expect(await askCard(of, asked, { secret: 'another' })).toBe(null);
  expect(await askCard(of, asked, { at: new Date(Date.now() - 301_000) })).toBe(null);
  expect(await askCard(of, asked, { sent: '{}' })).toBe(null);
  const cleared = eventOf(asked, { amountMinor: 1_000n });
  expect(await sayOfCard(of, [cleared], { secret: 'another' })).toEqual({ status: 401, key: 'cardEventRefused' });
  for (let turn = 0; turn < 3; turn += 1) expect((await sayOfCard(of, [cleared])).status).toBe(200);
  expect(await moneyOf(of, card)).toEqual([99_000n, 0n, 1_000n, 0n]);
});

test('a deposit that arrives makes good what is missing', async () => {
  const card = await carded(of, { cents: 0n });
  await sayOfCard(of, [eventOf(asking(card), { amountMinor: 100n })]);
  expect(await moneyOf(of, card)).toEqual([0n, 0n, 100n, -100n]);
  const { repayDeficit } = await import('../wallets/index.ts');
  await of.db.worker.withCompany(card.company.id, async (tx) => {
    const { bank, available } = await accountsByKind(tx, card.walletId, ['bank', 'available']);
    const sourceId = newId();
    await post(tx, {
      id: newId(),
      kind: 'deposit.credited',
      sourceId,
      description: 'test',
      legs: move(bank.id, available.id, 500n),
    });
    await repayDeficit(tx, card.walletId, sourceId);
  });
  expect(await askCard(of, asking(card, { amountMinor: 400n }))).toEqual(approved(400n, 0n));
});

test('an answer that would come too late declines, and holds nothing', async () => {
  const card = await carded(of);
  const log = { error: vi.fn(), warn: vi.fn() };
  const asked = asking(card);
  const late = { database: of.db.app, clock: systemClock, log, deadlineMs: 0 };
  expect(await authorize(late, asked)).toEqual(declined('declined'));
  expect(String(log.error.mock.calls[0]?.[0].err)).toContain('too late');
  expect(await moneyOf(of, card)).toEqual([100_000n, 0n, 0n, 0n]);
  expect(await cardRows(of, card)).toEqual([]);
  // The same request in time is a new one: nothing was written of it.
  expect(await askCard(of, asked)).toEqual(approved(10_000n, 90_000n));
});

test('a day of the limit begins with the first of two midnights, where clocks go back over it', async () => {
  const limits = { each: null, day: 30_000n, month: null, total: null };
  const card = await carded(of, { bounds: { limits } });
  await of.db.app.withCompany(card.company.id, (tx) =>
    sql`insert into company_setting (company_id, time_zone, code_recipient) values (company_id(), 'America/Havana', 'initiator')
      on conflict (company_id) do update set time_zone = excluded.time_zone`.execute(tx),
  );
  const spend = (time: string) => {
    const at = new Date(time);
    const context = { database: of.db.app, clock: { now: () => at }, log: { error: vi.fn(), warn: vi.fn() } };
    return authorize(context, asking(card, { amountMinor: 20_000n, at }));
  };
  // 23:30 of 31 October; midnight of 1 November is at 04:00 and at 05:00 UTC.
  expect(await spend('2026-11-01T03:30:00Z')).toEqual(approved(20_000n, 10_000n));
  expect(await spend('2026-11-01T04:15:00Z')).toEqual(approved(20_000n, 10_000n));
  for (const time of ['2026-11-01T04:45:00Z', '2026-11-01T05:30:00Z', '2026-11-02T04:30:00Z']) {
    expect(await spend(time), time).toEqual(declined('velocity_exceeded'));
  }
  expect(await spend('2026-11-02T05:00:00Z')).toEqual(approved(20_000n, 10_000n));
});
