import { listCardPayments } from '@causeway/contract/cards-payments.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { translate } from '../../platform/text/texts.ts';
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
import { succeed } from '../../testing/succeed.ts';
import { cardJobs } from './jobs.ts';

/** What could not be declined is said as what it is: more than was held, without an approval, after the hold, or approved by the issuer. */

let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterEach(() => expect(of.world.complaints.splice(0)).toEqual([]));
afterAll(() => of.close());

type Purchase = ReturnType<typeof asking>;

const after = ({ at }: Purchase, milliseconds: number) => new Date(at.getTime() + milliseconds);

const cleared = (purchase: Purchase, amountMinor: bigint) =>
  sayOfCard(of, [eventOf(purchase, { amountMinor, isLast: true, at: after(purchase, 2000) })]);

test.each<[string, (purchase: Purchase) => Promise<unknown>, object | null, string]>([
  [
    'a tip',
    async (purchase) => {
      await askCard(of, purchase);
      await cleared(purchase, 15_500n);
    },
    { how: 'above', taken: '155.00', held: '140.00' },
    'Star Ferry Café took 155.00 HKD with the card Travel; 140.00 HKD had been held. The difference could not be declined.',
  ],
  [
    'a forced post',
    (purchase) => cleared(purchase, 6_000n),
    { how: 'unasked', taken: '60.00', held: '0.00' },
    'Star Ferry Café took 60.00 HKD with the card Travel without an approval. It could not be declined.',
  ],
  [
    'a clearing after the hold',
    async (purchase) => {
      await askCard(of, purchase);
      await sayOfCard(of, [eventOf(purchase, { type: 'expired', at: after(purchase, 1000) })]);
      await cleared(purchase, 14_000n);
    },
    { how: 'released', taken: '140.00', held: '0.00' },
    'Star Ferry Café took 140.00 HKD with the card Travel when the amount was no longer held. It could not be declined.',
  ],
  [
    'an approval of the issuer',
    (purchase) =>
      sayOfCard(of, [eventOf(purchase, { type: 'authorized', amountMinor: 14_000n, requestToken: 'unknown' })]),
    { how: 'byIssuer', taken: '140.00', held: '0.00' },
    'The card issuer approved 140.00 HKD at Star Ferry Café with the card Travel without asking first. It could not be declined.',
  ],
  [
    'a clearing that came before what covers it',
    async (purchase) => {
      await askCard(of, purchase);
      await cleared(purchase, 15_500n);
      await sayOfCard(of, [eventOf(purchase, { type: 'adjusted', amountMinor: 15_500n, at: after(purchase, 1000) })]);
    },
    null,
    'The card Travel has a payment of 155.00 HKD at Star Ferry Café. When it came in, it was not approved, or it was more than was held.',
  ],
])('%s', async (_, happen, forcedAs, sentence) => {
  const card = await carded(of);
  await happen(asking(card, { amountMinor: 14_000n }));
  const query = { cardId: card.cardId };
  const { items } = (await succeed(of.world, listCardPayments, { as: card.company.admin, query })).data;
  expect(items.map(({ forced, ...payment }) => [forced, payment.forcedAs])).toEqual([[true, forcedAs]]);
  expect(await forcedSentences(card)).toEqual([sentence]);
});

/** Runs the jobs of what was forced. @returns what the administrator's notices of it say, in English */
async function forcedSentences({ company: { id } }: Carded): Promise<string[]> {
  const job = cardJobs(null).find(({ name }) => name === 'cards.purchase');
  const { rows: events } = await of.db.worker.withCompany(id, (tx) =>
    sql<{ payload: Record<string, unknown> }>`
      select payload from outbox where company_id = company_id() and name = 'cards.purchase' and payload ->> 'kind' = 'forced'`.execute(
      tx,
    ),
  );
  for (const { payload } of events) {
    await job?.run({ companyId: id, database: of.db.worker, log: undefined as never }, payload);
  }
  const { rows } = await of.db.worker.withCompany(id, (tx) =>
    sql<{ kind: string; values: Record<string, string> }>`
      select distinct kind, values from notice where company_id = company_id()`.execute(tx),
  );
  return rows.map(({ kind, values }) => translate('en-us', `notice.${kind}.body`, values));
}
