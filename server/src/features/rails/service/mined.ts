import { attemptsOf, type ChainGateway, isReadBlock, type Send } from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { seeMined } from './settling.ts';

/** Records the attempt that a block has, where the watcher read that block before the attempt had its row. @returns whether one has */
export async function findMined(
  deps: Pick<FollowingDependencies, 'database'>,
  gateway: Pick<ChainGateway, 'receipt'>,
  send: Send,
): Promise<boolean> {
  const { companyId, paymentId, chainId } = send;
  const attempts = await deps.database.withCompany(companyId, (tx) => attemptsOf(tx, paymentId));
  for (const attempt of attempts) {
    if (attempt.hash === null) continue;
    const receipt = await gateway.receipt(attempt.hash);
    if (!receipt) continue;
    const block = { height: receipt.height, hash: receipt.blockHash };
    // A block that is still to be read is the watcher's.
    const isRead = await deps.database.withoutCompany((tx) => isReadBlock(tx, chainId, block));
    if (isRead && attempt.minedBlock === null) {
      await deps.database.withCompany(companyId, (tx) => seeMined(tx, attempt, block));
    }
    return true;
  }
  return false;
}
