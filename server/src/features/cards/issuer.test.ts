import * as cards from '@causeway/contract/cards.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import {
  askCard,
  asking,
  type CardWorld,
  carded,
  cardRows,
  cardWorld,
  eventOf,
  moneyOf,
  noBounds,
} from '../../testing/cards.ts';
import { mainApp } from '../../testing/main-app.ts';
import { noIssuer } from './ports.ts';
import { reconcileHolds } from './service/unconfirmed.ts';

/** What the product asks its issuer afterwards, and what it never keeps of a card. */

let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterEach(() => expect(of.world.complaints.splice(0)).toEqual([]));
afterAll(() => of.close());

test('a hold that the issuer knows nothing of is released, and what it says is taken in', async () => {
  const card = await carded(of);
  const [lost, known] = [
    asking(card, { at: new Date(Date.now() - 3_600_000) }),
    asking(card, { at: new Date(Date.now() - 3_600_000) }),
  ];
  await askCard(of, lost);
  await askCard(of, known);
  of.issuer.purchases.set(known.purchaseToken, [eventOf(known, { amountMinor: 9_000n, isLast: true })]);
  const log = {
    warn: (error: unknown) => {
      throw error;
    },
  } as never;
  await reconcileHolds({ database: of.db.worker, issuer: of.issuer, log }, new Date(), 1_800_000);
  expect(await moneyOf(of, card)).toEqual([91_000n, 0n, 9_000n, 0n]);
  expect((await cardRows(of, card)).toSorted()).toEqual(['card_payment completed 9000', 'card_payment reversed 10000']);
});

test('no number of a card is in the database or the logs', async () => {
  const { rows } = await of.db.operator.withoutCompany((tx) =>
    sql<{ name: string }>`select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'causeway' and table_name like 'card%' and column_name ~ '(^|_)(pan|number|cvv|cvc|security)'`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([]);
  // Sixteen digits that pass Luhn's check anywhere in what cards wrote: none.
  const { rows: texts } = await of.db.operator.withoutCompany((tx) =>
    sql<{
      text: string;
    }>`select row_to_json(c)::text as text from card c union all select row_to_json(e)::text from card_event e
      union all select row_to_json(q)::text from card_request q union all select row_to_json(p)::text from card_purchase p`.execute(
      tx,
    ),
  );
  expect(texts.length).toBeGreaterThan(4);
  for (const { text } of texts)
    for (const digits of text.match(/(?<![0-9a-f-])\d{13,19}(?![0-9a-f-])/g) ?? []) expect(isLuhn(digits)).toBe(false);
});

function isLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, place) => {
    const twice = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return sum % 10 === 0;
}

test('without an issuer no card is issued or replaced, and no number can be seen', async () => {
  const card = await carded(of);
  const { admin } = card.company;
  const world = await mainApp(of.db, undefined, { cards: noIssuer });
  const form = { kind: 'virtual', holderId: admin.session.userId, name: 'Travel', walletId: card.walletId };
  const issued = { id: newId(), ...form, ...noBounds, validUntil: null, shipTo: null };
  expect((await world.ask(cards.issueCard, { as: admin, body: issued })).key).toBe('cardIssuerMissing');
  const replaced = { id: card.cardId, newId: newId(), reason: 'lost', shipTo: null };
  expect((await world.ask(cards.replaceCard, { as: admin, body: replaced })).key).toBe('cardIssuerMissing');
  const revealed = { cardId: card.cardId, codeMethod: 'email', code: '123456' };
  expect((await world.ask(cards.revealCard, { as: admin, body: revealed })).key).toBe('cardIssuerUnavailable');
  expect(world.complaints).toEqual([]);
  await world.close();
});
