import type { Address } from 'viem';
import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import type { Receipt } from '../../chains/index.ts';
import { accountsByKind, findPosting, type Leg, legsOf, move, post, reversed } from '../../ledger/index.ts';
import { transferEvents } from '../events.ts';
import { setConfirmations } from '../store/deposits.ts';
import {
  changeStage,
  type LifecycleRow,
  lockTransaction,
  placeTransaction,
  reopenTransaction,
} from '../store/lifecycle.ts';
import { lockSend, markFinal, markMined, reopenPayment, type Send } from '../store/sends.ts';
import { paymentOf } from './paying.ts';
import { release } from './release.ts';
import { repayDeficit, takeFromWallet } from './shortfall.ts';

/**
 * From a block to final. Nothing is posted before the chain's depth; a reorganisation deeper than that takes the
 * postings back, and the same payment is followed anew.
 */

const onItsWay = ['signing', 'broadcast', 'confirming'] as const;

/**
 * Takes back the postings of payments that were final in blocks that are gone: the latest first, and transfers before
 * the advances that paid for them.
 */
export async function takeBackFinals(tx: Tx, gone: readonly Send[]): Promise<void> {
  const order = [...gone].sort(
    (a, b) => (b.minedBlock ?? 0) - (a.minedBlock ?? 0) || b.kind.localeCompare(a.kind) || b.nonce - a.nonce,
  );
  for (const seen of order) {
    const send = await lockSend(tx, seen.paymentId, seen.attempt);
    if (send && send.finalAt !== null && send.minedHash === seen.minedHash) await takeBackFinal(tx, send);
  }
}

/** A block has the payment: a transfer shows it, an advance lets its transfer go on. */
export async function seeMined(tx: Tx, seen: Send, block: { height: number; hash: string }): Promise<void> {
  const send = await lockSend(tx, seen.paymentId, seen.attempt);
  if (!send || send.minedHash === block.hash) return;
  invariant(send.finalAt === null, 'a final payment is taken back before it moves');
  await markMined(tx, send, block);
  const { transferId, hash } = send;
  invariant(hash !== null, 'what is in a block was signed');
  if (send.kind === 'gas') {
    await announce(tx, [{ name: transferEvents.gasArrived, payload: { transactionId: transferId } }]);
    return;
  }
  await placeTransaction(tx, transferId, hash, block);
  await changeStage(tx, transferId, ['signing', 'broadcast'], { stage: 'confirming', hash });
  await announce(tx, [live('transaction', transferId)]);
}

/** The block that had the payment is gone, and no other has it: the stored bytes are offered to the nodes again. */
export async function seeVanished(tx: Tx, seen: Send): Promise<void> {
  const send = await lockSend(tx, seen.paymentId, seen.attempt);
  if (!send || send.minedHash !== seen.minedHash) return;
  invariant(send.finalAt === null, 'a final payment is taken back before it vanishes');
  await markMined(tx, send, null);
  if (send.kind === 'gas' || send.hash === null) return;
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
  if (send.kind === 'gas') return;
  if (await setConfirmations(tx, send.transferId, confirmations)) {
    await announce(tx, [live('transaction', send.transferId)]);
  }
}

/** The payment is final: its receipt, on which the nodes agree, says what is posted. */
export async function settle(tx: Tx, seen: Send, receipt: Receipt, confirmations: number): Promise<void> {
  const transfer = await lockTransaction(tx, seen.transferId);
  const send = await lockSend(tx, seen.paymentId, seen.attempt);
  if (!transfer || !send || send.finalAt !== null || send.minedHash !== receipt.blockHash) return;
  const { payment, contract } = await paymentOf(tx, transfer);
  if (send.kind === 'gas') {
    if (receipt.succeeded) await postAdvance(tx, send, payment.nativeWalletId);
  } else {
    const source = { kind: kindOf('gas.spent', send), sourceId: send.paymentId };
    await postNetworkFee(tx, source, payment.nativeWalletId, receipt.costWei);
    await setConfirmations(tx, transfer.id, confirmations);
    if (hasPaid(receipt, transfer, contract)) await complete(tx, send, transfer);
    else await fail(tx, send, transfer);
  }
  await markFinal(tx, send, receipt.costWei);
  await announce(tx, [live('transaction', transfer.id), live('balance', transfer.walletId)]);
}

