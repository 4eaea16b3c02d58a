import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askCard,
  asking,
  type CardWorld,
  carded,
  cardWorld,
  eventOf,
  moneyOf,
  sayOfCard,
} from '../../testing/cards.ts';

/** Attempts that the issuer declined itself: none is lost, none is kept twice, and none moves money. */

let world: CardWorld;
beforeAll(async () => {
  world = await cardWorld();
});
afterAll(() => world.close());

test('a decline of the issuer’s own is kept once with a reason; one that we answered stays as we answered it', async () => {
  const card = await carded(world);
  const reasons = async () => {
    const { rows } = await world.db.worker.withCompany(card.company.id, (tx) =>
      sql<{ reason: string; amount: bigint }>`
        select reason, amount from card_request where company_id = company_id() and outcome = 'declined' order by at, id`.execute(
        tx,
      ),
    );
    return rows.map(({ reason, amount }) => [reason, amount]);
  };
  const declined = (asked: ReturnType<typeof asking>) =>
    eventOf(asked, { type: 'declined', amountMinor: asked.amountMinor, requestToken: asked.token, at: asked.at });
  const before = await moneyOf(world, card);
  const first = declined(asking(card, { at: new Date(1_790_000_000_000) }));
  expect((await sayOfCard(world, [first])).status).toBe(200);
  expect((await sayOfCard(world, [first])).status).toBe(200);
  expect(await reasons()).toEqual([['issuer', 10_000n]]);
  await world.db.app.withCompany(card.company.id, (tx) =>
    sql`update card set frozen_by = 'holder', frozen_at = now() where company_id = company_id() and id = ${card.cardId}`.execute(
      tx,
    ),
  );
  await sayOfCard(world, [declined(asking(card, { at: new Date(1_790_000_001_000) }))]);
  expect((await reasons()).at(-1)).toEqual(['cardFrozenByHolder', 10_000n]);
  const asked = asking(card, { at: new Date(1_790_000_002_000) });
  expect(await askCard(world, asked)).toMatchObject({ outcome: 'declined' });
  await sayOfCard(world, [declined(asked)]);
  expect((await reasons()).length).toBe(3);
  expect(await moneyOf(world, card)).toEqual(before);
});
