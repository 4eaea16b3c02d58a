import type { Tx } from '../../../platform/database/database.ts';
import { latestSends, markReleaseDecided, markReleaseDone, releasable } from '../../chains/index.ts';
import { fail } from '../../outgoing/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import type { FollowingDependencies } from '../family.ts';

/** Gives back the holds of superseded transfers that the operator has released. */
export async function releaseSuperseded(deps: Pick<FollowingDependencies, 'database'>, chainId: string): Promise<void> {
  const { database } = deps;
  for (const { companyId, transferId } of await database.withoutCompany((tx) => releasable(tx, chainId))) {
    await database.withCompany(companyId, (tx) => giveBack(tx, transferId));
  }
}

/**
 * Gives back a payment of which nothing can be mined any more, for good. Of two that try, one does.
 * @returns false when it has ended, or something of it can still be mined
 */
export async function abandonSuperseded(
  tx: Tx,
  transferId: string,
  decision: { reason: string; by: string },
): Promise<boolean> {
  const transfer = await lockTransaction(tx, transferId);
  const [latest] = await latestSends(tx, transferId, 'transfer');
  if (transfer?.status !== 'pending' || !latest || latest.supersededAt === null) return false;
  await markReleaseDecided(tx, transferId, decision);
  await giveBack(tx, transferId);
  return true;
}

async function giveBack(tx: Tx, transferId: string): Promise<void> {
  const transfer = await lockTransaction(tx, transferId);
  const [latest] = await latestSends(tx, transferId, 'transfer');
  await markReleaseDone(tx, transferId);
  if (transfer?.status !== 'pending' || !latest || latest.supersededAt === null) return;
  await fail(tx, transfer, { reason: 'stage.reason.superseded', hash: null });
}
