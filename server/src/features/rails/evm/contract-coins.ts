import { createHash } from 'node:crypto';
import type { Address } from 'viem';
import type { Tx } from '../../../platform/database/database.ts';
import type { EvmBlock, InternalTransfer } from '../../chains/index.ts';
import { type Arrival, findChain, isPlatformOwner, mayStand, ownersOf, raiseRevision } from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { seeDeposits } from '../service/deposits.ts';
import { evmGatewayOf } from './gateway.ts';
import { contractDeposits } from './store/contract-coins.ts';

type BlockKey = Pick<EvmBlock, 'height' | 'hash'>;

/**
 * Records what contracts sent to addresses of ours in one block. How much is decided by the growth of the balance that
 * nothing recorded explains, so that it cannot count twice, whichever loop found it; traces only say of which transactions it is
 * (docs/adr/0043-…).
 * @returns what was recorded by address, in wei
 */
export async function recordGrowth(
  deps: FollowingDependencies,
  chainId: string,
  block: BlockKey,
  addresses: readonly Address[],
  traced: readonly InternalTransfer[],
): Promise<Map<string, bigint>> {
  const recorded = new Map<string, bigint>();
  const { owners, coin } = await deps.database.withoutCompany(async (tx) => ({
    owners: (await ownersOf(tx, chainId, [...new Set(addresses)])).filter((owner) => !isPlatformOwner(owner.companyId)),
    coin: (await findChain(tx, chainId))?.nativeCoin,
  }));
  if (owners.length === 0 || coin === undefined) return recorded;
  const own = owners.map((owner) => owner.address as Address);
  const growth = await evmGatewayOf(deps, chainId).unexplainedGrowth(block, own);
  for (const [index, { companyId, address }] of owners.entries()) {
    const grownWei = growth[index] ?? 0n;
    if (grownWei <= 0n) continue;
    const sent = traced.filter((transfer) => transfer.to === address);
    const wei = await deps.database.withCompany(
      companyId,
      (tx) => recordOne(tx, chainId, block, { address: address as Address, coin, grownWei }, sent),
      { locks: [lockOf(chainId, address)] },
    );
    if (wei > 0n) recorded.set(address, wei);
  }
  return recorded;
}

/** One address at a time: what another recorded meanwhile is seen here. */
async function recordOne(
  tx: Tx,
  chainId: string,
  block: BlockKey,
  { address, coin, grownWei }: { address: Address; coin: string; grownWei: bigint },
  sent: readonly InternalTransfer[],
): Promise<bigint> {
  if (!(await mayStand(tx, chainId, block))) return 0n;
  const known = await contractDeposits(tx, chainId, block.hash, address);
  const missingWei = grownWei - sum(known);
  const keys = new Set(known.map(({ hash, output }) => `${hash}/${output}`));
  // A second difference of the same block means that the nodes changed their minds: that is for the operator.
  if (missingWei <= 0n || keys.has(`${block.hash}/balance:${address}`)) return 0n;
  const arrivals = sent.map(asArrival).filter(({ hash, output }) => !keys.has(`${hash}/${output}`));
  const grown: Arrival = {
    hash: block.hash,
    output: `balance:${address}`,
    contract: null,
    from: null,
    to: address,
    amountMinor: missingWei,
  };
  // Traces that do not come to what the balance says are not believed.
  const found = sum(arrivals) === missingWei ? arrivals : [grown];
  await seeDeposits(
    tx,
    chainId,
    found.map((arrival) => ({ arrival, coin, block })),
  );
  await raiseRevision(tx, chainId);
  return missingWei;
}

function asArrival({ transactionHash, path, from, to, amountWei }: InternalTransfer): Arrival {
  return { hash: transactionHash, output: `internal:${path}`, contract: null, from, to, amountMinor: amountWei };
}

function sum(amounts: readonly { amountMinor: bigint }[]): bigint {
  return amounts.reduce((total, { amountMinor }) => total + amountMinor, 0n);
}

function lockOf(chainId: string, address: string): bigint {
  return createHash('sha256').update(`transfers.growth/${chainId}/${address}`).digest().readBigInt64BE();
}
