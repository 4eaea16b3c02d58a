import { getQueueItem, listQueue, resolveQueueItem } from '@causeway/contract/operator-queue.ts';
import type { QueueKind } from '@causeway/contract/operator-queue-rules.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import { askCard, asking, type CardWorld, carded, cardWorld, eventOf, sayOfCard } from '../../../testing/cards.ts';
import { asSuperuser } from '../../../testing/exchange-world.ts';
import { type OperatorApp, operatorApp } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import { reconcileHolds } from '../../cards/service/unconfirmed.ts';
import { sweep } from './sweep.ts';

/** Cards and their issuer in the operator's queue: how items begin, what they say, and how they end. */

let of: CardWorld;
let console: OperatorApp;
beforeAll(async () => {
  of = await cardWorld();
  console = await operatorApp(of.db);
});
afterAll(async () => {
  await console.close();
  await of.close();
});

async function open(kind: QueueKind) {
  await sweep(of.db.console, createLog('test', 'silent'));
  const as = await console.operator('viewer');
  return (await console.ask(listQueue, { as, query: { kind } })).data.items;
}

async function factsOf(id: string): Promise<Record<string, string>> {
  const { facts } = (await console.ask(getQueueItem, { as: await console.operator('viewer'), params: { id } })).data;
  return Object.fromEntries(facts.map(({ label, value }) => [label, value]));
}

async function close(id: string) {
  const as = await console.operator('support');
  return console.ask(resolveQueueItem, { as, params: { id }, body: { reason: 'The issuer corrected it' } });
}

const byHand = (statement: string) => asSuperuser(of.db, statement);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('a forced post beyond the wallet, until what is missing comes in', async () => {
  const card = await carded(of, { cents: 5_000n });
  await sayOfCard(of, [eventOf(asking(card), { amountMinor: 7_000n, isLast: true })]);
  const [item] = await open('cardOverdrawn');
  expect(item).toMatchObject({
    urgency: 'urgent',
    company: { id: card.company.id },
    amount: { quantity: '20.00', asset: 'HKD' },
  });
  expect(await factsOf(present(item).id)).toMatchObject({ Card: 'Travel ·· 4242', Merchant: 'Star Ferry Café' });
  expect((await close(present(item).id)).key).toBe('queueCauseLasts');
  // Not twice: as a deficit of the wallet too.
  expect(await open('companyDeficit')).toEqual([]);
  await sayOfCard(of, [eventOf(asking(card), { type: 'refunded', amountMinor: 3_000n })]);
  expect(await open('cardOverdrawn')).toEqual([]);
});

test('contradictions, until a person closes them', async () => {
  const card = await carded(of);
  await sayOfCard(of, [eventOf(asking(card), { amountMinor: 1_200n, currency: 'USD' })]);
  const event = eventOf(asking(card), { amountMinor: 100n });
  await sayOfCard(of, [event]);
  await sayOfCard(of, [{ ...event, amountMinor: 101n }]);
  const items = await open('cardContradicted');
  expect(items.map(({ amount }) => amount)).toMatchObject([
    { quantity: '12.00', asset: 'USD' },
    { quantity: '1.01', asset: 'HKD' },
  ]);
  expect(items[0]?.nextStep).toContain('The event is in USD');
  expect(items[1]?.nextStep).toContain('the same event again');
  const [first, second] = items.map(({ id }) => id) as [string, string];
  expect(await factsOf(first)).toMatchObject({ Message: 'Cleared 12.00 USD', 'Currency of the event': 'USD' });
  expect((await close(first)).status).toBe(200);
  expect((await open('cardContradicted')).map(({ id }) => id)).toEqual([second]);
});