/** A token's transaction may succeed without paying; only its Transfer of the whole amount to the payee counts. */
function hasPaid(receipt: Receipt, transfer: LifecycleRow, contract: Address | null): boolean {
  if (!receipt.succeeded || contract === null) return receipt.succeeded;
  return receipt.tokenTransfers.some(
    (moved) =>
      moved.contract.toLowerCase() === contract.toLowerCase() &&
      moved.to.toLowerCase() === transfer.payeeAccount?.toLowerCase() &&
      moved.amountMinor === transfer.quantityMinor,
  );
}

async function complete(tx: Tx, send: Send, transfer: LifecycleRow): Promise<void> {
  const { walletId, quantityMinor, feeMinor } = transfer;
  const accounts = await accountsByKind(tx, walletId, ['outbound', 'chain', 'fee']);
  const arrived: Leg[] = [
    { accountId: accounts.chain.id, amountMinor: quantityMinor },
    { accountId: accounts.fee.id, amountMinor: feeMinor },
  ];
  const posting = { kind: kindOf('transfer.settle', send), sourceId: transfer.id, description: 'transfer settled' };
  if (transfer.status === 'failed') {
    // Its hold was given back, and it was paid after all: by a deep reorganisation, or before the database was restored.
    await takeFromWallet(tx, walletId, quantityMinor + feeMinor, posting, arrived);
  } else {
    const held = { accountId: accounts.outbound.id, amountMinor: -quantityMinor - feeMinor };
    await post(tx, { ...posting, id: newId(), legs: [held, ...arrived] });
  }
  await changeStage(tx, transfer.id, [...onItsWay, 'failed', 'refused', 'cancelled'], {
    stage: 'completed',
    status: 'completed',
    ...(send.hash === null ? {} : { hash: send.hash }),
  });
  await announce(tx, [{ name: transferEvents.completed, payload: { transactionId: transfer.id } }]);
}

async function fail(tx: Tx, send: Send, transfer: LifecycleRow): Promise<void> {
  const refundId = await release(tx, transfer, onItsWay, {
    stage: 'failed',
    reason: 'stage.reason.reverted',
    ...(send.hash === null ? {} : { hash: send.hash }),
  });
  if (refundId !== null) await repayDeficit(tx, transfer.walletId, refundId);
}

async function postAdvance(tx: Tx, send: Send, nativeWalletId: string): Promise<void> {
  const { chain, gas } = await accountsByKind(tx, nativeWalletId, ['chain', 'gas']);
  await post(tx, {
    id: newId(),
    kind: kindOf('gas.advanced', send),
    sourceId: send.paymentId,
    description: 'network fee advanced by the gas tank',
    legs: move(chain.id, gas.id, send.amountMinor),
  });
}

/** From the tank's advance; what a chain took beyond every reservation is the company's shortfall. */
export async function postNetworkFee(
  tx: Tx,
  source: { kind: string; sourceId: string },
  nativeWalletId: string,
  costWei: bigint,
): Promise<void> {
  const { chain, gas, deficit } = await accountsByKind(tx, nativeWalletId, ['chain', 'gas', 'deficit']);
  const covered = costWei > gas.balanceMinor ? gas.balanceMinor : costWei;
  await post(tx, {
    id: newId(),
    ...source,
    description: 'network fee',
    legs: [
      { accountId: gas.id, amountMinor: -covered },
      { accountId: deficit.id, amountMinor: covered - costWei },
      { accountId: chain.id, amountMinor: costWei },
    ],
  });
}

/** A payment that is final for the second time has postings of its own. */
function kindOf(kind: string, send: Send): string {
  return send.finals === 0 ? kind : `${kind}.${send.finals + 1}`;
}

/** Turns round what was posted when the payment was final, and opens it again. */
async function takeBackFinal(tx: Tx, send: Send): Promise<void> {
  const last = { ...send, finals: send.finals - 1 };
  const kinds: [sourceId: string, kind: string][] =
    send.kind === 'gas'
      ? [[send.paymentId, 'gas.advanced']]
      : [
          [send.transferId, 'transfer.settle'],
          [send.paymentId, 'gas.spent'],
        ];
  for (const [sourceId, kind] of kinds) {
    const postingId = await findPosting(tx, sourceId, kindOf(kind, last));
    if (postingId === null) continue;
    await post(tx, {
      id: newId(),
      kind: `${kindOf(kind, last)}.undone`,
      sourceId,
      description: 'taken back after a reorganisation',
      correctsId: postingId,
      legs: reversed(await legsOf(tx, postingId)),
    });
  }
  await reopenPayment(tx, send.paymentId);
  if (send.kind === 'transfer') await reopenTransaction(tx, send.transferId, 'stage.reason.reorganised');
}
