import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import {
  asEvm,
  attemptsOf,
  type EvmSend,
  type Fees,
  gasApart,
  gasCommitments,
  insertSend,
  latestSends,
  lockSend,
  nonceAfterJournal,
  plainGas,
  type Send,
  setHastened,
  unsignedSend,
} from '../../chains/index.ts';
import { accountsByKind } from '../../ledger/index.ts';
import { type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import type { ChainPayment } from '../service/payment.ts';
import { lockUnsent } from '../service/refusing.ts';
import { waitForCoins } from '../settlement/waiting.ts';
import { type LockedSender, lockSender } from '../store/holds.ts';
import { isStillLying } from '../sweeps/store.ts';
import { setNextNonce } from './store/senders.ts';

/**
 * Giving out nonces and network fees. Under the lock of the sender's row: one payment at a time has a nonce and no
 * signature, so nonces have no gaps; and what open payments may cost is reserved, so gas is never promised twice.
 */

export interface Cost extends Fees {
  gasLimit: bigint;
}

export type Allotment =
  | { outcome: 'allotted'; send: Send }
  /** So much of the network fee is missing at the address. */
  | { outcome: 'short'; missingWei: bigint }
  /** Another payment of this address is being signed. */
  | { outcome: 'busy'; other: Send }
  /** The transfer is not, or no longer, to be sent. */
  | { outcome: 'ended' }
  /** The coins of the payment are not at the address. */
  | { outcome: 'uncovered' }
  /** The address is held until its transactions are explained; nothing is sent from there. */
  | { outcome: 'held' }
  /** The address has to be compared with the chain before it is given a nonce. */
  | { outcome: 'uncompared'; sender: LockedSender };

/** Whether the chain was asked for the sender's count of transactions lately enough to give it a nonce. */
export type IsCompared = (sender: LockedSender) => boolean;

/** The nonce that no payment has: neither by the address's row, nor by what the signer ever signed for it. */
async function freeNonce(tx: Tx, chainId: string, address: string, next: number): Promise<number> {
  return Math.max(next, await nonceAfterJournal(tx, chainId, address));
}

export function worstCost(cost: Cost): bigint {
  return cost.gasLimit * cost.maxFeePerGas;
}

/** Wei that the tank advanced to this address and that no open payment may need. */
async function spendableGas(tx: Tx, payment: ChainPayment): Promise<bigint> {
  const { chainId, fromAddress } = payment;
  const { gas } = await accountsByKind(tx, payment.nativeWalletId, ['gas']);
  const { arrivingWei, reservedWei } = await gasCommitments(tx, chainId, fromAddress);
  const { allWei, ownWei } = await gasApart(tx, chainId, fromAddress);
  return (ownWei ?? gas.balanceMinor - allWei) + arrivingWei - reservedWei;
}

/** The guard: under the lock under which the nonce is given, so that no hold can come between. */
function refusalOf(sender: LockedSender, isCompared: IsCompared): Allotment | null {
  if (sender.isHeld) return { outcome: 'held' };
  return isCompared(sender) ? null : { outcome: 'uncompared', sender };
}

/** What a payment may not be planned for: its coins, or its network fee. The sender is locked. */
export type LackOf = (tx: Tx, transfer: LifecycleRow, payment: ChainPayment, cost: Cost) => Promise<Allotment | null>;

/**
 * Of a company's payment. Coins that exchanges owe the company are settled first, and coins at its further addresses swept, where its books say that they
 * are why it lacks them. A sweep whose deposit was taken back has nothing to move.
 */
const lackOfCompany: LackOf = async (tx, transfer, payment, cost) => {
  if (
    payment.isSweep &&
    !(await isStillLying(tx, { ...transfer, address: payment.fromAddress, amountMinor: payment.amountMinor }))
  ) {
    return { outcome: 'uncovered' };
  }
  const missingWei = worstCost(cost) - (await spendableGas(tx, payment));
  if (missingWei > 0n) return { outcome: 'short', missingWei };
  return (await waitForCoins(tx, transfer)) ? { outcome: 'uncovered' } : null;
};

/** Gives a transfer that is to be sent its nonce, once: another caller finds the same. */
export async function allotTransfer(
  tx: Tx,
  payment: ChainPayment,
  cost: Cost,
  isCompared: IsCompared,
  lackOf: LackOf = lackOfCompany,
): Promise<Allotment> {
  // The transfer before the address: what ends or pauses a transfer that has no attempt holds the same lock.
  const transfer = await lockUnsent(tx, payment.transferId);
  const sender = await lockSender(tx, payment.chainId, payment.fromAddress);
  const [known] = await latestSends(tx, payment.transferId, 'transfer');
  if (known) return { outcome: 'allotted', send: known };
  if (!transfer) return { outcome: 'ended' };
  const refused = refusalOf(sender, isCompared);
  if (refused) return refused;
  const lacking = await lackOf(tx, transfer, payment, cost);
  if (lacking) return lacking;
  const other = await unsignedSend(tx, payment.chainId, payment.fromAddress);
  if (other) return { outcome: 'busy', other };
  const { transferId, chainId, fromAddress, amountMinor } = payment;
  const nonce = await freeNonce(tx, chainId, fromAddress, sender.nextNonce);
  const send = await insertSend(tx, {
    ...cost,
    paymentId: transferId,
    attempt: 1,
    kind: 'transfer',
    transferId,
    chainId,
    fromAddress,
    nonce,
    amountMinor,
  });
  await setNextNonce(tx, chainId, fromAddress, nonce + 1);
  return { outcome: 'allotted', send };
}

/** Gives an advance from the gas tank its nonce; one that is on its way already is answered instead. */
export async function allotTopUp(
  tx: Tx,
  payment: ChainPayment,
  tankAddress: string,
  amountWei: bigint,
  cost: Cost,
  isCompared: IsCompared,
): Promise<Allotment> {
  const sender = await lockSender(tx, payment.chainId, tankAddress);
  const onItsWay = (await latestSends(tx, payment.transferId, 'gas')).find(
    (send) => send.finalAt === null && send.minedBlock === null,
  );
  if (onItsWay) return { outcome: 'allotted', send: onItsWay };
  const refused = refusalOf(sender, isCompared);
  if (refused) return refused;
  const other = await unsignedSend(tx, payment.chainId, tankAddress);
  if (other) return { outcome: 'busy', other };
  const nonce = await freeNonce(tx, payment.chainId, tankAddress, sender.nextNonce);
  const send = await insertSend(tx, {
    ...cost,
    paymentId: newId(),
    attempt: 1,
    kind: 'gas',
    transferId: payment.transferId,
    chainId: payment.chainId,
    fromAddress: tankAddress,
    nonce,
    amountMinor: amountWei,
  });
  await setNextNonce(tx, payment.chainId, tankAddress, nonce + 1);
  return { outcome: 'allotted', send };
}

/**
 * Gives a stuck payment another attempt under the same nonce. A transfer's dearer fee must be covered by the address's
 * gas; the tank pays its own.
 */
export async function allotReplacement(
  tx: Tx,
  stuck: EvmSend,
  fees: Fees,
  payment: ChainPayment | null,
): Promise<Allotment> {
  const { isHeld } = await lockSender(tx, stuck.chainId, stuck.fromAddress);
  if (isHeld) return { outcome: 'held' };
  const newer = await lockSend(tx, stuck.paymentId, stuck.attempt + 1);
  if (newer) return { outcome: 'allotted', send: newer };
  const cost = { ...fees, gasLimit: stuck.gasLimit };
  if (payment) {
    const missingWei = worstCost(cost) - worstCost(stuck) - (await spendableGas(tx, payment));
    if (missingWei > 0n) return { outcome: 'short', missingWei };
  }
  // Once for a wish: what the signer refuses, for its cost, is tried again in its time and not in every round.
  if (stuck.hastenedAt !== null) await setHastened(tx, stuck, false);
  return { outcome: 'allotted', send: await insertSend(tx, { ...stuck, ...cost, attempt: stuck.attempt + 1 }) };
}

/**
 * Gives a payment an empty transaction under its nonce, once. Its fee is above that of every attempt that was signed, and what of it the payment's
 * own reservation does not cover must be at the address.
 * @param feesAbove the fees above those of these attempts
 */
export async function allotEmpty(
  tx: Tx,
  payment: ChainPayment,
  feesAbove: (signed: readonly Fees[]) => Fees,
): Promise<Allotment> {
  const transfer = await lockTransaction(tx, payment.transferId);
  const { isHeld } = await lockSender(tx, payment.chainId, payment.fromAddress);
  const attempts = (await attemptsOf(tx, payment.transferId)).map(asEvm);
  const [newest] = attempts;
  if (newest?.isEmpty) return { outcome: 'allotted', send: newest };
  const signed = attempts.filter(({ hash }) => hash !== null);
  const isOver = attempts.some(({ minedBlock, finalAt }) => minedBlock !== null || finalAt !== null);
  if (transfer?.status !== 'pending' || !newest || signed.length === 0 || isOver) return { outcome: 'ended' };
  if (isHeld) return { outcome: 'held' };
  const cost = { gasLimit: plainGas, ...feesAbove(signed) };
  const reservedWei = attempts.map(worstCost).reduce((most, one) => (one > most ? one : most), 0n);
  const missingWei = worstCost(cost) - reservedWei - (await spendableGas(tx, payment));
  if (missingWei > 0n) return { outcome: 'short', missingWei };
  const empty = { ...newest, ...cost, attempt: newest.attempt + 1, amountMinor: 0n, isEmpty: true };
  return { outcome: 'allotted', send: await insertSend(tx, empty) };
}
