import type { Tx } from '../../../platform/database/database.ts';
import { latestSends, markReleaseDecided, markReleaseDone, releasable } from '../../chains/index.ts';
import { fail } from '../../outgoing/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import type { FollowingDependencies } from '../family.ts';

type Dependencies = Pick<FollowingDependencies, 'familyOf'>;

/** Gives back the holds of superseded transfers that the operator has released. */
export async function releaseSuperseded(
  deps: Dependencies & Pick<FollowingDependencies, 'database'>,
  chainId: string,
): Promise<void> {
  const { database } = deps;
  for (const { companyId, transferId } of await database.withoutCompany((tx) => releasable(tx, chainId))) {
    await database.withCompany(companyId, (tx) => giveBack(tx, deps, transferId));
  }
}

/**
 * Gives back a payment of which nothing can be mined any more, for good. Of two that try, one does.
 * @returns false when it has ended, or something of it can still be mined
 */
export async function abandonSuperseded(
  tx: Tx,
  deps: Dependencies,
  transferId: string,
  decision: { reason: string; by: string },
): Promise<boolean> {
  await lockTransaction(tx, transferId);
  await markReleaseDecided(tx, transferId, decision);
  return giveBack(tx, deps, transferId);
}

async function giveBack(tx: Tx, { familyOf }: Dependencies, transferId: string): Promise<boolean> {
  const transfer = await lockTransaction(tx, transferId);
  const [latest] = await latestSends(tx, transferId, 'transfer');
  if (!latest || latest.supersededAt === null) return false;
  if (transfer?.status !== 'pending') {
    await markReleaseDone(tx, transferId);
    return false;
  }
  const { onGivenUp } = familyOf(latest.chainId);
  const reason = onGivenUp ? await onGivenUp(tx, latest) : 'stage.reason.superseded';
  if (reason === null) return false;
  await markReleaseDone(tx, transferId);
  await fail(tx, transfer, { reason, hash: null });
  return true;
}
