import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  insertTestCard,
  moneyOf,
  sayOfCard,
} from '../../testing/cards.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import { nilCompany } from '../identity/index.ts';
import { reconcileHolds } from './service/unconfirmed.ts';
import { withoutCardNumbers } from './store/messages.ts';
import { verifyCards } from './verify.ts';

/** What the issuer says and cannot be booked: received, kept once, posted never. Cents. */

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

async function kept(companyId: string): Promise<string[]> {
  const { rows } = await of.db.worker.withCompany(companyId, (tx) =>
    sql<{ said: string }>`
      select concat_ws(' ', problem, nullif(type, ''), amount, currency, case when ended_at is null then 'open' else 'ended' end) as said from card_message
      where company_id = company_id() order by received_at, id`.execute(tx),
  );
  return rows.map(({ said }) => said);
}

const keptOf = ({ company }: Carded) => kept(company.id);
const received = { status: 200, key: undefined };
const log = { warn: () => undefined, info: () => undefined, error: () => undefined } as never;

test('an event in another currency than the card’s is kept once, and moves nothing', async () => {
  const card = await carded(of);
  const asked = asking(card);
  await askCard(of, asked);
  const event = eventOf(asked, { amountMinor: 10_000n, currency: 'USD', isLast: true });
  expect(await sayOfCard(of, [event])).toEqual(received);
  expect(await sayOfCard(of, [event])).toEqual(received);
  expect(await moneyOf(of, card)).toEqual([90_000n, 10_000n, 0n, 0n]);
  expect(await keptOf(card)).toEqual(['otherCurrency cleared 10000 USD open']);
  // The issuer's correction is another event.
  await sayOfCard(of, [{ ...event, token: newId(), currency: 'HKD' }]);
  expect(await moneyOf(of, card)).toEqual([90_000n, 0n, 10_000n, 0n]);
});

test('a purchase of one card is never booked to another, of the same company or of any', async () => {
  const card = await carded(of);
  const stranger = await carded(of);
  const second = { ...card, ...(await insertTestCard(of.db, card.company, card.walletId)) };
  const asked = asking(card);
  await askCard(of, asked);
  for (const other of [second, stranger]) {
    expect(await sayOfCard(of, [eventOf({ ...asked, cardToken: other.token }, { amountMinor: 10_000n })])).toEqual(
      received,
    );
  }
  expect(await moneyOf(of, card)).toEqual([90_000n, 10_000n, 0n, 0n]);
  expect(await moneyOf(of, stranger)).toEqual([100_000n, 0n, 0n, 0n]);
  expect(await keptOf(card)).toEqual(['otherCard cleared 10000 HKD open']);
  expect(await keptOf(stranger)).toEqual(['otherCard cleared 10000 HKD open']);
  // Nor is more of it approved for another card.
  const more = { ...asked, token: newId(), cardToken: second.token, kind: 'incremental' as const };
  expect(await askCard(of, more)).toEqual({ outcome: 'declined', code: 'declined' });
  expect(await moneyOf(of, card)).toEqual([90_000n, 10_000n, 0n, 0n]);
});

test('the same event with another amount keeps what was said first', async () => {
  const card = await carded(of);
  const event = eventOf(asking(card), { amountMinor: 4_000n });
  await sayOfCard(of, [event]);
  expect(await sayOfCard(of, [{ ...event, amountMinor: 5_000n }])).toEqual(received);
  await sayOfCard(of, [{ ...event, isLast: true }]);
  expect(await moneyOf(of, card)).toEqual([96_000n, 0n, 4_000n, 0n]);
  expect(await keptOf(card)).toEqual(['otherContent cleared 5000 HKD open']);
});

