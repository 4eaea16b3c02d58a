import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askCard,
  asking,
  type Carded,
  type CardWorld,
  carded,
  cardWorld,
  eventOf,
  sayOfCard,
} from '../../testing/cards.ts';
import { openWebhook } from '../../testing/webhook-requests.ts';
import { cardJobs } from './jobs.ts';

/** Who learns of declined attempts: the holder, those who manage cards, and the company's own systems. Cents. */

let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

/** Runs the jobs of all that was announced, again and again. @returns kind and recipients of the notices about declines, in their order */
async function notices({ company }: Carded): Promise<{ kind: string; to: string[] | null }[]> {
  const jobs = cardJobs(null);
  const { rows: events } = await of.db.worker.withCompany(company.id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      select name, payload from outbox where company_id = company_id() and name in ('cards.declined', 'cards.fraudSuspected') order by id`.execute(
      tx,
    ),
  );
  for (const { name, payload } of events) {
    for (const job of jobs.filter(({ on }) => on?.includes(name))) {
      await job.run({ companyId: company.id, database: of.db.worker, log: undefined as never }, payload);
    }
  }
  const { rows } = await of.db.worker.withCompany(company.id, (tx) =>
    sql<{ kind: string; to: string[] | null }>`
      select kind, recipients as to from notice where company_id = company_id() and kind like 'card.%' order by created_at, id`.execute(
      tx,
    ),
  );
  return rows;
}

const kinds = async (card: Carded) => (await notices(card)).map(({ kind }) => kind);
const declined = (card: Carded, minutesAgo: number) =>
  askCard(of, asking(card, { amountMinor: 200_000n, at: new Date(Date.now() - minutesAgo * 60_000) }));

test('the third decline of a card within an hour is notified to those who manage cards, once', async () => {
  const card = await carded(of);
  const manager = await of.world.member(card.company, 'administrator');
  const viewer = await of.world.member(card.company, 'viewer');
  await declined(card, 130);
  await declined(card, 70);
  await declined(card, 50);
  await declined(card, 6);
  expect(await kinds(card)).toEqual(Array.from({ length: 4 }, () => 'card.declined'));
  await declined(card, 5);
  await declined(card, 4);
  const often = (await notices(card)).filter(({ kind }) => kind === 'card.declinedOften');
  expect(often).toHaveLength(1);
  expect(often[0]?.to).toContain(manager.session.userId);
  expect(often[0]?.to).not.toContain(viewer.session.userId);
});

test('a decline because of suspected fraud is notified to them at once, whether we were asked or not', async () => {
  const card = await carded(of);
  const asked = asking(card);
  await askCard(of, asked);
  const words = { type: 'declined', suspectsFraud: true, amountMinor: 10_000n } as const;
  const event = eventOf(asked, { ...words, requestToken: asked.token });
  await sayOfCard(of, [event]);
  await sayOfCard(of, [event]);
  expect(await kinds(card)).toEqual(['card.fraudSuspected']);
  const elsewhere = asking(card);
  await sayOfCard(of, [eventOf(elsewhere, { ...words, requestToken: elsewhere.token })]);
  expect((await kinds(card)).toSorted()).toEqual(['card.declined', 'card.fraudSuspected', 'card.fraudSuspected']);
  const { rows } = await of.db.app.withCompany(card.company.id, (tx) =>
    sql<{
      reason: string;
    }>`select reason from card_request where company_id = company_id() and reason is not null`.execute(tx),
  );
  expect(rows).toEqual([{ reason: 'fraud' }]);
});

test('the company’s systems are sent each decline once, with its reason and without a number', async () => {
  const card = await carded(of);
  await openWebhook(of.world, card.company);
  await askCard(
    of,
    asking(card, { amountMinor: 200_000n, merchantAmount: { amount: '199.00', currency: 'EUR', rate: '8.5' } }),
  );
  await notices(card);
  await notices(card);
  const { rows } = await of.db.worker.withCompany(card.company.id, (tx) =>
    sql<{ body: string; deliveries: number }>`
      select body, (select count(*)::integer from webhook_delivery d where d.company_id = e.company_id and d.event_id = e.id) as deliveries
      from webhook_event e where company_id = company_id() and type = 'card.declined'`.execute(tx),
  );
  expect(rows.map(({ deliveries }) => deliveries)).toEqual([1]);
  expect(JSON.parse(rows[0]?.body ?? '')).toMatchObject({
    type: 'card.declined',
    data: {
      ...{ cardId: card.cardId, card: 'Travel', lastFour: '4242', asset: 'HKD', amount: '2000.00', reason: 'funds' },
      merchant: { name: 'Star Ferry Café', mcc: '5812', city: 'Hong Kong', country: 'HK' },
      ...{ merchantAmount: '199.00', merchantCurrency: 'EUR', online: false },
    },
  });
});
