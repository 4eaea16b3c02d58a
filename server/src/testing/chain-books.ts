import { expect } from 'vitest';
import { verifyLedger } from '../features/ledger/index.ts';
import { reconcileChain } from '../features/rails/index.ts';
import type { ChainWorld } from './chain-world.ts';

/** Both verifiers find nothing: the ledger agrees with its entries, every wallet with the chain. */
export async function expectBooksToAgree(world: ChainWorld): Promise<void> {
  const { mismatches } = await world.db.operator.withoutCompany(verifyLedger);
  expect(mismatches).toEqual([]);
  const reconciled = await reconcileChain(world.db.operator, world.gateway);
  expect(reconciled.mismatches).toEqual([]);
  expect(reconciled.height).toBe(world.chain.engine.tip().height);
}
