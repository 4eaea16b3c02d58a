import * as cards from '@causeway/contract/cards.ts';
import * as payments from '@causeway/contract/cards-payments.ts';
import { getTransaction, listTransactions } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { creditAtBank, openTestBankWallet } from '../../testing/banks.ts';
import { askCard, asking, type CardWorld, cardWorld, eventOf, sayOfCard } from '../../testing/cards.ts';
import { present } from '../../testing/present.ts';
import { succeed } from '../../testing/succeed.ts';
import { openWebhook } from '../../testing/webhook-requests.ts';
import { type IssuerCard, IssuerUnavailableError } from './issuer.ts';
import { describeCardSubject } from './service/acts.ts';
import { tellOfDecline } from './service/declines.ts';
import { syncCard } from './service/sync.ts';

/** A physical card until its holder has it in hand. */

let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

/** A physical card that the issuer has made, held by the company's administrator. */
async function posted() {
  const company = await of.world.company();
  const { id: walletId } = await openTestBankWallet(of.db, company.id, 'HKD');
  await creditAtBank(of.db, company.id, walletId, 100_000n);
  const id = newId();
  const as = company.admin;
  const bounds = { limits: { each: null, day: null, month: null, total: null }, categories: null, countries: null };
  const shipTo = { name: 'Ada Wong', line1: '1 Queen’s Road', city: 'Hong Kong', country: 'HK' };
  const wish = { kind: 'physical', holderId: as.session.userId, name: 'Van 12', walletId, online: true };
  await succeed(of.world, cards.issueCard, { as, body: { id, ...wish, ...bounds, validUntil: null, shipTo } });
  const token = `card_${id}`;
  return {
    ...{ id, token, company },
    sync: () => syncCard(of.db.worker, of.issuer, company.id, id),
    detail: async () => (await succeed(of.world, cards.getCard, { as, params: { id } })).data,
    act: async (call: typeof cards.freezeCard | typeof cards.unfreezeCard) =>
      (await of.world.ask(call, { as, body: { id } })).key,
    activate: async (lastFour: string) => (await of.world.ask(cards.activateCard, { as, body: { id, lastFour } })).key,
    found: async (search: string) =>
      (await of.world.ask(cards.listCards, { as, query: { search } })).data.items.map((card) => card.id),
    /** The issuer says something of the card. */
    say: (also: Partial<IssuerCard>) =>
      sayOfCard(of, { kind: 'card', card: { ...(of.issuer.cards.get(token) as IssuerCard), ...also } }),
    atIssuer: () => of.issuer.cards.get(token),
    pay: () => askCard(of, asking({ token })),
  };
}

const shipped = { state: 'shipped', tracking: 'SF123', expectedOn: '2026-12-02' } as const;

test('it is shipped, and activated by the digits that are on it and on no page', async () => {
  const card = await posted();
  of.issuer.failures.push(new IssuerUnavailableError('timed out'));
  await expect(card.sync()).rejects.toBeInstanceOf(IssuerUnavailableError);
  await card.sync();
  expect(await card.detail()).toMatchObject({ state: 'inactive', lastFour: null, shipping: { state: 'ordered' } });
  expect(await card.pay()).toMatchObject({ code: 'card_inactive' });
  const as = card.company.admin;
  const [declined] = (await of.world.ask(payments.listCardPayments, { as, query: { cardId: card.id } })).data.items;
  expect(declined).toMatchObject({ state: 'declined', cardName: 'Van 12', lastFour: null });
  expect((await card.say({ shipping: shipped })).status).toBe(200);
  expect(await card.detail()).toMatchObject({ lastFour: null, shipping: shipped });
  expect([await card.found('4242'), await card.found('van')]).toEqual([[], [card.id]]);
  expect(await card.activate('0000')).toBe('cardLastFourWrong');
  expect(await card.activate('4242')).toBeNull();
  await card.sync();
  expect(card.atIssuer()?.isActivated).toBe(true);
  expect(await card.detail()).toMatchObject({ state: 'active', lastFour: '4242', shipping: { state: 'delivered' } });
  expect(await card.found('4242')).toEqual([card.id]);
});

