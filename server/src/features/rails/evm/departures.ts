import type { Hex } from 'viem';
import type { Tx } from '../../../platform/database/database.ts';
import {
  asEvm,
  type BlocksSeen,
  type ChainTransaction,
  isPlatformOwner,
  keepFound,
  type Plan,
  plainGas,
  planOf,
  type Send,
  sendsAt,
} from '../../chains/index.ts';
import type { DeparturesOfCompany, FollowingDependencies } from '../family.ts';
import { departuresOf, recordUnexplained, type UnknownDeparture } from '../service/departures.ts';
import { lockWithTransaction } from '../service/settling.ts';
import { undoFound } from './explanations.ts';
import { evmGatewayOf } from './gateway.ts';
import { type Movement, movementsOf } from './movements.ts';

/**
 * What left our addresses. A transaction whose hash no `chain_send` has is either another attempt of a payment that we
 * know (same nonce, payee, coin and amount), or unexplained: it is recorded and its address held.
 */

type Reading = Pick<FollowingDependencies, 'database' | 'gateways'>;

/** What a vanished transaction of the platform's own had brought is taken back here, in its company. */
export function readDepartures(deps: Reading, seen: BlocksSeen): Promise<DeparturesOfCompany[]> {
  return departuresOf(
    deps,
    seen,
    (departure) => read(deps, seen.chainId, departure),
    async (row) => {
      if (isPlatformOwner(row.companyId)) await undoFound(deps.database, row);
    },
  );
}

async function read(deps: Reading, chainId: string, departure: UnknownDeparture): Promise<DeparturesOfCompany> {
  const { hash, from, block, coins } = departure;
  const gateway = evmGatewayOf(deps, chainId);
  const [transaction, receipt] = await Promise.all([gateway.transaction(hash as Hex), gateway.receipt(hash)]);
  if (!transaction || receipt?.blockHash !== block.hash) throw new Error(`${hash} has left block ${block.height}`);
  const movements = movementsOf(from, transaction, receipt, coins);
  const payment = await paymentOfNonce(deps, chainId, from, transaction, movements);
  const companyId = payment?.send.companyId ?? departure.companyId;
  const unknown = { ...departure, companyId };
  return {
    companyId,
    async write(tx) {
      const send = payment && (await seeAttempt(tx, payment, transaction));
      if (!payment) await seeUnexplained(tx, chainId, unknown, transaction, movements);
      return send ? [{ send, block }] : [];
    },
  };
}

/** A payment of ours, and what a transaction in its name pays. */
interface FoundPayment {
  send: Send;
  isEmpty: boolean;
  amountMinor: bigint;
}

/** The payment of ours with this nonce, if the transaction pays just what that is to pay, or nothing where it is being replaced. */
async function paymentOfNonce(
  deps: Pick<FollowingDependencies, 'database'>,
  chainId: string,
  address: string,
  transaction: ChainTransaction,
  movements: readonly Movement[],
): Promise<FoundPayment | null> {
  const [movement, ...others] = movements;
  if (transaction.from !== address || transaction.raw === null || !movement || others.length > 0) return null;
  const sends = await deps.database.withoutCompany((tx) => sendsAt(tx, chainId, address, transaction.nonce));
  for (const send of sends) {
    const plan = await deps.database.withCompany(send.companyId, (tx) => planOf(tx, send));
    if (plan && isPaidBy(plan, movement)) return { send, isEmpty: false, amountMinor: plan.amountMinor };
    if (plan && send.isEmpty && isEmptyOne(transaction)) return { send, isEmpty: true, amountMinor: 0n };
  }
  return null;
}

/** An empty transaction of its sender to itself; its gas leaves none for data. */
function isEmptyOne({ from, to, valueWei, gasLimit }: ChainTransaction): boolean {
  return to?.toLowerCase() === from.toLowerCase() && valueWei === 0n && gasLimit === plainGas;
}

/** Whether a movement is just what a payment is to do. */
function isPaidBy({ payee, coin, amountMinor }: Plan, { to, coin: moved, amountMinor: paid }: Movement): boolean {
  return moved === coin && paid === amountMinor && to?.toLowerCase() === payee?.toLowerCase();
}

/** Keeps the bytes of a payment of ours that the chain has; null when the payment is gone. */
async function seeAttempt(
  tx: Tx,
  { send, ...paid }: FoundPayment,
  transaction: ChainTransaction,
): Promise<Send | null> {
  const { raw } = transaction;
  const { send: locked } = await lockWithTransaction(tx, send);
  if (!locked || raw === null) return null;
  const latest = asEvm(locked);
  // A repeated reading finds the bytes kept.
  if (latest.hash === transaction.hash) return latest;
  return keepFound(tx, latest, { ...transaction, ...paid, raw });
}

async function seeUnexplained(
  tx: Tx,
  chainId: string,
  { companyId, from: address, block }: UnknownDeparture,
  transaction: ChainTransaction,
  movements: readonly Movement[],
): Promise<void> {
  const { hash, nonce, raw, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const moved = movements.map(({ to, networkFeeWei, ...movement }) => ({
    ...movement,
    chainId,
    hash,
    fromAddress: address,
    nonce: transaction.from === address ? nonce : null,
    toAddress: to,
    networkFeeMinor: networkFeeWei,
    raw,
    gasLimit,
    maxFeePerGas,
    maxPriorityFeePerGas,
    blockNumber: block.height,
    blockHash: block.hash,
  }));
  await recordUnexplained(tx, companyId, { chainId, address }, moved);
}
