import type { BatchRunContent, sendBatchAgain, submitBatch } from '@causeway/contract/batch-runs.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { audit } from '../../../platform/audit/record.ts';
import { type Tx, together } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import type { MoneyUseCase } from '../../../platform/http/route.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { ApprovalSubject } from '../../approvals/index.ts';
import { holdJoined, type JoinedRefusal, openJoined, submitJoined } from '../../outgoing/index.ts';
import { areTaken, lockTransactions } from '../../transactions/index.ts';
import { promisedBy } from '../../transfers/index.ts';
import {
  type BatchHead,
  insertRun,
  isRunTaken,
  lockHead,
  type NewEntry,
  type OpenRow,
  readOpenRows,
  readSentIds,
} from '../store/runs.ts';
import { enterRun } from './enter.ts';
import type { RunPorts } from './ports.ts';
import { type DecidedRun, keepQueued } from './queue.ts';
import {
  allOf,
  digestOf,
  findingsOf,
  type KnownPayees,
  type PreparedRow,
  prepareRows,
  type ReadRow,
  rankOf,
  readKnownPayees,
  refuseHigherFees,
} from './rows.ts';
import type { RunTask } from './subject.ts';

export type SubmitContext = SignedInContext & RunPorts & { subject: ApprovalSubject };

/** What is compared of a repeated request: the code is left out, since a person who asks for a new one still repeats the same run. */
function withoutCode<T extends { code: string; codeMethod: string }>({
  code: _code,
  codeMethod: _method,
  ...request
}: T) {
  return request;
}

/**
 * Submits a batch for the first time: all its rows are judged and held in one database transaction, each for a transaction of its own. A few are entered at once; where
 * there are many, what was decided is kept, and they are entered after the answer (docs/adr/0116-…).
 * @throws DomainError those of the call; RememberedError codeWrong, codeBurnt, transferCodeMismatch, and batchRowsRefused where risk denies a row
 */
export const submitting: MoneyUseCase<typeof submitBatch, RunPorts & { subject: ApprovalSubject }, undefined> = {
  request: withoutCode,
  makes: ({ id }) => id,
  async work(tx, context, body) {
    const batch = await lockBatch(tx, body);
    if (batch.runs > 0) throw new DomainError('batchSubmitted');
    return submit(tx, context, body, batch);
  },
};

/** The same of rows whose transactions all came to nothing. */
export const sendingAgain: MoneyUseCase<typeof sendBatchAgain, RunPorts & { subject: ApprovalSubject }, undefined> = {
  request: withoutCode,
  makes: ({ id }) => id,
  async work(tx, context, body) {
    const batch = await lockBatch(tx, body);
    if (batch.runs === 0) throw new DomainError('batchNotSubmitted');
    // Whether they came to nothing is read behind their locks: what pays one late after all waits, or was first.
    await lockTransactions(tx, await readSentIds(tx, batch.id));
    return submit(tx, context, body, batch);
  },
};

/** @throws DomainError batchNotFound, batchChanged */
async function lockBatch(tx: Tx, { batchId, version }: BatchRunContent): Promise<BatchHead> {
  const batch = await lockHead(tx, batchId);
  if (!batch || batch.isDiscarded) throw new DomainError('batchNotFound');
  if (batch.version !== version) throw new DomainError('batchChanged');
  return batch;
}

/** @throws DomainError batchNothingToSend, batchChanged, batchRowsWrong */
export function refuseUnready(rows: readonly OpenRow[], expected: number): void {
  if (rows.length === 0) throw new DomainError('batchNothingToSend');
  if (rows.length !== expected) throw new DomainError('batchChanged');
  if (
    rows.some(({ isWrong, payeeId, walletId, amountMinor }) => isWrong || !payeeId || !walletId || amountMinor === null)
  )
    throw new DomainError('batchRowsWrong');
}

type Submission = Body<typeof submitBatch> & Body<typeof sendBatchAgain>;

