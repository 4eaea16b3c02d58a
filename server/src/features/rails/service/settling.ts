import { type Tx, together } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import {
  attemptsOf,
  lockSend,
  markFinal,
  markMined,
  type Receipt,
  reopenPayment,
  type Send,
} from '../../chains/index.ts';
import { accountsByKind, move, post } from '../../ledger/index.ts';
import { fail, finalKind, outgoingEvents, reopen, settle as settlePayment, takeBack } from '../../outgoing/index.ts';
import {
  changeStage,
  type LifecycleRow,
  lockTransaction,
  placeTransaction,
  setConfirmations,
} from '../../transactions/index.ts';
import type { RailFamily } from '../family.ts';
import { resumeWaiting } from '../settlement/waiting.ts';
import { sweepType } from '../sweeps/domain.ts';
import { moveGas, noteUnsweptAgain } from '../sweeps/store.ts';
import { type ChainPayment, paymentOf } from './payment.ts';

/**
 * From a block to final. Nothing is posted before the chain's depth; a reorganisation deeper than that takes the
 * postings back, and the same payment is followed again.
 */

/** Locks the transaction and then its attempt: everything that locks both does so in this order, or two would wait for each other. */
export async function lockWithTransaction(
  tx: Tx,
  { transferId, paymentId, attempt }: Pick<Send, 'transferId' | 'paymentId' | 'attempt'>,
): Promise<{ transfer: LifecycleRow | null; send: Send | null }> {
  const [transfer, send] = await together([lockTransaction(tx, transferId), lockSend(tx, paymentId, attempt)]);
  return { transfer, send };
}

/**
 * Takes back the postings of payments that were final in blocks that are gone: the latest first, and transfers before
 * the advances that paid for them.
 */
export async function takeBackFinals(tx: Tx, gone: readonly Send[]): Promise<void> {
  const order = [...gone].sort(
    (a, b) =>
      (b.minedBlock ?? 0) - (a.minedBlock ?? 0) ||
      b.kind.localeCompare(a.kind) ||
      nonceOf(b) - nonceOf(a) ||
      a.paymentId.localeCompare(b.paymentId),
  );
  for (const seen of order) {
    const { transfer, send } = await lockWithTransaction(tx, seen);
    if (transfer && send && send.finalAt !== null && send.minedHash === seen.minedHash) {
      await takeBackFinal(tx, send, transfer);
    }
  }
}

/** In whose order a sender's payments were made, where its family counts them. */
function nonceOf(send: Send): number {
  return 'nonce' in send && typeof send.nonce === 'number' ? send.nonce : 0;
}

/** A block has the payment: a transfer shows it, an advance lets its transfer go on. */
export async function seeMined(tx: Tx, seen: Send, block: { height: number; hash: string }): Promise<void> {
  const { send } = await lockWithTransaction(tx, seen);
  if (!send || send.minedHash === block.hash) return;
  invariant(send.finalAt === null, 'a final payment is taken back before it moves');
  await markMined(tx, send, block);
  const { transferId, hash } = send;
  invariant(hash !== null, 'what is in a block was signed');
  if (send.kind === 'gas') {
    await announce(tx, [{ name: outgoingEvents.resumed, payload: { transactionId: transferId } }]);
    return;
  }
  // A block that has an empty transaction in its place has not the payment.
  if (!send.isEmpty) {
    await placeTransaction(tx, transferId, hash, block);
    await changeStage(tx, transferId, ['signing', 'broadcast'], { stage: 'confirming', hash });
  }
  await announce(tx, [live('transaction', transferId)]);
}

/** The block that had the payment is gone, and no other has it: the stored bytes are offered to the nodes again. */
export async function seeVanished(tx: Tx, seen: Send): Promise<void> {
  const { send } = await lockWithTransaction(tx, seen);
  if (!send || send.minedHash !== seen.minedHash) return;
  invariant(send.finalAt === null, 'a final payment is taken back before it vanishes');
  await markMined(tx, send, null);
  if (send.kind === 'gas' || send.hash === null || send.isEmpty) return;
  // Another attempt may be in a block by now: the blocks that have it were told first.
  const isElsewhere = (await attemptsOf(tx, send.paymentId)).some((one) => one.minedBlock !== null && !one.isEmpty);
  if (isElsewhere) return;
  await placeTransaction(tx, send.transferId, send.hash, null);
  await changeStage(tx, send.transferId, ['confirming'], {
    stage: 'broadcast',
    hash: send.hash,
    reason: 'stage.reason.reorganised',
  });
  await announce(tx, [live('transaction', send.transferId)]);
}

