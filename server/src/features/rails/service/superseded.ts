import type { Tx } from '../../../platform/database/database.ts';
import { latestSends, markReleaseDone, releasable } from '../../chains/index.ts';
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

async function giveBack(tx: Tx, transferId: string): Promise<void> {
  const transfer = await lockTransaction(tx, transferId);
  const [latest] = await latestSends(tx, transferId, 'transfer');
  await markReleaseDone(tx, transferId);
  if (transfer?.status !== 'pending' || !latest || latest.supersededAt === null) return;
  await fail(tx, transfer, { reason: 'stage.reason.superseded', hash: null });
}
