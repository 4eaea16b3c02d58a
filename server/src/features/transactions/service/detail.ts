import type { OutputInput } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { BankReason, getTransaction, TransactionDetail } from '@causeway/contract/transactions.ts';
import { isCancellable, transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { hasText, translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { secondsUntilFinal } from '../../chains/index.ts';
import { findFiles } from '../../files/index.ts';
import { readStages, readTransactions, type TransactionRow } from '../store/reading.ts';
import type { Obstruction, TransactionParts } from './parts.ts';
import { asTransaction, exchangeOf, isByCard, recordedValueOf, waitsForBlock } from './view.ts';

/**
 * One transaction with its timeline, what it waits for, and whether the person reading may cancel it.
 * @throws DomainError notFound
 */
export async function describe(
  tx: Tx,
  context: Pick<SignedInContext, 'session' | 'locale' | 'clock'> & TransactionParts,
  { id }: { id: string },
): Promise<OutputInput<typeof getTransaction>> {
  const { session, locale } = context;
  const row = await readTransaction(tx, id);
  const stages = await readStages(tx, id);
  const hashes = await context.findHashes(tx, id);
  const { approvedAs } = transactionLives[row.type];
  const approval = approvedAs === null ? null : await context.approvalOf(tx, approvedAs, id, { session, locale });
  const obstruction = row.status === 'pending' ? await context.findObstruction(tx, id) : null;
  const networkFee = await context.networkFeeOf(tx, row, session);
  const reasonText = (reason: string | null) => reason && sentenceOf(reason, locale);
  return {
    ...asTransaction(row, locale),
    recordedValue: recordedValueOf(row),
    exchange: exchangeOf(row),
    valueDate: row.valueDate,
    bankReference: row.bankReference,
    timeline: stages.map(({ stage, at, actor, hash, reason, confirmations }) => ({
      stage,
      at: at.toISOString(),
      actor,
      hash,
      reason: reasonText(reason),
      confirmations,
    })),
    waitingFor: approval?.waitingFor ?? waitingFor(row, obstruction, locale),
    waitingSince: row.status === 'pending' ? row.stageAt.toISOString() : null,
    heldUp: obstruction !== null,
    expectedAt:
      obstruction === null ? expectedAt(row, context.clock.now(), hashes.length > 1 ? null : networkFee) : null,
    attachments: await findFiles(tx, await context.findAttachmentIds(tx, id)),
    notes: row.notes,
    hashes: hashes.length === 0 && row.hash !== null ? [row.hash] : hashes,
    explorerUrl: row.explorerUrl === null || row.hash === null ? null : explorerPage(row.explorerUrl, row.hash),
    blockNumber: row.blockNumber,
    networkFee,
    waiting: waitsForBlock(row) ? await context.waitingOf(tx, id) : null,
    cancellable:
      session.userId === row.initiatorId &&
      session.permissions.includes(approvedAs === 'exchange' ? 'exchange.create' : 'transfer.create') &&
      isCancellable(row.type, row.stage),
    approvalTaskId: approval?.taskId ?? null,
    decisions: (approval?.decisions ?? []).map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() })),
    ...(await context.testOf(tx, row)),
    payout: await context.payoutOf(tx, id, locale),
    batch: await context.batchOf(tx, id),
    trade: await context.tradeOf(tx, id),
    paymentRequest: await context.paymentRequestOf(tx, id),
    card: isByCard(row.type) ? await context.cardOf(tx, id) : null,
    exchanged: row.counterAsset === null ? null : await context.exchangeOf(tx, id, locale),
    // A rejection has its approver's own words.
    bankReason: bankReasonOf(row, locale),
    failureReason: (row.stage === 'refused' ? approval?.reason : null) ?? reasonText(row.failureReason),
  };
}

export async function readTransaction(tx: Tx, id: string): Promise<TransactionRow> {
  const [row] = await readTransactions(tx, [id]);
  if (!row) throw new DomainError('notFound');
  return row;
}

/**
 * When a transaction that is on its way on a chain is expected to be final; null when it is not, and when that moment has passed. One that
 * waits for a block waits as long as the level of its network fee lets expect; a replacement has paid to be in the next.
 */
function expectedAt(row: TransactionRow, now: Date, networkFee: TransactionDetail['networkFee']): string | null {
  const { blockTimeMs, confirmationsNeeded, blockNumber, confirmations } = row;
  if (row.status !== 'pending' || row.hash === null || blockTimeMs === null || confirmationsNeeded === null)
    return null;
  const chain = { blockTimeMs, confirmations: confirmationsNeeded };
  const inBlock = blockNumber !== null;
  const seconds = secondsUntilFinal(chain, inBlock ? (confirmations ?? 0) : null);
  const chosen = inBlock || networkFee === null ? 0 : networkFee.expectedSeconds - blockTimeMs / 1000;
  const at = (inBlock ? now : row.stageAt).getTime() + (seconds + chosen) * 1000;
  return at < now.getTime() ? null : new Date(at).toISOString();
}

/** The explorer's page of a transaction. */
export function explorerPage(base: string, hash: string): string {
  return `${base.replace(/\/+$/, '')}/tx/${hash}`;
}

/** Reasons are kept as the ids of sentences, so that each reader has them in their own language. */
export function sentenceOf(reason: string, locale: Locale): string {
  invariant(reason.startsWith('stage.reason.'), `${reason} is the id of a reason`);
  return translate(locale, hasText(locale, reason) ? reason : 'stage.reason.other');
}

/** Why a bank refused it or sent it back, or what it is the refund of; null where no bank said so. */
function bankReasonOf(
  { bankReason: code, bankWords: words, failureReason, refundReason }: TransactionRow,
  locale: Locale,
): BankReason | null {
  if (code === null && words === null) return null;
  const reason = failureReason ?? refundReason;
  return { code, words, sentence: reason && sentenceOf(reason, locale) };
}

/** What a pending transaction waits for; null when it is finished. */
function waitingFor(row: TransactionRow, obstruction: Obstruction | null, locale: Locale): string | null {
  if (row.status !== 'pending') return null;
  if (obstruction) {
    return translate(locale, obstruction.text, {
      transfer: obstruction.behind ?? '',
      chain: nameOfPlace(row.place, locale),
    });
  }
  const text = waitsForBlock(row) ? 'transaction.waiting.broadcast' : `transaction.waiting.${row.stage}`;
  const atBank = row.chainId === null ? `${text}.bank` : text;
  return translate(locale, hasText(locale, atBank) ? atBank : text, {
    confirmations: row.confirmations ?? 0,
    needed: row.confirmationsNeeded ?? 0,
    chain: nameOfPlace(row.place, locale),
  });
}