test('what was cleared and declined is booked as cleared, and is a contradiction in either order', async () => {
  for (const order of [0, 1]) {
    const card = await carded(of);
    const asked = asking(card);
    await askCard(of, asked);
    const declined = eventOf(asked, {
      type: 'declined',
      requestToken: asked.token,
      at: new Date(asked.at.getTime() + 500),
    });
    const cleared = eventOf(asked, { amountMinor: 10_000n, isLast: true, at: new Date(asked.at.getTime() + 1000) });
    for (const event of order === 0 ? [cleared, declined] : [declined, cleared]) await sayOfCard(of, [event]);
    expect(await moneyOf(of, card)).toEqual([90_000n, 0n, 10_000n, 0n]);
    expect((await keptOf(card)).map((said) => said.split(' ')[0])).toEqual(['declinedAfterCleared']);
  }
  // A declined increment of what was approved contradicts nothing.
  const card = await carded(of);
  const asked = asking(card);
  await askCard(of, asked);
  await sayOfCard(of, [eventOf(asked, { type: 'declined', requestToken: newId() })]);
  await sayOfCard(of, [eventOf(asked, { amountMinor: 10_000n, isLast: true })]);
  expect(await keptOf(card)).toEqual([]);
});

test('what cannot be read, and what is of no known type, is received and kept', async () => {
  const card = await carded(of);
  const unread = { kind: 'unread', type: 'card_transaction.disputed', token: 'T-1', purchaseToken: null } as const;
  expect(await sayOfCard(of, { ...unread, problem: 'unknownType', cardToken: card.token })).toEqual(received);
  expect(await sayOfCard(of, { ...unread, problem: 'unknownType', cardToken: card.token })).toEqual(received);
  expect(await keptOf(card)).toEqual(['unknownType card_transaction.disputed open']);
  const step = { ...unread, problem: 'unknownType' as const, cardToken: card.token, token: 'T-2', type: 'SURCHARGE' };
  const event = eventOf(asking(card), { amountMinor: 700n });
  expect(await sayOfCard(of, { kind: 'purchase', events: [event], unread: [step] })).toEqual(received);
  // What is understood of a message is booked all the same.
  expect(await moneyOf(of, card)).toEqual([99_300n, 0n, 700n, 0n]);
  expect(await keptOf(card)).toHaveLength(2);
  expect(await sayOfCard(of, { ...unread, problem: 'unreadable', type: '', token: null, cardToken: null })).toEqual(
    received,
  );
  expect(await kept(nilCompany)).toEqual(['unreadable open']);
});

test('an event of an unknown card is kept, and taken in once the card is known', async () => {
  const card = await carded(of);
  const before = await kept(nilCompany);
  const event = eventOf({ cardToken: 'later', purchaseToken: newId() }, { amountMinor: 2_500n, isLast: true });
  const said = {
    token: 'later',
    state: 'open',
    isActivated: true,
    lastFour: null,
    expires: null,
    shipping: null,
  } as const;
  expect(await sayOfCard(of, [event])).toEqual(received);
  expect(await sayOfCard(of, [event])).toEqual(received);
  expect(await sayOfCard(of, { kind: 'card', card: said })).toEqual(received);
  expect((await kept(nilCompany)).slice(before.length)).toEqual([
    'unknownCard cleared 2500 HKD open',
    'unknownCard card open',
  ]);
  of.issuer.purchases.set(event.purchaseToken, [event]);
  const reconcile = () => reconcileHolds({ database: of.db.worker, issuer: of.issuer, log }, new Date(), 900_000);
  await reconcile();
  expect(await moneyOf(of, card)).toEqual([100_000n, 0n, 0n, 0n]);
  await of.db.app.withCompany(card.company.id, (tx) => sql`update card set issuer_token = 'later'`.execute(tx));
  await reconcile();
  await reconcile();
  expect(await moneyOf(of, card)).toEqual([97_500n, 0n, 2_500n, 0n]);
  expect(await cardRows(of, card)).toEqual(['card_payment completed 2500']);
  expect((await kept(nilCompany)).slice(before.length).every((row) => row.endsWith('ended'))).toBe(true);
});

test('no number of a card is in what is kept', () => {
  expect(withoutCardNumbers('{"pan":"4111 1111 1111 1111","n":4111111111111111,"x":"4000-0566-5566-5556"}')).toBe(
    '{"pan":"••••1111","n":••••1111,"x":"••••5556"}',
  );
  const uuid = '019ac3a4-55f1-7c11-8a55-2f0b8c1f2e10';
  expect(withoutCardNumbers(`${uuid} 1732758000000 2026-11-28T06:00:00Z`)).toContain(uuid);
  expect(withoutCardNumbers('99999411111111111111199')).not.toContain('4111111111111111');
});
