import type { OutputInput } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { getTransaction } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { Session } from '../../../platform/session.ts';
import { hasText, translate } from '../../../platform/texts.ts';
import { approvalOf } from '../../approvals/index.ts';
import { findFiles } from '../../files/index.ts';
import { isCancellable } from '../domain.ts';
import {
  findObstruction,
  type Obstruction,
  readAttachmentIds,
  readBroadcastHashes,
  readStages,
  readTransactions,
  type TransactionRow,
} from '../store/reading.ts';
import { asTransaction } from './view.ts';

/**
 * One transaction with its timeline, what it waits for, and whether the person reading may cancel it.
 * @throws DomainError notFound
 */
export async function describe(
  tx: Tx,
  session: Session,
  id: string,
  locale: Locale,
): Promise<OutputInput<typeof getTransaction>> {
  const row = await readTransaction(tx, id);
  const stages = await readStages(tx, id);
  const hashes = await readBroadcastHashes(tx, id);
  const approval = row.type === 'chain_withdraw' ? await approvalOf(tx, 'transfer', id, { session, locale }) : null;
  const obstruction = row.status === 'pending' ? await findObstruction(tx, id) : null;
  const reasonText = (reason: string | null) => reason && sentenceOf(reason, locale);
  return {
    ...asTransaction(row, locale),
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
    attachments: await findFiles(tx, await readAttachmentIds(tx, id)),
    notes: row.notes,
    hashes: hashes.length === 0 && row.hash !== null ? [row.hash] : hashes,
    explorerUrl: row.explorerUrl === null || row.hash === null ? null : explorerUrl(row.explorerUrl, row.hash),
    blockNumber: row.blockNumber,
    cancellable:
      session.userId === row.initiatorId &&
      session.permissions.includes('transfer.create') &&
      isCancellable(row.type, row.status, row.stage),
    approvalTaskId: approval?.taskId ?? null,
    // A rejection has its approver's own words.
    failureReason: (row.stage === 'refused' ? approval?.reason : null) ?? reasonText(row.failureReason),
  };
}

export async function readTransaction(tx: Tx, id: string): Promise<TransactionRow> {
  const [row] = await readTransactions(tx, [id]);
  if (!row) throw new DomainError('notFound');
  return row;
}

/** The explorer's page of a transaction. */
function explorerUrl(base: string, hash: string): string {
  return `${base.replace(/\/+$/, '')}/tx/${hash}`;
}

/** Reasons are kept as the ids of sentences, so that each reader has them in their own language. */
export function sentenceOf(reason: string, locale: Locale): string {
  invariant(reason.startsWith('stage.reason.'), `${reason} is the id of a reason`);
  return translate(locale, hasText(locale, reason) ? reason : 'stage.reason.other');
}

/** What a pending transaction waits for; null when it is finished. */
function waitingFor(row: TransactionRow, obstruction: Obstruction | null, locale: Locale): string | null {
  if (row.status !== 'pending') return null;
  if (obstruction) {
    return translate(locale, `transaction.waiting.${obstruction.kind}`, {
      transfer: obstruction.behind ?? '',
      chain: row.chainName ?? '',
    });
  }
  return translate(locale, `transaction.waiting.${row.stage}`, {
    confirmations: row.confirmations ?? 0,
    needed: row.confirmationsNeeded ?? 0,
    chain: row.chainName ?? '',
  });
}
