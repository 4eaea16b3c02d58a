import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endProducts,
  openingSteps,
  type ProductHistory,
  productStep,
  takeProductStep,
} from '../testing/product-steps.ts';
import {
  expectAllEnded,
  expectConserved,
  expectVerified,
  openParties,
  type ProductWorld,
  productWorld,
} from '../testing/product-world.ts';

/**
 * Random histories in which transfers, batches, payment requests, guaranteed trades, cards and exchanges use the same wallets of two companies, while these are frozen
 * and freed, and the chain fails payments, takes back what was final, and makes what had failed after all. After every step each wallet has what came in over the chain
 * less what left, in whatever accounts, and every product's own verifier agrees; at the end nothing is held, frozen or on its way.
 */

let of: ProductWorld;
beforeAll(async () => {
  of = await productWorld();
});
afterAll(() => of.close());

/** The same histories each time, so that every end is among them; another seed and more of them look further. */
const histories = Number(process.env['PROOF_HISTORIES'] ?? 2);
const seed = Number(process.env['PROOF_SEED'] ?? 11);

test(
  'whatever products do with the same wallets, no unit is made or lost, and at the end nothing is held',
  async () => {
    const steps = fc.array(productStep, { minLength: 25, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const parties = await openParties(of);
        const history: ProductHistory = { parties, requests: [], batches: [], trades: [], purchases: [] };
        for (const step of [...openingSteps, ...taken]) {
          await takeProductStep(of, history, step);
          for (const party of parties) await expectConserved(of, party);
        }
        await expectVerified(of);
        await endProducts(of, history);
        for (const party of parties) {
          await expectConserved(of, party);
          await expectAllEnded(of, party);
        }
        await expectVerified(of);
      }),
      { numRuns: histories, seed, endOnFailure: true },
    );
  },
  Math.max(300_000, histories * 60_000),
);

test('the histories had every product and every end', async () => {
  const { rows } = await of.db.operator.withoutCompany((tx) =>
    sql<{ what: string }>`
      select distinct stage as what from transaction_stage union select distinct kind from ledger_posting
      union select distinct step from trade_line union select distinct type from transaction`.execute(tx),
  );
  const seen = new Set(rows.map(({ what }) => what));
  const ends = [
    ...['completed', 'cancelled', 'failed', 'credited', 'orphaned', 'reversed', 'held'],
    ...['transfer.settle.undone', 'trade.freeze', 'trade.return', 'trade.release'],
    ...['release_failed', 'refrozen', 'card_payment', 'crypto_exchange_out', 'chain_deposit'],
  ];
  for (const end of ends) expect.soft(seen.has(end), end).toBe(true);
});
