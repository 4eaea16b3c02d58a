import { type AuditEntry, auditAll } from '../../../platform/audit/record.ts';
import { type CompaniesTx, databaseError } from '../../../platform/database/database.ts';
import { announceAll, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf } from '../../../platform/session.ts';
import { slices } from '../../../platform/turns.ts';
import { openTasks } from '../../approvals/index.ts';
import { move, type Posting, postAll, refusal } from '../../ledger/index.ts';
import {
  insertAllTransactions,
  keepCategories,
  type NewTransaction,
  submittedEvent,
} from '../../transactions/index.ts';
import { postings } from '../postings.ts';
import type { Accepted, Applicant, Submission, SubmissionParts, Submitted } from '../submission.ts';

/** The hold of several, or of one. */
type Hold = Omit<Posting, 'correctsId'> & { companyId: string };

/**
 * Issues the statements that write what was accepted, as they are asked for, in the order in which rows are locked. `held`: when it was submitted and held, in
 * an earlier transaction, and the postings that give that back.
 */
export function* writeAccepted<Each extends Submitted>(
  tx: CompaniesTx,
  accepted: readonly Accepted<Each>[],
  parts: SubmissionParts<Each>,
  held?: { at: string; first: readonly Hold[] },
): Generator<Promise<unknown>> {
  if (accepted.length === 0) return;
  const companyOf = (one: Accepted) => one.context.session.companyId;
  const each = <T>(some: readonly Accepted<Each>[], of: (one: Accepted) => T) =>
    some.map((one) => ({ companyId: companyOf(one), ...of(one) }));
  for (const some of slices(accepted)) {
    yield insertAllTransactions(
      tx,
      some.flatMap((one) =>
        transactionsOf(one).map((row) => ({ companyId: companyOf(one), ...row, ...(held && { at: held.at }) })),
      ),
    ).catch((error: unknown) => {
      throw databaseError(error)?.constraint === 'transaction_pkey' ? new DomainError('idTaken') : error;
    });
  }
  yield* keepCategories(
    tx,
    accepted.flatMap((one) => {
      const { category } = one.payment;
      return category?.isNew ? [{ companyId: companyOf(one), category: category.name }] : [];
    }),
  );
  for (const some of slices(accepted)) yield* parts.write(tx, some);
  // In one statement, which locks all accounts in their order.
  yield holdAll(tx, [...(held?.first ?? []), ...each(accepted, postingOf)]);
  for (const some of slices(accepted)) {
    yield announceAll(
      tx,
      some.flatMap((one) =>
        [...parts.events(one), ...shownOf(one)].map((event) => ({ companyId: companyOf(one), ...event })),
      ),
    );
  }
  for (const some of slices(accepted)) yield auditAll(tx, each(some, entryOf));
  yield* openTasks(tx, accepted.flatMap(taskOf));
}

/** Another payment may be quicker than what this one read: the locked balance decides. Of several, each is then tried alone. */
export function holdAll(tx: CompaniesTx, holds: readonly Hold[]): Promise<void> {
  return postAll(tx, holds).catch((error: unknown) => {
    throw error instanceof DomainError && error.key === 'insufficientBalance'
      ? refusal('insufficientBalance', {}, 'amount')
      : error;
  });
}

function initiatorOf({ context: { session } }: Applicant): { id: string; name: string } {
  return { id: session.userId, name: session.userName };
}

/** What was accepted, and what is beside it where that was done at once. */
function transactionsOf(accepted: Accepted): NewTransaction[] {
  const { kind, payment } = accepted;
  const { id, walletId, chainId, coin, amountMinor, feeMinor, payee, payer, notes, digest, valueUsdCents } = payment;
  const initiator = initiatorOf(accepted);
  const done = doneAtOnce(accepted);
  const submitted: NewTransaction = {
    id,
    type: kind.type,
    walletId,
    coin,
    quantityMinor: amountMinor,
    feeMinor,
    payeeId: payee?.id ?? null,
    payeeName: payee?.name ?? null,
    payeeAccount: payee?.account ?? null,
    payerName: payer.name,
    payerAccount: payer.account,
    notes,
    invoiceNumber: payment.invoiceNumber,
    category: payment.category?.name ?? null,
    payeeChangedUntil: payee?.changedUntil ?? null,
    initiator,
    digest,
    valueUsdCents,
    relatedId: done?.twin?.id ?? null,
    ...payment.exchanged,
    ...(chainId === null ? {} : { chain: { chainId } }),
    timeline: [{ stage: 'submitted', actor: initiator }, { stage: accepted.stage }],
  };
  return done?.twin ? [submitted, done.twin] : [submitted];
}

function doneAtOnce({ routing, payment: { atOnce, rests } }: Accepted): Submission['atOnce'] {
  return routing.review === 'off' && !rests ? atOnce : undefined;
}

/** The hold, or all that is done at once. */
function postingOf(accepted: Accepted): Omit<Posting, 'correctsId'> {
  const { id, available, outboundAccountId, amountMinor, feeMinor, holdMinor } = accepted.payment;
  const ids = { id: newId(), sourceId: id };
  const done = doneAtOnce(accepted);
  if (done) return { ...ids, ...done.posting };
  const legs = move(available.accountId, outboundAccountId, holdMinor ?? amountMinor + feeMinor);
  return { ...ids, kind: postings.hold, description: 'held for payment', legs };
}

/**
 * Tells open pages to read again, and others that it was submitted, where nothing else that is announced shows it. Those that were
 * submitted together make pages read again once, when all are written.
 */
function shownOf(accepted: Accepted) {
  const isWaiting = accepted.stage === 'waiting_approval' || accepted.stage === 'waiting_rate';
  const submitted = isWaiting ? [submittedEvent(accepted.payment.id)] : [];
  if (accepted.joined) return submitted;
  const done = doneAtOnce(accepted);
  return [
    ...submitted,
    live('transaction', accepted.payment.id),
    ...(done?.twin ? [live('transaction', done.twin.id)] : []),
    live('balance', null),
  ];
}

function entryOf({ context, kind, payment, proved, stage }: Accepted): AuditEntry {
  return {
    actor: actorOf(context),
    action: kind.actions.submit,
    subjectKind: 'transaction',
    subjectId: payment.id,
    detail: {
      digest: payment.digest,
      proof: proved.method,
      stage,
      ...(payment.invoiceNumber !== null && { invoiceNumber: payment.invoiceNumber }),
      ...(payment.category !== null && { category: payment.category.name }),
    },
  };
}

/** The task that its approvers decide on, where the company's rules ask for one. */
function taskOf(accepted: Accepted): Parameters<typeof openTasks>[1][number][] {
  const { routing, payment, context } = accepted;
  if (routing.review === 'off' || accepted.joined) return [];
  const { id, digest, coin, decimals, amountMinor, valueUsdCents, task, payee, notes, subject } = payment;
  return [
    {
      companyId: context.session.companyId,
      subject,
      task: {
        subjectId: id,
        digest,
        routing,
        initiator: initiatorOf(accepted),
        coin,
        decimals,
        amountMinor,
        valueUsdCents,
        content: task.content,
        search: [...(payee ? [payee.name, payee.account] : []), notes, ...task.search],
      },
    },
  ];
}
