import type { PlatformTx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { type Arrival, type BlockContent, type Departure, type Outpoint, ownersOf } from '../../chains/index.ts';
import { leaveBlocks, type NewOutput, type OutputsOfBlock, type Spending, writeBlocks } from './store/outputs.ts';

/** What blocks and mempools bring to addresses of ours and spend of them, as rows of `bitcoin_output`. */

/** Whose an address is; the platform's own are owners too. */
export type Owners = ReadonlyMap<string, string>;

export async function ownersIn(
  tx: PlatformTx,
  chainId: string,
  arrivals: readonly Arrival[],
  departures: readonly Departure[],
): Promise<Owners> {
  const addresses = new Set([
    ...arrivals.flatMap(({ to, changeOf = [] }) => [to, ...changeOf]),
    ...departures.map(({ from }) => from),
  ]);
  if (addresses.size === 0) return new Map();
  const owners = await ownersOf(tx, chainId, [...addresses]);
  return new Map(owners.map(({ address, companyId }) => [address, companyId]));
}

const position = /^vout:(\d+)$/;

/** What arrived, as outputs; change where its owner's own outputs were spent for it. */
export function outputsOf(arrivals: readonly Arrival[], owners: Owners): NewOutput[] {
  return arrivals.flatMap(({ hash, output, to, amountMinor, leastDepth = null, changeOf = [], needs = null }) => {
    const companyId = owners.get(to);
    const [, index] = position.exec(output) ?? [];
    invariant(index !== undefined, `${output} is an output of ${hash}`);
    if (companyId === undefined) return [];
    const isChange = changeOf.some((address) => owners.get(address) === companyId);
    return [{ companyId, hash, index: Number(index), address: to, amountMinor, isChange, leastDepth, needs }];
  });
}

export function spendingsOf(departures: readonly Departure[], owners: Owners): Spending[] {
  return departures.flatMap(({ hash: spentBy, from, spends = [] }) => {
    const companyId = owners.get(from);
    if (companyId === undefined) return [];
    return spends.map((key) => ({ companyId, spentBy, ...outpointOf(key) }));
  });
}

/** As `outpointKey` writes it. */
export function outpointOf(key: string): Outpoint {
  const [, hash, index] = /^([0-9a-f]{64}):(\d+)$/.exec(key) ?? [];
  invariant(hash !== undefined && index !== undefined, `${key} names an output`);
  return { hash, index: Number(index) };
}

/** In the transaction in which the cursor moves: all blocks above `above` are these. */
export async function readOutputs(
  tx: PlatformTx,
  chainId: string,
  above: number,
  contents: readonly BlockContent[],
): Promise<void> {
  await leaveBlocks(tx, chainId, above);
  const owners = await ownersIn(
    tx,
    chainId,
    contents.flatMap(({ arrivals }) => arrivals),
    contents.flatMap(({ departures }) => departures),
  );
  const blocks: OutputsOfBlock[] = contents.map(({ block, arrivals, departures }) => ({
    block,
    created: outputsOf(arrivals, owners),
    spent: spendingsOf(departures, owners),
  }));
  await writeBlocks(tx, chainId, blocks);
}