test('one purchase is one item, with each of its events; what comes after it was closed is another', async () => {
  const card = await carded(of);
  const asked = asking(card);
  const said = { amountMinor: 1_200n, currency: 'USD' };
  const events = [
    eventOf(asked, { ...said, type: 'authorized' }),
    eventOf(asked, said),
    eventOf(asked, { type: 'refunded', amountMinor: 300n, currency: 'USD' }),
  ];
  const ofPurchase = async () =>
    (await open('cardContradicted')).filter(({ company }) => company?.id === card.company.id);
  await sayOfCard(of, events);
  const [item, ...others] = await ofPurchase();
  expect(others).toEqual([]);
  const { id } = present(item);
  expect(await factsOf(id)).toMatchObject({ Message: 'Authorised 12.00 USD, Cleared 12.00 USD, Refunded 3.00 USD' });
  // Another purchase, and another reason, are others.
  await sayOfCard(of, [eventOf(asking(card), said)]);
  expect(await ofPurchase()).toHaveLength(2);
  await close(id);
  await sayOfCard(of, events);
  expect((await ofPurchase()).map((each) => each.id)).not.toContain(id);
  expect(await ofPurchase()).toHaveLength(1);
  await sayOfCard(of, [eventOf(asked, { type: 'refundReversed', amountMinor: 300n, currency: 'USD' })]);
  const later = (await ofPurchase()).map((each) => each.id);
  expect(later).toHaveLength(2);
  expect((await Promise.all(later.map(factsOf))).map(({ Message }) => Message).toSorted()).toEqual([
    'Cleared 12.00 USD',
    'Refund taken back 3.00 USD',
  ]);
});

test('what could not be read, and an unknown card from its tenth minute until it is known', async () => {
  const unread = { kind: 'unread', problem: 'unreadable', type: 'card_transaction.updated', token: null } as const;
  await sayOfCard(of, { ...unread, purchaseToken: null, cardToken: null });
  const event = eventOf({ cardToken: 'unknown', purchaseToken: newId() }, { amountMinor: 100n });
  await sayOfCard(of, [event]);
  const [item, ...others] = await open('cardEventUnread');
  expect(others).toEqual([]);
  expect(item).toMatchObject({ company: null, link: '/app/health' });
  expect(await factsOf(present(item).id)).toHaveProperty('As received, numbers of cards masked');
  await close(present(item).id);
  await byHand(
    "update causeway.card_message set received_at = now() - interval '11 minutes' where problem = 'unknownCard'",
  );
  expect(await open('cardEventUnread')).toMatchObject([
    { nextStep: expect.stringContaining('No company has the card') },
  ]);
  const card = await carded(of);
  await of.db.app.withCompany(card.company.id, (tx) => sql`update card set issuer_token = 'unknown'`.execute(tx));
  of.issuer.purchases.set(event.purchaseToken, [event]);
  await reconcile();
  expect(await open('cardEventUnread')).toEqual([]);
});

const log = { warn: () => undefined, info: () => undefined, error: () => undefined } as never;
const reconcile = () => reconcileHolds({ database: of.db.worker, issuer: of.issuer, log }, new Date(), 900_000);

test('a hold that the issuer does not confirm, and one that it does not know', async () => {
  const card = await carded(of);
  const asked = asking(card, { at: minutesAgo(31) });
  await askCard(of, asked);
  const [item] = await open('cardUnconfirmed');
  expect(item).toMatchObject({
    urgency: 'urgent',
    amount: { quantity: '100.00' },
    link: expect.stringContaining('/app/payments/'),
  });
  await reconcile();
  expect(await open('cardUnconfirmed')).toEqual([]);
  expect(await open('cardNotFound')).toMatchObject([{ urgency: 'soon', amount: { quantity: '100.00' } }]);
  // It comes after all.
  await sayOfCard(of, [eventOf(asked, { amountMinor: 10_000n, isLast: true })]);
  expect(await open('cardNotFound')).toEqual([]);
});

test('an issuer that has not answered for a quarter of an hour, until it does', async () => {
  await byHand(`insert into causeway.component_state (name, state, reason, since, checked_at)
    values ('card-issuer', 'failed', 'status 503', now() - interval '14 minutes', now())`);
  expect([...(await open('cardIssuerSilent')), ...(await open('serviceFailing'))]).toEqual([]);
  await byHand("update causeway.component_state set since = now() - interval '16 minutes' where name = 'card-issuer'");
  expect(await open('cardIssuerSilent')).toMatchObject([{ urgency: 'urgent', company: null, link: '/app/health' }]);
  await byHand(
    "update causeway.component_state set state = 'ok', reason = null, since = now() where name = 'card-issuer'",
  );
  expect(await open('cardIssuerSilent')).toEqual([]);
});
