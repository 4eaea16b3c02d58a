import { decideApprovals } from '@causeway/contract/approvals.ts';
import { exchange } from '@causeway/contract/exchange.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { decision } from '../../testing/approval-requests.ts';
import { killRounds, type MortalDatabase, mortalDatabase } from '../../testing/dying.ts';
import { balancesOf, pendingTask } from '../../testing/exchange-world.ts';
import { killEachTransaction } from '../../testing/killed-requests.ts';
import type { Tenant } from '../../testing/main-app.ts';
import {
  acceptance,
  accepted,
  asked,
  detailOf,
  type OtcWorld,
  otcWorld,
  quoted,
  wealthy,
} from '../../testing/otc-world.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { verifyPosition } from '../exchange/index.ts';
import { verifyLedger } from '../ledger/index.ts';

/** The company's process dies while the desk's quote is accepted, or while the acceptance gets its last approval: it is an exchange once, or none. */

vi.setConfig({ testTimeout: killRounds * 120_000 });

let otc: OtcWorld;
let mortal: MortalDatabase;
beforeAll(async () => {
  otc = await otcWorld((database) => {
    mortal = mortalDatabase(database);
    return mortal;
  });
});
afterAll(async () => {
  const { operator } = otc.world.db;
  expect((await operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
  await otc.close();
});
afterEach(() => expect([otc.world.complaints, otc.desk.complaints]).toEqual([[], []]));

/** Of the sold 60,000 of 100,000 USDT. */
async function look(tenant: Tenant, id: string, before: 'quoted' | 'waiting'): Promise<'none' | 'whole'> {
  const { state, exchange: made } = await detailOf(otc.world, tenant.admin, id);
  const { rows } = await otc.world.db.worker.withCompany(tenant.id, (tx) =>
    sql<{ submitted: number; executed: number; seals: number; due: number }>`
      select count(*) as submitted, count(executed_at) as executed, (select count(*) from exchange_seal where company_id = company_id()) as seals,
        (select count(*) from exchange_due where company_id = company_id()) as due
      from exchange where company_id = company_id()`.execute(tx),
  );
  const { available, outbound, fx } = await balancesOf(otc.world.db, tenant, 'USDT');
  const bought = (await balancesOf(otc.world.db, tenant, 'ETH')).available;
  const isWhole = made?.stage === 'completed';
  const isWaiting = !isWhole && before === 'waiting';
  expect(state).toBe(isWhole || isWaiting ? 'accepted' : 'quoted');
  const count = isWhole ? 1 : 0;
  expect(rows).toEqual([{ submitted: isWaiting ? 1 : count, executed: count, seals: count, due: count }]);
  expect({ available, outbound, fx, bought }).toEqual({
    available: isWhole || isWaiting ? 40_000_000_000n : 100_000_000_000n,
    outbound: isWaiting ? 60_000_000_000n : 0n,
    fx: isWhole ? 60_000_000_000n : 0n,
    bought: isWhole ? 23_809_500_000_000_000_000n : 0n,
  });
  return isWhole ? 'whole' : 'none';
}

const rounds = Array.from({ length: killRounds }, (_, index) => index + 1);

test.each(rounds)('an acceptance (round %i)', async () => {
  const deaths = await killEachTransaction({ world: otc.world, mortal, call: exchange }, async () => {
    const tenant = await wealthy(otc.world);
    const id = await asked(otc.world, tenant, tenant.admin);
    await quoted(otc, id);
    const request = await acceptance(otc.world, tenant.admin, id);
    return { request, look: () => look(tenant, id, 'quoted') };
  });
  // All of it is one transaction.
  expect(deaths).toBe(2);
});

test.each(rounds)('the last approval of an acceptance (round %i)', async () => {
  const deaths = await killEachTransaction({ world: otc.world, mortal, call: decideApprovals }, async () => {
    const tenant = await wealthy(otc.world);
    const approver = await otc.world.member(tenant, 'approver');
    await reviewOf(otc.world, tenant)(true);
    const id = await asked(otc.world, tenant, tenant.admin);
    await quoted(otc, id);
    await accepted(otc.world, tenant.admin, id);
    const request = await decision(otc.world, approver, [await pendingTask(otc.world, approver)]);
    return { request, look: () => look(tenant, id, 'waiting') };
  });
  expect(deaths).toBe(2);
});