/** Writes how deep a payment lies by now. */
export async function confirmSend(tx: Tx, send: Send, confirmations: number): Promise<void> {
  if (send.kind === 'gas' || send.isEmpty) return;
  if (await setConfirmations(tx, send.transferId, confirmations)) {
    await announce(tx, [live('transaction', send.transferId)]);
  }
}

/**
 * The payment is final: its receipt, on which the nodes agree, says what is posted. Payments that one transaction makes are final together: each has
 * ended before what the network took is posted, so that none of what one gives back pays for it.
 */
export async function settle(
  tx: Tx,
  family: RailFamily,
  seen: Send,
  receipt: Receipt,
  confirmations: number,
): Promise<void> {
  const shared = (await family.sharedWith?.(tx, seen)) ?? [];
  const ended: Ended[] = [];
  for (const one of [seen, ...shared].sort((a, b) => (a.paymentId < b.paymentId ? -1 : 1))) {
    const end = await settleOne(tx, family, one, { receipt, confirmations });
    if (end) ended.push(end);
  }
  for (const { transfer, send, payment } of ended) {
    const networkFeeMinor = family.ownFee?.(send, receipt.networkFeeMinor) ?? receipt.networkFeeMinor;
    if (send.kind === 'transfer') {
      // After the payment: its own fee may be what covers the network's.
      const source = { kind: finalKind('gas.spent', send.finals), sourceId: send.paymentId };
      if (isBooked(payment)) await family.postNetworkFee(tx, payment, source, networkFeeMinor);
      if (payment.isSettlement || payment.isSweep) await resumeWaiting(tx, transfer.walletId);
    }
    await markFinal(tx, send, networkFeeMinor);
    if (payment.isSweep) await moveGas(tx, send.paymentId, 'done');
    await family.onFinal?.(tx, send);
    await announce(tx, [live('transaction', transfer.id), live('balance', transfer.walletId)]);
  }
}

interface Ended {
  transfer: LifecycleRow;
  send: Send;
  payment: ChainPayment;
}

/** What the treasury is advanced, and spends on network fees, is in no company's books. */
const isBooked = ({ payer }: ChainPayment) => payer === 'company';

/** @returns null where the payment was final already, or is in another block by now */
async function settleOne(
  tx: Tx,
  family: RailFamily,
  seen: Send,
  { receipt, confirmations }: { receipt: Receipt; confirmations: number },
): Promise<Ended | null> {
  const { transfer, send } = await lockWithTransaction(tx, seen);
  if (!transfer || !send || send.finalAt !== null || send.minedHash !== receipt.blockHash) return null;
  const payment = await paymentOf(tx, transfer);
  if (send.kind === 'gas') {
    if (receipt.succeeded && isBooked(payment)) await postAdvance(tx, send, payment.nativeWalletId);
    return { transfer, send, payment };
  }
  if (!send.isEmpty) await setConfirmations(tx, transfer.id, confirmations);
  if (send.isEmpty) {
    await fail(tx, transfer, { reason: 'stage.reason.replacedByEmpty', hash: send.hash });
  } else if (family.hasPaid(payment, receipt)) {
    const charged = (await family.chargeFee?.(tx, transfer, send)) ?? transfer;
    await settlePayment(tx, charged, { contra: 'chain', finals: send.finals, hash: send.hash });
  } else {
    await fail(tx, transfer, { reason: 'stage.reason.reverted', hash: send.hash });
  }
  return { transfer, send, payment };
}

async function postAdvance(tx: Tx, send: Send, nativeWalletId: string): Promise<void> {
  const { chain, gas } = await accountsByKind(tx, nativeWalletId, ['chain', 'gas']);
  await post(tx, {
    id: newId(),
    kind: finalKind('gas.advanced', send.finals),
    sourceId: send.paymentId,
    description: 'network fee advanced by the gas tank',
    legs: move(chain.id, gas.id, send.amountMinor),
  });
}

/** Reverses what was posted when the payment was final, and opens it again. */
async function takeBackFinal(tx: Tx, send: Send, { type, walletId, payerAccount }: LifecycleRow): Promise<void> {
  const finals = send.finals - 1;
  if (type === sweepType) {
    await moveGas(tx, send.paymentId, 'undone');
    if (payerAccount !== null) await noteUnsweptAgain(tx, walletId, payerAccount);
  }
  if (send.kind === 'gas') {
    await takeBack(tx, send.paymentId, finalKind('gas.advanced', finals));
  } else {
    await takeBack(tx, send.paymentId, finalKind('gas.spent', finals));
    await reopen(tx, send.transferId, { finals, stage: 'broadcast', reason: 'stage.reason.reorganised', walletId });
  }
  await reopenPayment(tx, send.paymentId);
}
