import { Gauge } from 'prom-client';
import type { Address } from 'viem';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/process/log.ts';
import { chainGauge, registry } from '../../../platform/process/metrics.ts';
import { type EvmGateway, gasTankOwner, nonceAfterJournal } from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { holdSender } from '../service/holds.ts';
import { findHolds, type LockedSender, lockSender, type Sender } from '../store/holds.ts';
import { countUnexplained } from '../store/unexplained.ts';
import { evmGatewayOf } from './gateway.ts';
import { activeSenders, sendersAfter } from './store/senders.ts';

/**
 * Compares our next nonce of each sending address with the chain's. A chain that counts more transactions than we gave
 * nonces knows payments that we do not, as after the restore of an older backup: the address is held.
 */

/** What the chain said of an address, and when. */
interface Comparison {
  chainNonce: number;
  /** Up to where the watcher had read, or the agreed head at which it was counted. */
  height: number;
  atMs: number;
}

/** A comparison counts for the block at which it was made, and no longer than this. */
const freshMs = 5000;
/** Addresses compared together, and how often some of the idle ones are. */
const sliceSize = 200;
const idleEveryMs = 15_000;

/**
 * Kept in the process and never in the database: a restored database would bring old comparisons back. By gateway, since
 * every caller through the same nodes can rely on the same comparison.
 */
const memories = new WeakMap<EvmGateway, Memory>();
interface Memory {
  comparisons: Map<string, Comparison>;
  /** When it was last seen that the nodes have no transaction of the address that we do not know. */
  pendingSeenMs: Map<string, number>;
  /** How far the slow walk over all addresses has come: the last address; null before the first and after the last. */
  walkedTo: string | null;
  isWalkedOnce: boolean;
  walkedAtMs: number;
}

function memoryOf(gateway: EvmGateway): Memory {
  const known = memories.get(gateway);
  if (known) return known;
  const memory = {
    comparisons: new Map(),
    pendingSeenMs: new Map(),
    walkedTo: null,
    isWalkedOnce: false,
    walkedAtMs: 0,
  };
  memories.set(gateway, memory);
  return memory;
}

const heldGauge = new Gauge({
  name: 'causeway_addresses_held',
  help: 'Sending addresses from which nothing is sent until their transactions are explained',
  labelNames: ['chain', 'owner'],
  registers: [registry],
});
const unexplainedGauge = chainGauge(
  'causeway_payments_unexplained',
  'Payments on the chain that no payment of ours explains',
);

/**
 * Whether a nonce may be given without asking the chain again; the sender's row is locked. A watcher at another height,
 * further on or back (as after a restore), asks again.
 */
export function isCompared(gateway: EvmGateway, { address, nextNonce, readHeight }: LockedSender): boolean {
  const { comparisons, pendingSeenMs } = memoryOf(gateway);
  const known = comparisons.get(address);
  return (
    Date.now() - (pendingSeenMs.get(address) ?? 0) < freshMs &&
    known !== undefined &&
    known.chainNonce <= nextNonce &&
    known.height === (readHeight ?? 0) &&
    Date.now() - known.atMs < freshMs
  );
}

/**
 * Compares one address with the chain before it is given a nonce, and holds it when the chain is ahead. When any node counts
 * more than we gave, a quorum decides. While fewer nodes answer than a quorum, it suffices that none counts more and that a
 * quorum has compared every address since this process began.
 * @throws NoAgreement; UnknownPending when a node has a transaction that no block has and that we do not know
 */
export async function compareNonce(
  deps: Pick<FollowingDependencies, 'database' | 'gateways' | 'log'>,
  { chainId, address, nextNonce, readHeight }: LockedSender,
): Promise<void> {
  const gateway = evmGatewayOf(deps, chainId);
  const memory = memoryOf(gateway);
  const atMs = Date.now();
  const { count, hasQuorum } = await gateway.highestNonce(address as Address);
  if (count <= nextNonce && (hasQuorum || memory.isWalkedOnce)) {
    memory.comparisons.set(address, { chainNonce: count, height: readHeight ?? 0, atMs });
  } else {
    await compareAt(deps, gateway, { chainId, address }, { height: await gateway.head(), atMs });
  }
  memory.pendingSeenMs.delete(address);
  // What blocks count is the quorum's to decide, and holds the address where it must.
  if (count <= nextNonce) await refuseUnknownPending(deps, gateway, chainId, address);
  memory.pendingSeenMs.set(address, atMs);
}

/** A payment that was lost with database and journal, and that a block may still take: no nonce may be given beside it. */
export class UnknownPending extends Error {}

