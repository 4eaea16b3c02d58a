import type { Database } from '../../../../platform/database/database.ts';
import {
  type CatalogueChain,
  type ChainGateway,
  findCursor,
  gasTankOwner,
  NoAgreement,
  readBalances,
  treasuryOwner,
} from '../../../chains/index.ts';
import { type ChainHoldings, type ChainMove, movedBetween, timingOf } from '../domain.ts';
import { hasUnsettled, movesSince, ownAddressesOf, unbookedMoves } from '../night-store.ts';

/** What our addresses on a chain held at the last block before an instant. */

/** The chain cannot be reported yet; as it goes on, it can. */
export class NotYet extends Error {}

/** Postings so long before the instant may be of later blocks: where clocks differ, or a reorganisation moved what was booked. */
const bookedBeforeMs = 86_400_000;
type Chain = Pick<CatalogueChain, 'id' | 'nativeCoin' | 'confirmations' | 'coins'>;

/**
 * Block and balances of one chain. A chain without a gateway is not watched any more: nothing of it is known. Nodes that no longer have the
 * balances of the block give those of a later one, from which the recorded movements are taken back.
 * @throws NotYet while the block is not final or its payments are not booked; NoAgreement when nodes do not agree
 */
export async function holdingsAt(
  database: Database,
  gateway: ChainGateway | undefined,
  chain: Chain,
  at: Date,
): Promise<ChainHoldings> {
  const nothing: ChainHoldings = { chain: chain.id, block: null, source: 'none', holdings: [], timing: [] };
  const cursor = await database.withoutCompany((tx) => findCursor(tx, chain.id));
  if (!gateway) return nothing;
  if (!cursor) throw new NotYet(`${chain.id}: the chain was not read yet`);
  const final = cursor.height - chain.confirmations;
  const height = await lastBlockBefore(gateway, at, cursor.height);
  if (height === null) return nothing;
  if (height > final) throw new NotYet(`${chain.id}: block ${height}, the last before midnight, is not final yet`);
  const [block, time] = [await gateway.block(height), await gateway.blockTime(height)];
  if (!block || !time) throw new NotYet(`${chain.id}: the nodes do not have block ${height}`);
  const { moves, unbooked } = await database.withoutCompany(async (tx) => {
    if (await hasUnsettled(tx, chain.id, height)) {
      throw new NotYet(`${chain.id}: a payment up to block ${height} is not booked yet`);
    }
    return {
      moves: await movesSince(tx, chain.id, new Date(at.getTime() - bookedBeforeMs)),
      unbooked: await unbookedMoves(tx, chain.id, chain.nativeCoin),
    };
  });
  const timing = timingOf(moves, at, height);
  const found = { chain: chain.id, block: { height, hash: block.hash, time }, timing };
  try {
    const holdings = (await balancesAt(database, gateway, chain, height)).filter(({ minor }) => minor > 0n);
    return { ...found, source: 'nodes', holdings };
  } catch (error) {
    if (!(error instanceof NoAgreement)) throw error;
    if (await database.withoutCompany((tx) => hasUnsettled(tx, chain.id, final))) {
      throw new NotYet(`${chain.id}: a payment up to block ${final} is not booked yet`);
    }
    // Nodes that are silent now are silent here too, and the error is theirs.
    // What moved the treasury is not recorded, so that nothing of it is counted.
    const later = (await balancesAt(database, gateway, chain, final)).filter(
      ({ companyId }) => companyId !== treasuryOwner,
    );
    const holdings = takenBack(later, [...moves, ...unbooked], height, final);
    return { ...found, source: 'movements', holdings };
  }
}

/** The highest block that was made before an instant; null when there is none. Blocks' times never run backwards. */
async function lastBlockBefore(gateway: ChainGateway, at: Date, highest: number): Promise<number | null> {
  const isBefore = async (height: number) => {
    const time = await gateway.blockTime(height);
    if (!time) throw new NotYet(`${gateway.chainId}: the nodes do not have block ${height}`);
    return time < at;
  };
  if (await isBefore(highest)) return highest;
  let above = highest;
  // Backwards in growing steps: midnight is near the end of a chain, and nodes may have pruned its beginning.
  let step = 256;
  let below = Math.max(0, above - step);
  while (!(await isBefore(below))) {
    if (below === 0) return null;
    above = below;
    step *= 4;
    below = Math.max(0, above - step);
  }
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (await isBefore(middle)) below = middle;
    else above = middle;
  }
  return below;
}

/** Of every address of ours and every coin of the chain, those that hold nothing included. */
async function balancesAt(
  database: Database,
  gateway: ChainGateway,
  { id, coins }: Chain,
  height: number,
): Promise<ChainHoldings['holdings']> {
  const addresses = await database.withoutCompany((tx) => ownAddressesOf(tx, id, gasTankOwner));
  const asked = addresses.flatMap((own) => coins.map(({ coin, contract }) => ({ ...own, asset: coin, contract })));
  const balances = await readBalances(gateway, asked, height);
  return asked.map(({ contract: _, ...own }, place) => ({ ...own, minor: balances[place] ?? 0n }));
}

/** Takes back what the recorded movements brought between two blocks; from the first address of a company, since the books know no addresses. */
function takenBack(
  later: ChainHoldings['holdings'],
  moves: readonly Omit<ChainMove, 'postedAt'>[],
  height: number,
  final: number,
): ChainHoldings['holdings'] {
  const moved = movedBetween(moves, height, final);
  const left = later.map((row) => {
    const key = `${row.companyId}/${row.asset}`;
    const brought = moved.get(key) ?? 0n;
    const taken = brought > row.minor ? row.minor : brought;
    moved.set(key, brought - taken);
    return { ...row, minor: row.minor - taken };
  });
  const unplaced = [...moved].filter(([, minor]) => minor !== 0n);
  if (unplaced.length > 0) throw new Error('the recorded movements do not lead back to the block before midnight');
  return left.filter(({ minor }) => minor > 0n);
}
