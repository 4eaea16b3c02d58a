import { Counter } from 'prom-client';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { registry } from '../../../platform/process/metrics.ts';
import {
  type Block,
  type BlocksSeen,
  coinsByContract,
  type Departure,
  ownersOf,
  sendsByHash,
} from '../../chains/index.ts';
import type { DeparturesOfCompany, FollowingDependencies } from '../family.ts';
import { lockSender } from '../store/holds.ts';
import {
  insertUnexplained,
  moveUnexplained,
  type UnexplainedMovement,
  type UnexplainedPayment,
  unexplainedByHash,
  unexplainedElsewhere,
} from '../store/unexplained.ts';
import { forgetVanished } from './booking.ts';
import { holdSender } from './holds.ts';

/** What left our addresses: transactions that no `chain_send` names are unexplained, and their addresses are held. */

/** A transaction that no attempt names and that is not recorded yet. */
export interface UnknownDeparture extends Departure {
  block: Block;
  /** The owner of the address. */
  companyId: string;
  /** Coins of the chain by contract, `native` for its own. */
  coins: ReadonlyMap<string, string>;
}

type Placed = Departure & { block: Block };

const unexplainedTotal = new Counter({
  name: 'causeway_payments_unexplained_total',
  help: 'Transactions that left our addresses and that no payment of ours explains',
  labelNames: ['chain'],
  registers: [registry],
});

/**
 * What left addresses of ours in these blocks and no attempt names, what is in another block by now, and what has vanished.
 * @param read what the chain's family reads of an unknown one; no transaction is open
 * @param onVanished before a row is forgotten whose block is gone
 */
export async function departuresOf(
  { database }: Pick<FollowingDependencies, 'database'>,
  { chainId, contents, forkHeight }: BlocksSeen,
  read: (departure: UnknownDeparture) => Promise<DeparturesOfCompany>,
  onVanished: (row: UnexplainedPayment) => Promise<void> = async () => undefined,
): Promise<DeparturesOfCompany[]> {
  const placed = contents.flatMap(({ block, departures }) => departures.map((departure) => ({ ...departure, block })));
  const { fresh, moved } =
    placed.length === 0
      ? { fresh: [], moved: [] }
      : await database.withoutCompany((tx) => unknownOf(tx, chainId, placed));
  const unknown: DeparturesOfCompany[] = [];
  for (const departure of fresh) unknown.push(await read(departure));
  const standing = contents.map(({ block }) => block.hash);
  const relocated = new Set(moved.map(({ row }) => row.id));
  const elsewhere =
    forkHeight === null
      ? []
      : await database.withoutCompany((tx) => unexplainedElsewhere(tx, chainId, forkHeight, standing));
  const vanished = elsewhere.filter((row) => !relocated.has(row.id));
  for (const row of vanished) await onVanished(row);
  return [
    ...moved.map(({ row, block }) => written(row.companyId, (tx) => moveUnexplained(tx, row.id, block))),
    ...vanished.map((row) => written(row.companyId, (tx) => forgetVanished(tx, row))),
    ...unknown,
  ];
}

function written(companyId: string, write: (tx: Tx) => Promise<void>): DeparturesOfCompany {
  return {
    companyId,
    async write(tx) {
      await write(tx);
      return [];
    },
  };
}

async function unknownOf(tx: PlatformTx, chainId: string, placed: readonly Placed[]) {
  const hashes = [...new Set(placed.map(({ hash }) => hash))];
  const sent = new Set((await sendsByHash(tx, chainId, hashes)).map(({ hash }) => hash));
  const unknown = placed.filter(({ hash }) => !sent.has(hash));
  if (unknown.length === 0) return { fresh: [], moved: [] };
  const recorded = await unexplainedByHash(tx, chainId, [...new Set(unknown.map(({ hash }) => hash))]);
  const owners = await ownersOf(tx, chainId, [...new Set(unknown.map(({ from }) => from))]);
  const ownerOf = new Map(owners.map(({ address, companyId }) => [address, companyId]));
  const coins = await coinsByContract(tx, chainId);
  const keyOf = (hash: string, companyId: string) => `${hash}/${companyId}`;
  const known = new Set(recorded.map((row) => keyOf(row.hash, row.companyId)));
  const blockOf = new Map(unknown.map(({ hash, block }) => [hash, block]));
  const fresh = unknown.flatMap((departure): UnknownDeparture[] => {
    const companyId = ownerOf.get(departure.from);
    invariant(companyId !== undefined, `${departure.from} has an owner`);
    const key = keyOf(departure.hash, companyId);
    if (known.has(key)) return [];
    // Once for a company, from however many of its addresses.
    known.add(key);
    return [{ ...departure, companyId, coins }];
  });
  const moved = recorded.flatMap((row) => {
    const block = blockOf.get(row.hash);
    return block && block.hash !== row.blockHash ? [{ row, block }] : [];
  });
  return { fresh, moved };
}

/** Records what a transaction moved out of the current company's account on a chain, and holds the account. */
export async function recordUnexplained(
  tx: Tx,
  companyId: string,
  { chainId, address }: { chainId: string; address: string },
  movements: readonly UnexplainedMovement[],
): Promise<void> {
  const { nextNonce } = await lockSender(tx, chainId, address);
  for (const movement of movements) await insertUnexplained(tx, movement);
  await holdSender(tx, companyId, { chainId, address, reason: 'unexplained', chainNonce: nextNonce, nextNonce });
  unexplainedTotal.inc({ chain: chainId });
}