/**
 * Nodes' memories differ, so one node's word suffices to wait. It ends by itself: a block takes the transaction, which is then
 * unexplained, or the nodes drop it.
 */
async function refuseUnknownPending(
  { database }: Pick<FollowingDependencies, 'database'>,
  gateway: EvmGateway,
  chainId: string,
  address: string,
): Promise<void> {
  const { count } = await gateway.highestPendingNonce(address as Address);
  // Read afterwards: another worker may have given and sent a nonce meanwhile.
  const given = await database.withoutCompany(async (tx) =>
    Math.max((await lockSender(tx, chainId, address)).nextNonce, await nonceAfterJournal(tx, chainId, address)),
  );
  if (count <= given) return;
  throw new UnknownPending(
    `a node of ${chainId} has transactions of ${address} up to nonce ${count - 1}, and we gave nonces up to ${given - 1}: nothing is sent until a block has them or the nodes have dropped them`,
  );
}

async function compareAt(
  { database, log }: { database: Database; log: Log },
  gateway: EvmGateway,
  { chainId, address, nextNonce: knownNonce = -1 }: Pick<Sender, 'chainId' | 'address'> & Partial<Sender>,
  moment: Pick<Comparison, 'height' | 'atMs'>,
): Promise<void> {
  const chainNonce = await gateway.minedNonce(address as Address, moment.height);
  memoryOf(gateway).comparisons.set(address, { chainNonce, ...moment });
  // What was given out before the chain was asked explains it; a nonce is taken back only when nothing of it was signed.
  if (chainNonce <= knownNonce) return;
  const owner = await database.withoutCompany((tx) => aheadOf(tx, chainId, address, chainNonce));
  if (owner === null) return;
  const isNew = await database.withCompany(owner, async (tx) => {
    const { nextNonce } = await lockSender(tx, chainId, address);
    // Another worker may have ended a hold meanwhile.
    if (chainNonce <= nextNonce) return false;
    return holdSender(tx, owner, { chainId, address, reason: 'ahead', chainNonce, nextNonce });
  });
  if (isNew)
    log.error({ chain: chainId, address, chainNonce }, 'the chain is ahead of our nonces; the address is held');
}

/** Whose address it is if the chain is ahead of our next nonce; null when it is not. */
async function aheadOf(tx: PlatformTx, chainId: string, address: string, chainNonce: number): Promise<string | null> {
  const { companyId, nextNonce } = await lockSender(tx, chainId, address);
  return chainNonce > nextNonce ? companyId : null;
}

/**
 * Compares addresses when the watcher has reached the head: every one after a start; then those with payments under way
 * or held, and some of the others in turn.
 */
export async function compareAtHead(
  deps: Pick<FollowingDependencies, 'database' | 'gateways' | 'log'>,
  chainId: string,
  height: number,
): Promise<void> {
  const gateway = evmGatewayOf(deps, chainId);
  const memory = memoryOf(gateway);
  const compare = async (senders: readonly Sender[]) => {
    const atMs = Date.now();
    await Promise.all(senders.map((sender) => compareAt(deps, gateway, sender, { height, atMs })));
  };
  const walk = async () => {
    const from = memory.walkedTo;
    const slice = await deps.database.withoutCompany((tx) => sendersAfter(tx, chainId, from, sliceSize));
    await compare(slice);
    memory.walkedAtMs = Date.now();
    memory.walkedTo = slice.length < sliceSize ? null : (slice.at(-1)?.address ?? null);
  };
  if (memory.isWalkedOnce) {
    await compare(await deps.database.withoutCompany((tx) => activeSenders(tx, chainId)));
    if (Date.now() - memory.walkedAtMs >= idleEveryMs) await walk();
    return;
  }
  do await walk();
  while (memory.walkedTo !== null);
  memory.isWalkedOnce = true;
}

/** How many addresses are held on a chain and how many payments are unexplained there; sets the gauges too. */
export async function countHolds(
  database: Database,
  chainId: string,
): Promise<{ heldCompanies: number; isTankHeld: boolean; unexplained: number }> {
  const { holds, unexplained } = await database.withoutCompany(async (tx) => ({
    holds: await findHolds(tx, chainId),
    unexplained: await countUnexplained(tx, chainId),
  }));
  const isTankHeld = holds.some(({ companyId }) => companyId === gasTankOwner);
  const heldCompanies = holds.length - Number(isTankHeld);
  heldGauge.set({ chain: chainId, owner: 'company' }, heldCompanies);
  heldGauge.set({ chain: chainId, owner: 'tank' }, Number(isTankHeld));
  unexplainedGauge.set({ chain: chainId }, unexplained);
  return { heldCompanies, isTankHeld, unexplained };
}
