import * as payments from '@causeway/contract/cards-payments.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { listTransactions } from '@causeway/contract/transactions.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { pdfText } from '../../testing/pdf.ts';
import { succeed } from '../../testing/succeed.ts';

/** What the list, the statement as CSV and PDF, the list of transactions and the account `card` say of random purchases comes to the same. Cents. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 4);
let of: CardWorld;
beforeAll(async () => {
  of = await cardWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

const cents = fc.bigInt({ min: 1n, max: 5_000n });
const purchase = fc.record({
  asked: cents,
  /** Cleared in parts, within the hold or beyond it. */
  cleared: fc.array(cents, { maxLength: 3 }),
  isLast: fc.boolean(),
  reversed: fc.boolean(),
  refunds: fc.array(fc.record({ amountMinor: cents, takenBack: fc.boolean() }), { maxLength: 2 }),
});

type Life = typeof purchase extends fc.Arbitrary<infer Value> ? Value : never;

async function live(card: Carded, { asked, cleared, isLast, reversed, refunds }: Life): Promise<void> {
  const request = asking(card, { amountMinor: asked });
  await askCard(of, request);
  for (const [place, amountMinor] of cleared.entries()) {
    await sayOfCard(of, [eventOf(request, { amountMinor, isLast: isLast && place === cleared.length - 1 })]);
  }
  if (reversed) await sayOfCard(of, [eventOf(request, { type: 'reversed', amountMinor: asked })]);
  for (const { amountMinor, takenBack } of refunds) {
    await sayOfCard(of, [eventOf(request, { type: 'refunded', amountMinor })]);
    if (takenBack) await sayOfCard(of, [eventOf(request, { type: 'refundReversed', amountMinor })]);
  }
}
const minor = (text: string) => BigInt(text.replace('.', ''));
const sum = (parts: readonly bigint[]) => parts.reduce((all, part) => all + part, 0n);

test('list, statement and books agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(purchase, { minLength: 1, maxLength: 5 }), async (lives) => {
      const card = await carded(of, { cents: 100_000n });
      const as = card.company.admin;
      for (const life of lives) await live(card, life);
      const [, outbound, owed] = await moneyOf(of, card);

      const listed = (await succeed(of.world, payments.listCardPayments, { as, query: { size: '100' } })).data.items;
      const paid = sum(listed.map((one) => minor(one.paid)));
      const back = sum(listed.filter(({ state }) => state === 'refunded').map(({ amount }) => minor(amount)));
      expect(paid - back).toBe(owed);
      expect(sum(listed.map(({ held }) => minor(held)))).toBe(outbound);

      const period = { from: '2026-01-01', to: '2026-12-31' };
      const statement = (format: 'csv' | 'pdf') =>
        of.world.ask(payments.getCardStatement, { as, params: { id: card.cardId }, query: { ...period, format } });
      const [head = '', ...lines] = (await statement('csv')).raw.body.trim().split('\r\n');
      const place = head.split(',').indexOf('Amount');
      expect(-sum(lines.map((line) => minor(line.split(',')[place] ?? '')))).toBe(owed);
      const words = (await pdfText((await statement('pdf')).raw.rawPayload)).replaceAll(/\s+/g, ' ');
      expect(words).toContain(`Total paid: ${formatAmount(owed, 2)} HKD`);

      const rows = (await succeed(of.world, listTransactions, { as, query: { cardId: card.cardId, size: '100' } }))
        .data;
      const amounts = rows.items.map(({ type, status, quantity }) =>
        type === 'card_refund'
          ? status === 'completed'
            ? -minor(quantity)
            : 0n
          : status === 'failed'
            ? 0n
            : minor(quantity),
      );
      expect(sum(amounts)).toBe(owed + outbound);
    }),
    { numRuns: rounds },
  );
});

test('what comes later changes no statement of a day that is over', async () => {
  const card = await carded(of, { cents: 100_000n });
  const as = card.company.admin;
  const on = (day: string) => new Date(`2026-10-${day}T04:00:00Z`);
  const request = asking(card, { amountMinor: 5_000n, at: on('01') });
  const rowsOf = async (day: string) => {
    const query = { from: `2026-10-${day}`, to: `2026-10-${day}`, format: 'csv' };
    const { body } = (await of.world.ask(payments.getCardStatement, { as, params: { id: card.cardId }, query })).raw;
    const [head = '', ...lines] = body.trim().split('\r\n');
    const [kind, amount] = ['Status', 'Amount'].map((name) => head.split(',').indexOf(name));
    return lines.map((line) => [line.split(',')[kind ?? 0], line.split(',')[amount ?? 0]].join(' '));
  };
  await sayOfCard(of, [
    eventOf(request, { amountMinor: 1_200n, at: on('01') }),
    eventOf(request, { type: 'refunded', amountMinor: 300n, at: on('02') }),
  ]);
  const [first, second] = [await rowsOf('01'), await rowsOf('02')];
  expect([first, second]).toEqual([['Paid -12.00'], ['Refunded 3.00']]);
  await sayOfCard(of, [
    eventOf(request, { amountMinor: 700n, isLast: true, at: on('03') }),
    eventOf(request, { type: 'refundReversed', amountMinor: 300n, at: on('04') }),
  ]);
  expect([await rowsOf('01'), await rowsOf('02')]).toEqual([first, second]);
  expect([await rowsOf('03'), await rowsOf('04')]).toEqual([['Paid -7.00'], ['Refund taken back -3.00']]);
});
