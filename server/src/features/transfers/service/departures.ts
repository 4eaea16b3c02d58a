import { Counter } from 'prom-client';
import type { PlatformTx, Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { registry } from '../../../platform/metrics.ts';
import {
  type Block,
  type BlocksSeen,
  type ChainTransaction,
  coinsByContract,
  type Departure,
  ownersOf,
} from '../../chains/index.ts';
import { type Movement, movementsOf } from '../domain.ts';
import { lockSender } from '../store/holds.ts';
import { keepFound, lockSend, type Plan, planOf, type Send, sendsAt, sendsByHash } from '../store/sends.ts';
import { insertUnexplained, type UnexplainedPayment, unexplainedByHash } from '../store/unexplained.ts';
import { holdSender } from './holds.ts';
import { gatewayOf, type SendingDependencies } from './surroundings.ts';

/**
 * What left our addresses. A transaction whose hash no `chain_send` has is either another attempt of a payment that we
 * know (same nonce, payee, coin and amount), or unexplained: it is recorded and its address held.
 */

/** A transaction that no `chain_send` names, read whole. */
export interface UnknownDeparture {
  companyId: string;
  address: string;
  block: Block;
  transaction: ChainTransaction;
  movements: readonly Movement[];
  /** The payment of ours that it is; null when there is none. */
  payment: Send | null;
}

const unexplainedTotal = new Counter({
  name: 'causeway_payments_unexplained_total',
  help: 'Transactions that left our addresses and that no payment of ours explains',
  labelNames: ['chain'],
  registers: [registry],
});

interface Placed extends Departure {
  block: Block;
}

interface UnknownHashes {
  fresh: Placed[];
  /** Rows of these transactions, which now have another block. */
  moved: { row: UnexplainedPayment; block: Block }[];
  owners: ReadonlyMap<string, string>;
  coins: ReadonlyMap<string, string>;
}

/** What of these blocks is unknown. No transaction is open while the nodes are asked. */
export async function readUnknown(
  deps: Pick<SendingDependencies, 'database' | 'gateways'>,
  { chainId, contents }: BlocksSeen,
): Promise<{ fresh: UnknownDeparture[]; moved: UnknownHashes['moved'] }> {
  const placed = contents.flatMap(({ block, departures }) => departures.map((departure) => ({ ...departure, block })));
  if (placed.length === 0) return { fresh: [], moved: [] };
  const { fresh, moved, owners, coins } = await deps.database.withoutCompany((tx) => unknownOf(tx, chainId, placed));
  const gateway = gatewayOf(deps, chainId);
  const read: UnknownDeparture[] = [];
  for (const { hash, from, block } of fresh) {
    const [transaction, receipt] = await Promise.all([gateway.transaction(hash), gateway.receipt(hash)]);
    if (!transaction || receipt?.blockHash !== block.hash) throw new Error(`${hash} has left block ${block.height}`);
    const companyId = owners.get(from);
    invariant(companyId !== undefined, `${from} has an owner`);
    const movements = movementsOf(from, transaction, receipt, coins);
    const payment = await paymentOfNonce(deps, chainId, from, transaction, movements);
    read.push({
      companyId: payment?.companyId ?? companyId,
      address: from,
      block,
      transaction,
      movements,
      payment,
    });
  }
  return { fresh: read, moved };
}

async function unknownOf(tx: PlatformTx, chainId: string, placed: readonly Placed[]): Promise<UnknownHashes> {
  const hashes = [...new Set(placed.map(({ hash }) => hash))];
  const sent = new Set((await sendsByHash(tx, chainId, hashes)).map(({ hash }) => hash));
  const unknown = placed.filter(({ hash }) => !sent.has(hash));
  if (unknown.length === 0) return { fresh: [], moved: [], owners: new Map(), coins: new Map() };
  const recorded = await unexplainedByHash(tx, chainId, [...new Set(unknown.map(({ hash }) => hash))]);
  const keyOf = (hash: string, address: string) => `${hash}/${address}`;
  const known = new Set(recorded.map((row) => keyOf(row.hash, row.fromAddress)));
  const blockOf = new Map(unknown.map(({ hash, block }) => [hash as string, block]));
  const owners = await ownersOf(tx, chainId, [...new Set(unknown.map(({ from }) => from))]);
  return {
    fresh: unknown.filter(({ hash, from }) => !known.has(keyOf(hash, from))),
    moved: recorded.flatMap((row) => {
      const block = blockOf.get(row.hash);
      return block && block.hash !== row.blockHash ? [{ row, block }] : [];
    }),
    owners: new Map(owners.map(({ address, companyId }) => [address, companyId])),
    coins: await coinsByContract(tx, chainId),
  };
}

/** The payment of ours with this nonce, if the transaction pays just what that is to pay. */
async function paymentOfNonce(
  deps: Pick<SendingDependencies, 'database'>,
  chainId: string,
  address: string,
  transaction: ChainTransaction,
  movements: readonly Movement[],
): Promise<Send | null> {
  const [movement, ...others] = movements;
  if (transaction.from !== address || transaction.raw === null || !movement || others.length > 0) return null;
  const sends = await deps.database.withoutCompany((tx) => sendsAt(tx, chainId, address, transaction.nonce));
  for (const send of sends) {
    const plan = await deps.database.withCompany(send.companyId, (tx) => planOf(tx, send));
    if (plan && isPaidBy(send, plan, movement)) return send;
  }
  return null;
}

/** Whether a movement is just what a payment is to do. */
function isPaidBy(send: Send, { payee, coin }: Plan, { to, coin: moved, amountMinor }: Movement): boolean {
  return moved === coin && amountMinor === send.amountMinor && to?.toLowerCase() === payee?.toLowerCase();
}

/**
 * Takes note of an unknown departure in its company's transaction.
 * @returns the attempt that it turned out to be; null when it is unexplained
 */
export async function seeUnknown(tx: Tx, chainId: string, seen: UnknownDeparture): Promise<Send | null> {
  const { payment, transaction, block, address, movements, companyId } = seen;
  if (payment && transaction.raw !== null) {
    const latest = await lockSend(tx, payment.paymentId, payment.attempt);
    if (!latest) return null;
    // A repeated reading finds the bytes kept.
    if (latest.hash === transaction.hash) return latest;
    return keepFound(tx, latest, { ...transaction, raw: transaction.raw });
  }
  const sender = await lockSender(tx, chainId, address);
  for (const movement of movements) await insertUnexplained(tx, chainId, address, transaction, movement, block);
  const { nextNonce } = sender;
  await holdSender(tx, companyId, { chainId, address, reason: 'unexplained', chainNonce: nextNonce, nextNonce });
  unexplainedTotal.inc({ chain: chainId });
  return null;
}
