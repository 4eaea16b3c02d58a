import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { withdrawTask } from '../../approvals/index.ts';
import {
  deleteUnsigned,
  type Intent,
  insertSend,
  type SignedPayment,
  signedFor,
  transferKind,
  transfersToAdopt,
} from '../../chains/index.ts';
import { kindOf, type OutgoingKinds, refuse, subjectKindOf, unsentStages } from '../../outgoing/index.ts';
import { changeStage, findType, type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import type { Adoption, SendingDependencies } from '../family.ts';
import { restoreSettlement } from '../settlement/restoring.ts';
import { explainAs, lockAttempts, setHash } from '../store/adopting.ts';
import { lockSender } from '../store/holds.ts';
import { restoreSweep } from '../sweeps/restoring.ts';
import { endOf } from './refusing.ts';
import { seeMined } from './settling.ts';

/**
 * Takes over what the signer's journal knows and the database, put back to an earlier moment, does not: a payment that was
 * signed keeps what it spends and pays, so that the signer gives the same bytes again, and the watcher finds it by its hash.
 */

const reason = 'stage.reason.restored';

/** Adopts, on one chain, every transfer whose entries the signer brought back. Nothing is signed or sent by this. */
export async function adoptLost(
  { database, kinds, familyOf, log }: Pick<SendingDependencies, 'database' | 'kinds' | 'familyOf' | 'log'>,
  chainId: string,
): Promise<void> {
  const { adoption } = familyOf(chainId);
  const lost = await database.withoutCompany(async (tx) => {
    await adoption.passSigned(tx, chainId);
    return transfersToAdopt(tx, chainId);
  });
  for (const [companyId, transferIds] of lost) {
    for (const transferId of transferIds) {
      await database
        .withCompany(companyId, (tx) => adopt(tx, adoption, kinds, transferId))
        .catch((error: unknown) => log.error({ err: error, companyId, transferId }, 'a payment could not be adopted'));
    }
  }
}

async function adopt(tx: Tx, adoption: Adoption, kinds: OutgoingKinds, transferId: string): Promise<void> {
  const type =
    (await findType(tx, transferId)) ??
    (await restoreSettlement(tx, transferId)) ??
    (await restoreSweep(tx, transferId));
  if (type === null) return;
  // The task before the transaction, everywhere.
  const isOpen =
    transactionLives[type].approvedAs !== null &&
    (await withdrawTask(tx, subjectKindOf(type), transferId, { end: 'voided', reason }));
  const transfer = await lockTransaction(tx, transferId);
  if (!transfer) return;
  const adopted = await adoptSigned(tx, adoption, kinds, transfer);
  if (adopted === 'adopted' && isOpen) await announce(tx, [live('transaction', transferId)]);
}

/**
 * Gives a locked transfer the payments that the journal has of it, and moves it to signing: it may be on the chain.
 * @returns `foreign` when its id was used for another payment, and the transfer was refused and its hold given back
 */
export async function adoptSigned(
  tx: Tx,
  adoption: Adoption,
  kinds: OutgoingKinds,
  transfer: LifecycleRow,
): Promise<'nothing' | 'adopted' | 'foreign'> {
  const { signed, onOtherFamily } = await signedFor(tx, adoption.journal, transfer.id);
  if (onOtherFamily || signed.some((payment) => payment.kind === transferKind && !isOf(payment, transfer))) {
    // The id of a transfer that was submitted again with another content: what was signed under it was another payment.
    await refuse(tx, kindOf(kinds, transfer.type), transfer, [...unsentStages, 'signing'], {
      stage: endOf(transfer.type, 'refused'),
      reason: 'stage.reason.signerRefused',
    });
    return 'foreign';
  }
  if (signed.length === 0) return 'nothing';
  // The stage first: a payment that is in a block moves it on. What a transfer needs beside itself has another id.
  if (signed.some(({ paymentId }) => paymentId === transfer.id)) {
    await changeStage(tx, transfer.id, unsentStages, { stage: 'signing', reason });
  }
  for (const { account, entries } of await inOrder(tx, adoption, signed)) {
    await adoptPayment(tx, adoption, account, entries);
  }
  return 'adopted';
}

function isOf(payment: Intent, transfer: LifecycleRow): boolean {
  return (
    payment.chainId === transfer.chainId &&
    payment.coin === transfer.coin &&
    payment.amountMinor === transfer.quantityMinor &&
    payment.toAddress === transfer.payeeAccount
  );
}

type Signed = SignedPayment<Intent>;
interface PaymentEntries {
  account: string;
  entries: readonly [Signed, ...Signed[]];
}

/** The entries of each payment; accounts are locked in one order. */
async function inOrder(tx: Tx, adoption: Adoption, signed: readonly Signed[]): Promise<PaymentEntries[]> {
  const payments: PaymentEntries[] = [];
  for (const [first, ...others] of Map.groupBy(signed, ({ paymentId }) => paymentId).values()) {
    if (first) payments.push({ account: await adoption.accountOf(tx, first), entries: [first, ...others] });
  }
  return payments.sort((a, b) => (a.account < b.account ? -1 : 1));
}

async function adoptPayment(
  tx: Tx,
  adoption: Adoption,
  account: string,
  entries: PaymentEntries['entries'],
): Promise<void> {
  const { chainId, paymentId } = entries[0];
  const sender = await lockSender(tx, chainId, account);
  const known = await lockAttempts(tx, paymentId);
  const isKnown = (entry: Signed) => known.some((send) => adoption.isAttempt(send, entry));
  if (entries.every(isKnown) && known.every((send) => send.hash !== null)) return;
  if (await adoption.isBooked(tx, entries)) return;
  for (const send of known) {
    const entry = entries.find((candidate) => adoption.isAttempt(send, candidate));
    if (!entry) await deleteUnsigned(tx, paymentId, send.attempt);
    else if (entry.txHash !== null) await setHash(tx, send, entry.txHash);
  }
  await adoption.reserve(tx, entries, sender);
  for (const entry of entries.filter((each) => !isKnown(each))) {
    const send = await insertSend(tx, await adoption.attemptOf(tx, entry, account));
    if (entry.txHash !== null) await setHash(tx, send, entry.txHash);
  }
  await placeFound(tx, adoption, entries);
}

/** A block that the watcher has read already may have one of the attempts. */
async function placeFound(tx: Tx, adoption: Adoption, entries: PaymentEntries['entries']): Promise<void> {
  const { chainId, paymentId, transferId } = entries[0];
  const hashes = entries.flatMap(({ txHash }) => txHash ?? []);
  const output = adoption.outputOf?.(entries[0]) ?? null;
  for (const { hash, block } of await explainAs(tx, chainId, hashes, { transferId, output })) {
    const send = (await lockAttempts(tx, paymentId)).find((attempt) => attempt.hash === hash);
    if (send) await seeMined(tx, send, block);
  }
}