test('neither what it cleared by force, nor the event of a declined attempt, nor the mail of a code names its digits', async () => {
  const card = await posted();
  await card.sync();
  const as = card.company.admin;
  await openWebhook(of.world, card.company);
  await card.pay();
  const { rows } = await of.db.worker.withCompany(card.company.id, (tx) =>
    sql<{ id: string }>`select id from card_request where company_id = company_id()`.execute(tx),
  );
  await of.db.worker.withCompany(card.company.id, (tx) => tellOfDecline(tx, present(rows[0]).id));
  const { rows: events } = await of.db.worker.withCompany(card.company.id, (tx) =>
    sql<{
      body: string;
    }>`select body from webhook_event where company_id = company_id() and type = 'card.declined'`.execute(tx),
  );
  expect(JSON.parse(present(events[0]).body).data).toMatchObject({ card: 'Van 12', lastFour: null });
  const describe = () =>
    of.db.app.withCompany(card.company.id, (tx) => describeCardSubject(tx, as.session, { cardId: card.id }, 'en-us'));
  expect((await describe()).facts.map(({ value }) => value)).toEqual(['Van 12']);
  await sayOfCard(of, [eventOf(asking({ token: card.token }), { amountMinor: 900n, isLast: true })]);
  const [listed] = (await succeed(of.world, listTransactions, { as, query: { cardId: card.id } })).data.items;
  const { data } = await succeed(of.world, getTransaction, { as, params: { id: present(listed).id } });
  expect(data.card).toMatchObject({ name: 'Van 12', lastFour: null });
  await card.activate('4242');
  expect((await describe()).facts.map(({ value }) => value)).toEqual(['Van 12', '4242']);
});

test('its digits can be guessed five times a day', async () => {
  const card = await posted();
  await card.sync();
  const guesses = await Promise.all(['0000', '0001', '0002', '0003', '0004', '0005'].map(card.activate));
  expect(guesses.toSorted()).toEqual([...Array<string>(5).fill('cardLastFourWrong'), 'tooManyRequests']);
  expect(await card.activate('4242')).toBe('tooManyRequests');
  expect(await card.detail()).toMatchObject({ state: 'inactive' });
});

test('nothing else activates it: neither a freeze and its end, nor what the issuer says', async () => {
  const card = await posted();
  await card.sync();
  for (const call of [cards.freezeCard, cards.unfreezeCard]) {
    expect(await card.act(call)).toBeNull();
    await card.sync();
  }
  expect(card.atIssuer()).toMatchObject({ state: 'open', isActivated: false });
  expect(of.issuer.asked.filter((call) => call.startsWith(`setState ${card.token}`))).toEqual([]);
  for (const state of ['paused', 'open'] as const) {
    await card.say({ state, isActivated: true, shipping: { ...shipped, state: 'delivered' } });
    expect(await card.detail()).toMatchObject({ state: 'inactive', shipping: { state: 'ordered' } });
  }
  expect(await card.pay()).toMatchObject({ code: 'card_inactive' });
  // Frozen when it is activated, it is activated and paused at the issuer.
  await card.act(cards.freezeCard);
  await card.activate('4242');
  await card.sync();
  expect(card.atIssuer()).toMatchObject({ state: 'paused', isActivated: true });
  expect(await card.pay()).toMatchObject({ code: 'card_paused' });
});

test('what the issuer sent before it was activated and comes late takes nothing back', async () => {
  const card = await posted();
  await card.sync();
  await card.say({ shipping: shipped });
  await card.activate('4242');
  for (const shipping of [shipped, { ...shipped, state: 'ordered' } as const]) {
    await card.say({ isActivated: false, shipping });
    expect(await card.detail()).toMatchObject({ state: 'active', shipping: { state: 'delivered', tracking: 'SF123' } });
  }
  await card.sync();
  expect(card.atIssuer()?.isActivated).toBe(true);
  expect(await card.pay()).toMatchObject({ outcome: 'approved' });
  expect((await card.detail()).history.filter(({ step }) => step === 'shipped')).toHaveLength(1);
});