async function submit(
  tx: Tx,
  context: SubmitContext,
  body: Submission,
  batch: BatchHead,
): Promise<OutputInput<typeof submitBatch>> {
  const { session, locale, subject } = context;
  const { companyId, userId: initiatorId } = session;
  if (await isRunTaken(tx, body.id)) throw new DomainError('idTaken');
  const rows = await readOpenRows(tx, batch.id);
  refuseUnready(rows, body.rows);
  const proof = { method: body.codeMethod, code: body.code };
  const opened = await openJoined(tx, { context, proof, codeSubject: 'batch' });
  const [read, known] = await together([prepareRows(tx, context, body.id, rows), readKnownPayees(tx, rows)]);
  const payments = allOf(read, (error) => translate(locale, `error.${error.key}`, error.details));
  refuseHigherFees(payments, body.fees);
  const digest = digestOf(companyId, { id: body.id, batch }, rows, payments);
  const number = batch.runs + 1;
  const content: RunTask = { batchId: batch.id, batchName: batch.name, number, rows: rows.length };
  const [outcome, entries] = await together([
    submitJoined(tx, opened, {
      context,
      proof,
      codeSubject: 'batch',
      subject,
      id: body.id,
      digest,
      task: { content: { ...content }, search: [batch.name] },
      payments,
    }),
    // While the database reads what they are judged by.
    entriesOf(read, known),
  ]);
  if ('refusals' in outcome) throw refusalOf(context, rows, outcome);
  const { stage, valueUsdCents, decided } = outcome;
  const run = { id: body.id, batchId: batch.id, number, digest, initiatorId, valueUsdCents, rows: rows.length };
  const promises = promisedBy(payments.flatMap((each) => (hasPromise(each) ? [{ ...each, companyId }] : [])));
  tx.leave([
    insertRun(tx, run),
    audit(tx, {
      actor: actorOf(context),
      action: 'batches.submit',
      subjectKind: 'batch',
      subjectId: batch.id,
      detail: { name: batch.name, runId: body.id, digest, proof: body.codeMethod, rows: rows.length, stage },
    }),
    announce(tx, [live('batch', batch.id)]),
  ]);
  if (rows.length <= context.rowsAtOnce) await enterRun(tx, context, { entries, decided, promises }, null);
  else await queueRun(tx, context, body.id, { entries, decided, promises });
  return { id: body.id, batchId: batch.id, number, rows: rows.length, stage };
}

/** Holds all rows with one posting, and leaves it to a transaction of its own to enter them. */
async function queueRun(tx: Tx, { seal, queue }: SubmitContext, id: string, run: DecidedRun): Promise<void> {
  const ids = run.entries.map(({ transactionId }) => transactionId);
  if (await areTaken(tx, ids)) throw new DomainError('idTaken');
  holdJoined(tx, run.decided);
  await keepQueued(tx, seal, id, run);
  tx.afterCommit(() => queue.wake(tx.companyId));
}

/** The rows of a run, of which every one was prepared, in their order. */
async function entriesOf(read: readonly ReadRow[], known: KnownPayees): Promise<NewEntry[]> {
  const findings = findingsOf(read, known);
  return read.flatMap(({ row, outcome }) => {
    if (!('answer' in outcome)) return [];
    const found = findings.get(row.id) ?? [];
    return [{ rowId: row.id, transactionId: outcome.answer.payment.id, findings: found, rank: rankOf(found) }];
  });
}

function hasPromise(row: PreparedRow): row is PreparedRow & { network: NonNullable<PreparedRow['network']> } {
  return row.network !== undefined && row.network !== null;
}

/** Of all refusals the first is named; the check names each. What risk denied is remembered. */
function refusalOf(
  { locale }: Pick<SignedInContext, 'locale'>,
  rows: readonly OpenRow[],
  { refusals, denied }: { refusals: readonly JoinedRefusal[]; denied: boolean },
): DomainError {
  const [first] = refusals;
  invariant(first, 'something was refused');
  const { error, place } = first;
  const reason = translate(locale, `error.${error.key}`, error.details);
  const details = { count: refusals.length, number: rows[place]?.number ?? 0, reason };
  return denied ? new RememberedError('batchRowsRefused', details) : new DomainError('batchRowsRefused', details);
}
