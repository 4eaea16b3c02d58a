import { transferOut } from '@causeway/contract/transfers.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { insertTestBatch, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee, transferRequest } from '../../../testing/valid-requests.ts';

/** Rows submitted together leave what they would have left one by one. */

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const usdt = 1_000_000n;
const numRuns = Number(process.env['PROOF_HISTORIES'] ?? 4) > 40 ? 40 : 4;

interface Payer {
  tenant: Tenant;
  payees: string[];
}

async function payer(): Promise<Payer> {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000n * usdt);
  return { tenant, payees: [await payee(world, tenant), await payee(world, tenant)] };
}

/**
 * What a company has held, counted and written of its payments. The ids of payments made within one
 * millisecond are in no order, hence the payments are sorted by what is compared.
 */
async function leftBy({ tenant: { id, wallets }, payees }: Payer) {
  const counted = await world.db.app.withCompany(id, (tx) =>
    sql<{ transactions: number; quantity: bigint; value: bigint }>`
      select transactions::integer, quantity, value_cents as value from risk_usage where company_id = company_id()
      order by asset, business`.execute(tx),
  );
  const written = await world.db.app.withCompany(id, (tx) =>
    sql`select t.type, t.stage, t.status, t.quantity, t.fee, t.value_usd_cents as value, t.notes,
        array_position(${payees}::text[], t.payee_id::text) as payee,
        array(select s.stage from transaction_stage s where s.company_id = t.company_id and s.transaction_id = t.id order by s.id) as stages
      from transaction t where t.company_id = company_id() order by t.quantity, payee, t.notes, t.fee, t.stage`.execute(
      tx,
    ),
  );
  return {
    balances: await walletBalances(world.db, id, wallets.USDT),
    counted: counted.rows,
    written: written.rows,
  };
}

const row = fc.record({ payee: fc.nat(1), units: fc.bigInt(2n, 100n), notes: fc.constantFrom('', 'May') });

test('together or one by one: the same balances, counts of risk and transactions', { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
      const [together, alone] = [await payer(), await payer()];
      const { id } = await insertTestBatch(
        world.db,
        together.tenant,
        rows.map(({ payee: of, units, notes }) => ({
          walletId: together.tenant.wallets.USDT,
          payeeId: present(together.payees[of]),
          amountMinor: units * usdt,
          terms: notes === '' ? {} : { notes },
        })),
      );
      await submittedRun(world, together.tenant.admin, id);
      for (const { payee: of, units, notes } of rows) {
        const content = {
          id: newId(),
          walletId: alone.tenant.wallets.USDT,
          payeeId: present(alone.payees[of]),
          amount: units.toString(),
          attachmentIds: [],
          ...(notes === '' ? {} : { notes }),
        };
        await succeed(world, transferOut, await transferRequest(world, alone.tenant, content));
      }
      expect(await leftBy(together)).toEqual(await leftBy(alone));
    }),
    {
      numRuns,
      endOnFailure: true,
      examples: [
        [
          [
            { payee: 1, units: 3n, notes: '' },
            { payee: 0, units: 3n, notes: 'May' },
            { payee: 0, units: 3n, notes: '' },
            { payee: 1, units: 3n, notes: 'May' },
          ],
        ],
      ],
    },
  );
});
