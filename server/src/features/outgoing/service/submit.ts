import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { Stage } from '@causeway/contract/transactions.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import { databaseError, type Tx, together } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type Session, type SignedInContext } from '../../../platform/session.ts';
import { type ApprovalSubject, openTask, type Routing, readRoute, requireReview } from '../../approvals/index.ts';
import { findFiles } from '../../files/index.ts';
import { move, post, refusal } from '../../ledger/index.ts';
import { type AssessedSubject, lockRisk, openJudging } from '../../risk/index.ts';
import { insertTransactions, type NewTransaction } from '../../transactions/index.ts';
import type { AuthorisationClaims } from '../domain.ts';
import { outgoingEvents } from '../events.ts';
import type { OutgoingKind } from '../kind.ts';
import { postings } from '../postings.ts';
import { insertPaymentParts } from '../store/payments.ts';
import { refuseDenied } from './judge.ts';

/** Consumes the code that proves the content, inside its transaction; throws codeWrong, codeBurnt, mfaNotBound. */
export type VerifyCode = (
  tx: Tx,
  request: { session: Session; method: CodeMethod; code: string; digest: string },
) => Promise<{ method: string; id: string }>;

/** What the process that serves requests binds. */
export interface SubmitPorts {
  verifyCode: VerifyCode;
  /** Seals the authorisation that the signer verifies. */
  seal: Seal;
}

/** A payment whose own rules hold: what is to be judged, approved, held and written. Amounts in minor units. */
export interface Submission {
  id: string;
  walletId: string;
  /** Null where its rail is no chain. */
  chainId: string | null;
  coin: string;
  decimals: number;
  amountMinor: bigint;
  feeMinor: bigint;
  valueUsdCents: bigint;
  availableAccountId: string;
  outboundAccountId: string;
  payee: { id: string; name: string; account: string };
  payer: { name: string; account: string };
  notes: string;
  attachmentIds: readonly string[];
  /** SHA-256, hex, of the content: what code, approvals and authorisation are bound to. */
  digest: string;
  /** What risk looks at. */
  risk: AssessedSubject;
  subject: ApprovalSubject;
  /** What its task keeps and shows, and by which further words it is found. */
  task: { content: Record<string, unknown>; search: readonly string[] };
}

/**
 * Submits a payment: consumes the code, judges risk and finds the approval rule, then writes everything with the commit: the
 * transaction, the hold on amount and fee, the sealed authorisation, the task.
 * @throws DomainError idTaken, insufficientBalance, and those of code and approval; RememberedError riskRefused
 */
export async function submitPayment(
  tx: Tx,
  context: SignedInContext & SubmitPorts,
  kind: OutgoingKind,
  proof: { method: CodeMethod; code: string },
  payment: Submission,
): Promise<Stage> {
  const { session } = context;
  const { id, digest, valueUsdCents, feeMinor, amountMinor } = payment;
  // A wrong code is remembered, and with it whatever was written before: so nothing is, until it has proved right.
  const judged = { ...payment.risk, companyId: tx.companyId };
  const [proved, , judging, route, attachments] = await together([
    context.verifyCode(tx, { session, ...proof, digest }),
    lockRisk(tx, [tx.companyId]),
    openJudging(tx, [judged], 'submission'),
    readRoute(tx, { valueUsdCents, initiatorId: session.userId }),
    findFiles(tx, payment.attachmentIds),
  ]);
  // Risk first, approvals second (DECISIONS, "Approvals and risk").
  const weighed = judging.weigh(judged);
  judging.note(weighed);
  await refuseDenied(tx, judging, weighed, context.locale);
  const routing = requireReview(route, { initiatorId: session.userId, valueUsdCents, taskId: newId() });
  const claims: AuthorisationClaims = {
    version: 2,
    companyId: session.companyId,
    transferId: id,
    digest,
    initiatorId: session.userId,
    proof: proved,
    review: sealedReview(routing),
    issuedAt: context.clock.now().toISOString(),
  };
  const stage = routing.review === 'off' ? 'approved' : 'waiting_approval';
  const initiator = { id: session.userId, name: session.userName };

  tx.leave([
    ...judging.write(tx),
    write(tx, transactionOf(kind, payment, initiator, stage)),
    insertPaymentParts(tx, {
      id,
      attachmentIds: payment.attachmentIds,
      authorisation: context.seal(kind.seal, claims),
    }),
    hold(tx, payment, amountMinor + feeMinor),
    announce(tx, [
      ...(stage === 'approved' ? [{ name: outgoingEvents.approved, payload: { transactionId: id } }] : []),
      live('transaction', id),
      live('balance', null),
    ]),
    audit(tx, {
      actor: actorOf(context),
      action: kind.actions.submit,
      subjectKind: 'transaction',
      subjectId: id,
      detail: { digest, proof: proved.method, stage },
    }),
    openReview(tx, payment, routing, initiator, attachments),
  ]);
  return stage;
}

function transactionOf(
  kind: OutgoingKind,
  payment: Submission,
  initiator: { id: string; name: string },
  stage: Stage,
): NewTransaction {
  const { id, walletId, chainId, coin, amountMinor, feeMinor, payee, payer, notes, digest, valueUsdCents } = payment;
  return {
    id,
    type: kind.type,
    walletId,
    coin,
    quantityMinor: amountMinor,
    feeMinor,
    payeeId: payee.id,
    payeeName: payee.name,
    payeeAccount: payee.account,
    payerName: payer.name,
    payerAccount: payer.account,
    notes,
    initiator,
    digest,
    valueUsdCents,
    ...(chainId === null ? {} : { chain: { chainId } }),
    timeline: [{ stage: 'submitted', actor: initiator }, { stage }],
  };
}

/** Opens the task that its approvers decide on, where the company's rules ask for one. */
async function openReview(
  tx: Tx,
  payment: Submission,
  routing: Routing,
  initiator: { id: string; name: string },
  attachments: readonly unknown[],
): Promise<void> {
  if (routing.review === 'off') return;
  const { id, digest, coin, decimals, amountMinor, valueUsdCents, task, payee, notes } = payment;
  await openTask(tx, payment.subject, {
    subjectId: id,
    digest,
    routing,
    initiator,
    coin,
    decimals,
    amountMinor,
    valueUsdCents,
    content: { ...task.content, attachments },
    search: [payee.name, payee.account, notes, ...task.search],
  });
}

function sealedReview(routing: Routing): AuthorisationClaims['review'] {
  if (routing.review === 'off') return 'off';
  const { taskId, ruleId, ruleVersion, nodes } = routing;
  return { taskId, ruleId, ruleVersion, nodes: nodes.map(({ needed, people, roles }) => ({ needed, people, roles })) };
}

async function hold(tx: Tx, payment: Submission, totalMinor: bigint): Promise<void> {
  try {
    await post(tx, {
      id: newId(),
      kind: postings.hold,
      sourceId: payment.id,
      description: 'held for payment',
      legs: move(payment.availableAccountId, payment.outboundAccountId, totalMinor),
    });
  } catch (error) {
    // Another payment was quicker than this one's read: the locked balance decides.
    if (error instanceof DomainError && error.key === 'insufficientBalance') {
      throw refusal('insufficientBalance', { coin: payment.coin }, 'amount');
    }
    throw error;
  }
}

async function write(tx: Tx, transaction: NewTransaction): Promise<void> {
  try {
    await insertTransactions(tx, [transaction]);
  } catch (error) {
    if (databaseError(error)?.constraint === 'transaction_pkey') throw new DomainError('idTaken');
    throw error;
  }
}
