import type { Address, Hex } from 'viem';
import { chainGauge } from '../../../platform/process/metrics.ts';
import {
  type EvmGateway,
  findCursor,
  findLookBack,
  forgetExplained,
  rememberBalances,
  type SweptAddress,
  sweptAddresses,
} from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { recordGrowth } from './contract-coins.ts';
import { evmGatewayOf } from './gateway.ts';
import { companiesMoved, type NativeMovement, nativeMovements } from './store/contract-coins.ts';

/**
 * Compares the balance of every company address with what is recorded, some addresses at a time, and finds the block of
 * what is missing by bisection. So coins that contracts sent arrive even where no node can trace, or traces lie.
 */

const unexplainedAddresses = chainGauge(
  'causeway_chain_unexplained_addresses',
  'Addresses whose balance of the native coin neither blocks nor traces explain, in the latest round',
);

const addressesAtOnce = 100;
/** Arrivals looked for on one address in one round; more are found in the next. */
const mostFinds = 5;

/** Goes through the addresses of one chain in their order; the same object goes on where it was. */
export interface Sweeper {
  /** @returns whether the round is over */
  step(): Promise<boolean>;
}

interface Cursor {
  height: number;
  hash: string;
}

export function createSweeper(deps: FollowingDependencies, chainId: string): Sweeper {
  const { database } = deps;
  const gateway = evmGatewayOf(deps, chainId);
  let after = '';
  let unexplained = 0;
  let began: { at: Date; height: number } | null = null;

  async function lookAt(addresses: readonly SweptAddress[], cursor: Cursor): Promise<void> {
    const balances = await gateway.nativeBalances(
      addresses.map(({ address }) => address),
      cursor.height,
    );
    // Read after the balances: had the chain changed in between, they might be another chain's.
    if ((await gateway.block(cursor.height))?.hash !== cursor.hash) throw new Error(`${chainId} moved; looking again`);
    const lows = addresses.map(({ agreed }) => agreed?.height ?? -1);
    const moved = await database.withoutCompany((tx) => companiesMoved(tx, chainId, Math.min(...lows), cursor.height));
    const explained: { address: string; wei: bigint }[] = [];
    for (const [index, swept] of addresses.entries()) {
      const wei = balances[index] ?? 0n;
      const isQuiet = swept.agreed?.wei === wei && !moved.has(swept.companyId);
      if (isQuiet || (await isExplained(swept, wei, cursor))) explained.push({ address: swept.address, wei });
      else unexplained += 1;
    }
    await database.withoutCompany((tx) => rememberBalances(tx, chainId, cursor, explained));
  }

  /** Whether all that changed since the last look is recorded; what is found missing is recorded, and agrees the next time. */
  async function isExplained(
    { companyId, address, agreed }: SweptAddress,
    wei: bigint,
    cursor: Cursor,
  ): Promise<boolean> {
    const low = agreed?.height ?? (await database.withoutCompany((tx) => findLookBack(tx, chainId, cursor.height)));
    if (low >= cursor.height) return true;
    const baseWei = agreed?.wei ?? (await gateway.nativeBalances([address], low))[0] ?? 0n;
    const movements = await database.withCompany(companyId, (tx) =>
      nativeMovements(tx, { chainId, address }, low, cursor.height),
    );
    const changes = await changesOf(gateway, movements);
    const expectedAt = (height: number) =>
      changes.reduce((sum, change) => (change.height <= height ? sum + change.wei : sum), baseWei);
    let from = low;
    for (let left = mostFinds; left > 0 && wei > expectedAt(cursor.height); left -= 1) {
      const height = await firstBeyond(gateway, address, from, cursor.height, expectedAt);
      const block = await gateway.block(height);
      if (!block) return false;
      const found = await recordGrowth(deps, chainId, block, [address], []);
      const foundWei = found.get(address);
      if (foundWei === undefined) break;
      deps.log.info({ chain: chainId, height, address }, 'a balance showed what no trace had');
      changes.push({ height, wei: foundWei });
      from = height;
    }
    return wei === expectedAt(cursor.height);
  }

  return {
    async step() {
      const { cursor, addresses } = await database.withoutCompany(async (tx) => ({
        cursor: await findCursor(tx, chainId),
        addresses: await sweptAddresses(tx, chainId, after, addressesAtOnce),
      }));
      if (!cursor) return true;
      began ??= { at: new Date(), height: cursor.height };
      if (addresses.length > 0) await lookAt(addresses, cursor);
      after = addresses.at(-1)?.address ?? '';
      if (addresses.length === addressesAtOnce) return false;
      const round = began;
      await database.withoutCompany((tx) => forgetExplained(tx, chainId, round));
      unexplainedAddresses.set({ chain: chainId }, unexplained);
      after = '';
      unexplained = 0;
      began = null;
      return true;
    },
  };
}

/** The first block at whose end the address holds more than is recorded; at the end of `high` it does, at that of `low` not. */
async function firstBeyond(
  gateway: EvmGateway,
  address: Address,
  low: number,
  high: number,
  expectedAt: (height: number) => bigint,
): Promise<number> {
  let [below, beyond] = [low, high];
  while (beyond - below > 1) {
    const middle = below + Math.floor((beyond - below) / 2);
    const [wei] = await gateway.nativeBalances([address], middle);
    if ((wei ?? 0n) > expectedAt(middle)) beyond = middle;
    else below = middle;
  }
  return beyond;
}

/** What recorded movements did to the address's balance, in wei; of payments their receipts say it. */
async function changesOf(
  gateway: EvmGateway,
  movements: readonly NativeMovement[],
): Promise<{ height: number; wei: bigint }[]> {
  return Promise.all(
    movements.map(async (movement) => {
      const { height, amountMinor } = movement;
      if (movement.kind === 'deposit') return { height, wei: amountMinor };
      const receipt = await gateway.receipt(movement.hash as Hex);
      if (!receipt) throw new Error(`${movement.hash} is in no block any more`);
      const moved = receipt.succeeded && movement.isNative ? amountMinor : 0n;
      return { height, wei: movement.kind === 'gas' ? moved : -moved - receipt.networkFeeMinor };
    }),
  );
}
