import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectLedgerToAgree } from '../testing/company-books.ts';
import { actionsAt, fundingAt } from '../testing/model-actions.ts';
import { modelDepth as depth } from '../testing/model-figures.ts';
import { type ModelWorld, openModelWorld } from '../testing/model-world.ts';

/**
 * Random histories of two companies on a chain that reorganises, falls silent and refuses payments. After every step the
 * product's figures must be those of a model that knows only the chain and what was asked, never the ledger.
 */

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

/** The same histories each time, so that every end is among them; another seed and more of them look further. */
const histories = Number(process.env['PROOF_HISTORIES'] ?? 12);
const seed = Number(process.env['PROOF_SEED'] ?? 4);

describe('transfers and deposits against a model', () => {
  test(
    'every history leaves the figures that the chain and the requests alone make, to the last unit',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(actionsAt(depth), { minLength: 15, maxLength: 40, size: 'max' }), async (history) => {
          const model = await world.newModel();
          for (const action of [...fundingAt(depth), ...history]) {
            await world.perform(model, action);
            await world.check(model);
          }
          await world.settle(model);
          await world.check(model);
          await expectLedgerToAgree(world.db);
        }),
        { numRuns: histories, seed, endOnFailure: true },
      );
    },
    Math.max(600_000, histories * 5_000),
  );

  test('the histories had every end that there is', async () => {
    const { rows } = await world.db.operator.withoutCompany((tx) =>
      sql<{ what: string; count: number }>`
        select stage as what, count(*) as count from transaction_stage group by stage
        union all select kind, count(*) from ledger_posting group by kind`.execute(tx),
    );
    const seen = Object.fromEntries(rows.map(({ what, count }) => [what, count]));
    const ends = ['completed', 'cancelled', 'failed', 'refused', 'credited', 'orphaned', 'reversed', 'deficit.repaid'];
    for (const end of ends) expect.soft(seen[end] ?? 0, end).toBeGreaterThan(0);
  });
});
