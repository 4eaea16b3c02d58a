import type { Stage } from '@causeway/contract/transfers.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { withdrawTask } from '../../approvals/index.ts';
import { isSameAttempt } from '../signing/journal-rules.ts';
import { clearNonce, explainAs, explanationAt, lockAttempts, setHash } from '../store/adopting.ts';
import { lockSender, setNextNonce } from '../store/holds.ts';
import {
  nonceAfterJournal,
  passJournaledNonces,
  type SignedPayment,
  signedFor,
  transfersToAdopt,
} from '../store/journal.ts';
import { changeStage, type LifecycleRow, lockTransaction } from '../store/lifecycle.ts';
import { deleteUnsigned, highestAttempt, insertSend } from '../store/sends.ts';
import { release } from './release.ts';
import { seeMined } from './settling.ts';
import { repayDeficit } from './shortfall.ts';
import type { SendingDependencies } from './surroundings.ts';

/**
 * Takes over what the signer's journal knows and the database, put back to an earlier moment, does not: a payment that was
 * signed keeps its nonce and its fees, so that the signer gives the same bytes again, and the watcher finds it by its hash.
 */

const reason = 'stage.reason.restored';
const unsigned: readonly Stage[] = ['submitted', 'waiting_approval', 'approved'];

/** Adopts, on one chain, every transfer whose entries the signer brought back. Nothing is signed or sent by this. */
export async function adoptLost(
  { database, log }: Pick<SendingDependencies, 'database' | 'log'>,
  chainId: string,
): Promise<void> {
  const lost = await database.withoutCompany(async (tx) => {
    await passJournaledNonces(tx, chainId);
    return transfersToAdopt(tx, chainId);
  });
  for (const [companyId, transferIds] of lost) {
    for (const transferId of transferIds) {
      await database
        .withCompany(companyId, (tx) => adopt(tx, transferId))
        .catch((error: unknown) => log.error({ err: error, companyId, transferId }, 'a payment could not be adopted'));
    }
  }
}

async function adopt(tx: Tx, transferId: string): Promise<void> {
  const isOpen = await withdrawTask(tx, 'transfer', transferId, { end: 'voided', reason });
  const transfer = await lockTransaction(tx, transferId);
  if (!transfer) return;
  const adopted = await adoptSigned(tx, transfer);
  if (adopted === 'adopted' && isOpen) await announce(tx, [live('transaction', transferId)]);
}

/**
 * Gives a locked transfer the payments that the journal has of it, and moves it to signing: it may be on the chain.
 * @returns `foreign` when its id was used for another payment, and the transfer was refused and its hold given back
 */
export async function adoptSigned(tx: Tx, transfer: LifecycleRow): Promise<'nothing' | 'adopted' | 'foreign'> {
  const signed = await signedFor(tx, transfer.id);
  if (signed.length === 0) return 'nothing';
  if (signed.some((payment) => payment.kind === 'transfer' && !isOf(payment, transfer))) {
    await refuse(tx, transfer);
    return 'foreign';
  }
  // The stage first: a payment that is in a block moves it on.
  if (signed.some((payment) => payment.kind === 'transfer')) {
    await changeStage(tx, transfer.id, unsigned, { stage: 'signing', reason });
  }
  for (const payments of inOrder(signed)) await adoptPayment(tx, payments);
  return 'adopted';
}

function isOf(payment: SignedPayment, transfer: LifecycleRow): boolean {
  return (
    payment.chainId === transfer.chainId &&
    payment.coin === transfer.coin &&
    payment.amountMinor === transfer.quantityMinor &&
    payment.toAddress === transfer.payeeAccount
  );
}

/** The entries of each payment; senders are locked in one order. */
function inOrder(signed: readonly SignedPayment[]): SignedPayment[][] {
  const byPayment = Map.groupBy(signed, (payment) => payment.paymentId);
  return [...byPayment.values()].sort((a, b) => ((a[0]?.fromAddress ?? '') < (b[0]?.fromAddress ?? '') ? -1 : 1));
}

async function adoptPayment(tx: Tx, entries: readonly SignedPayment[]): Promise<void> {
  const [first] = entries;
  if (!first) return;
  const { chainId, fromAddress, paymentId, nonce } = first;
  const { nextNonce } = await lockSender(tx, chainId, fromAddress);
  const known = await lockAttempts(tx, paymentId);
  const isKnown = (entry: SignedPayment) => known.some((send) => send.nonce === nonce && isSameAttempt(send, entry));
  if (entries.every(isKnown) && known.every((send) => send.hash !== null)) return;
  if (await isBooked(tx, first)) return;

  for (const send of known) {
    const entry = send.nonce === nonce ? entries.find((candidate) => isSameAttempt(candidate, send)) : undefined;
    if (!entry) await deleteUnsigned(tx, paymentId, send.attempt);
    else if (entry.txHash !== null) await setHash(tx, send, entry.txHash);
  }
  await clearNonce(tx, first);
  await insertAttempts(
    tx,
    entries.filter((entry) => !isKnown(entry)),
  );
  const free = await nonceAfterJournal(tx, chainId, fromAddress);
  if (free > nextNonce) await setNextNonce(tx, chainId, fromAddress, free);
  await placeFound(tx, entries);
}

/** Whether the books were corrected for this payment already: the gas tank's are corrected without the operator. */
async function isBooked(tx: Tx, payment: SignedPayment): Promise<boolean> {
  const state = await explanationAt(tx, payment);
  return state === 'booked' || (payment.kind === 'gas' && state !== null);
}

async function insertAttempts(tx: Tx, entries: readonly SignedPayment[]): Promise<void> {
  for (const entry of entries) {
    const { paymentId, kind, transferId, chainId, fromAddress, nonce, amountMinor } = entry;
    const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = entry;
    const attempt = (await highestAttempt(tx, chainId, fromAddress, nonce, paymentId)) + 1;
    const payment = { paymentId, attempt, kind, transferId, chainId, fromAddress, nonce, amountMinor };
    const send = await insertSend(tx, { ...payment, gasLimit, maxFeePerGas, maxPriorityFeePerGas });
    if (entry.txHash !== null) await setHash(tx, send, entry.txHash);
  }
}

/** A block that the watcher has read already may have one of the attempts. */
async function placeFound(tx: Tx, entries: readonly SignedPayment[]): Promise<void> {
  const [first] = entries;
  if (!first) return;
  const hashes = entries.flatMap(({ txHash }) => txHash ?? []);
  for (const { hash, block } of await explainAs(tx, first.chainId, hashes, first.transferId)) {
    const send = (await lockAttempts(tx, first.paymentId)).find((attempt) => attempt.hash === hash);
    if (send) await seeMined(tx, send, block);
  }
}

/** The id of a transfer that was submitted anew with another content: what was signed under it was another payment. */
async function refuse(tx: Tx, transfer: LifecycleRow): Promise<void> {
  const end = { stage: 'refused', reason: 'stage.reason.signerRefused' } as const;
  const refundId = await release(tx, transfer, [...unsigned, 'signing'], end);
  if (refundId === null) return;
  await repayDeficit(tx, transfer.walletId, refundId);
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: 'transfers.fail',
    subjectKind: 'transaction',
    subjectId: transfer.id,
    detail: { ...end },
  });
}
