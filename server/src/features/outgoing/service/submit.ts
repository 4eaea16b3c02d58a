import type { CodeMethod, CodeSubject } from '@causeway/contract/identity.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { Stage } from '@causeway/contract/transactions.ts';
import { type AuditEntry, auditAll } from '../../../platform/audit/record.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import { type CompaniesTx, databaseError, together } from '../../../platform/database/database.ts';
import { announceAll, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import {
  type ApprovalSubject,
  openTasks,
  type Route,
  type Routing,
  readRoutes,
  requireReview,
} from '../../approvals/index.ts';
import { move, postAll, refusal } from '../../ledger/index.ts';
import { type Affiliation, findAffiliations } from '../../organisation/index.ts';
import { type AssessedSubject, type Judging, lockRisk, openJudging, riskSentence } from '../../risk/index.ts';
import { type CompanysTransaction, insertAllTransactions, keepCategories } from '../../transactions/index.ts';
import type { AuthorisationClaims } from '../domain.ts';
import { outgoingEvents } from '../events.ts';
import type { OutgoingKind } from '../kind.ts';
import { postings } from '../postings.ts';
import { type BankPart, insertPaymentParts } from '../store/payments.ts';

/** Whose code is to prove a payment. */
interface Prover {
  companyId: string;
  userId: string;
  method: CodeMethod;
  subject: CodeSubject;
}

/** The codes of those who submit; identity judges them one after another in memory. */
interface Proofs {
  /** Throws codeWrong, codeBurnt, transferCodeMismatch, mfaNotBound, codeForAdministrator; a right code stays good until `use`. */
  prove: (request: Prover & { code: string; digest: string }) => { proof: { method: string; id: string }; use(): void };
  /** Issues the statements that write what was used, and the wrong tries that were counted. */
  write(tx: CompaniesTx): Promise<unknown>[];
}

/** What the process that serves requests binds. */
export interface SubmitPorts {
  /** Locks and reads the codes that prove these people's payments. */
  openProofs(tx: CompaniesTx, people: readonly Prover[]): Promise<Proofs>;
  /** Seals the authorisation that the signer verifies. */
  seal: Seal;
}

/** Who submits what kind of payment, with which code. */
export interface Applicant {
  kind: OutgoingKind;
  context: SignedInContext & SubmitPorts;
  proof: { method: CodeMethod; code: string };
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
  /** The most of the coin that the operator lets the company submit within its day, fees not counted; null: no limit. */
  dailyLimitMinor: bigint | null;
  valueUsdCents: bigint;
  /** What is paid from, as it was read. */
  available: { accountId: string; balanceMinor: bigint };
  outboundAccountId: string;
  payee: { id: string; name: string; account: string };
  payer: { name: string; account: string };
  notes: string;
  invoiceNumber: string | null;
  /** What it is filed under; a new one joins the company's list. */
  category: { name: string; isNew: boolean } | null;
  attachmentIds: readonly string[];
  /** Of a payment out of a bank. */
  bank: BankPart | null;
  /** SHA-256, hex, of the content: what code, approvals and authorisation are bound to. */
  digest: string;
  /** What risk looks at. */
  risk: AssessedSubject;
  subject: ApprovalSubject;
  /** What its task keeps and shows, and by which further words it is found. */
  task: { content: Record<string, unknown>; search: readonly string[] };
}

/** A payment with the person who submits it. */
export interface Submitted extends Applicant {
  payment: Submission;
}

/** What is locked and read for the payments of a transaction before their content is known. */
export interface OpenSubmissions {
  proofs: Proofs;
  /** To what initiators belong, by the member's id: risk and the approval rules judge by the same. */
  affiliations: ReadonlyMap<string, Affiliation>;
}

/**
 * Locks what submissions need, in this order: the guards of codes, then the companies' risk. What is issued after it is read
 * behind these locks.
 */
export async function openSubmissions(tx: CompaniesTx, applicants: readonly Applicant[]): Promise<OpenSubmissions> {
  const people = applicants.map(({ context: { session }, kind, proof: { method } }) => ({
    companyId: session.companyId,
    userId: session.userId,
    method,
    subject: kind.codeSubject,
  }));
  const [first] = applicants;
  invariant(first, 'a batch has an applicant');
  const members = people.map(({ companyId, userId: memberId }) => ({ companyId, memberId }));
  const [proofs, , affiliations] = await together([
    first.context.openProofs(tx, people),
    lockRisk(
      tx,
      people.map(({ companyId }) => companyId),
    ),
    // Once for risk and for the rules: a member who is moved meanwhile is judged by one department or the other, not by both.
    findAffiliations(tx, members),
  ]);
  return { proofs, affiliations: new Map(members.map(({ memberId }, i) => [memberId, found(affiliations[i])])) };
}

/**
 * Submits payments of several companies in one transaction, each as if it came alone and after those before it: consumes its code,
 * judges risk, finds the approval rule, and leaves for the commit the transaction, the hold on amount and fee, the sealed
 * authorisation, the task.
 * @returns the stage of each, in order; or why it is refused: insufficientBalance, idTaken, amountAboveDailyLimit, those of code and approval (DomainError), or
 * a wrong code or riskRefused (RememberedError), of which the record is left for the commit too
 * @throws DomainError at the commit: idTaken, insufficientBalance, where another transaction was quicker
 */
export async function submitPayments(
  tx: CompaniesTx,
  { proofs, affiliations }: OpenSubmissions,
  submitted: readonly Submitted[],
): Promise<Outcome<Stage>[]> {
  const [judging, routes] = await together([
    openJudging(
      tx,
      submitted.map(({ context: { session }, payment }) => ({
        companyId: session.companyId,
        ...payment.risk,
        affiliation: found(affiliations.get(session.userId)),
      })),
      'submission',
    ),
    readRoutes(
      tx,
      submitted.map(({ context: { session }, payment: { valueUsdCents } }) => ({
        companyId: session.companyId,
        valueUsdCents,
        initiatorId: session.userId,
        affiliation: found(affiliations.get(session.userId)),
      })),
    ),
  ]);
  const decisions: Decisions = { proofs, judging, held: new Map(), accepted: [] };
  const outcomes = submitted.map((each, index) => outcomeOf(() => decide(decisions, each, routes[index])));
  tx.leave([...proofs.write(tx), ...judging.write(tx), ...writing(tx, decisions.accepted)]);
  return outcomes;
}

function found(affiliation: Affiliation | undefined): Affiliation {
  invariant(affiliation, 'for each who submits it was read to what they belong');
  return affiliation;
}

/** What the decisions of a transaction have come to so far. */
interface Decisions {
  proofs: Proofs;
  judging: Judging;
  /** Minor units that earlier payments hold of an account. */
  held: Map<string, bigint>;
  accepted: Accepted[];
}

interface Accepted extends Submitted {
  routing: Routing;
  stage: Stage;
  proved: { method: string; id: string };
}

/**
 * Decides one payment after those before it. A wrong code is remembered, and so is what risk denies; everything else that refuses
 * leaves the code as good as before.
 */
function decide(decisions: Decisions, submitted: Submitted, route: Route | undefined): Stage {
  invariant(route, 'a route was read for each payment');
  const { proofs, judging, held, accepted } = decisions;
  const { context, kind, proof, payment } = submitted;
  const { companyId, userId } = context.session;
  const { available, amountMinor, feeMinor, valueUsdCents, digest } = payment;
  const before = held.get(available.accountId) ?? 0n;
  const total = amountMinor + feeMinor;
  if (before + total > available.balanceMinor) throw refusal('insufficientBalance', {}, 'amount');
  const proved = proofs.prove({ companyId, userId, subject: kind.codeSubject, ...proof, digest });
  // Risk first, approvals second (DECISIONS, "Approvals and risk").
  const weighed = judging.weigh({ companyId, ...payment.risk });
  if (!weighed.verdict.allowed) {
    judging.note(weighed);
    proved.use();
    throw new RememberedError('riskRefused', { reason: riskSentence(context.locale, weighed.verdict) });
  }
  refuseAboveDailyLimit(payment, weighed.assessment.inputs.windows.day.quantityMinor);
  const routing = requireReview(route, { initiatorId: userId, valueUsdCents, taskId: newId() });
  judging.note(weighed);
  proved.use();
  held.set(available.accountId, before + total);
  const stage = routing.review === 'off' ? 'approved' : 'waiting_approval';
  accepted.push({ ...submitted, routing, stage, proved: proved.proof });
  return stage;
}

/**
 * The operator's limit on a day, by what risk counted of the coin on the company's day: under its lock, with those accepted before in this transaction,
 * without what failed or was cancelled.
 */
function refuseAboveDailyLimit(
  { dailyLimitMinor, amountMinor, decimals, coin }: Submission,
  submittedMinor: bigint,
): void {
  if (dailyLimitMinor === null || submittedMinor + amountMinor <= dailyLimitMinor) return;
  const left = dailyLimitMinor > submittedMinor ? dailyLimitMinor - submittedMinor : 0n;
  const [limit, most] = [sayAmount(dailyLimitMinor, decimals), sayAmount(left, decimals)];
  throw refusal('amountAboveDailyLimit', { limit, left: most, coin }, 'amount');
}

/** The statements that write what was accepted, in the order in which rows are locked. */
function writing(tx: CompaniesTx, accepted: readonly Accepted[]): Promise<unknown>[] {
  if (accepted.length === 0) return [];
  const each = <T>(of: (one: Accepted, companyId: string) => T) =>
    accepted.map((one) => ({ companyId: one.context.session.companyId, ...of(one, one.context.session.companyId) }));
  return [
    insertAllTransactions(tx, each(transactionOf)).catch((error: unknown) => {
      throw databaseError(error)?.constraint === 'transaction_pkey' ? new DomainError('idTaken') : error;
    }),
    ...keepCategories(
      tx,
      each(({ payment: { category } }) => ({ category })).flatMap(({ companyId, category }) =>
        category?.isNew ? [{ companyId, category: category.name }] : [],
      ),
    ),
    insertPaymentParts(
      tx,
      each((one) => ({
        id: one.payment.id,
        coin: one.payment.coin,
        attachmentIds: one.payment.attachmentIds,
        bank: one.payment.bank,
        authorisation: one.context.seal(one.kind.seal, claimsOf(one)),
      })),
    ),
    // Another payment was quicker than this one's read: the locked balance decides. Of several, each is then tried alone.
    postAll(tx, each(holdOf)).catch((error: unknown) => {
      throw error instanceof DomainError && error.key === 'insufficientBalance'
        ? refusal('insufficientBalance', {}, 'amount')
        : error;
    }),
    announceAll(
      tx,
      accepted.flatMap((one) => eventsOf(one).map((event) => ({ companyId: one.context.session.companyId, ...event }))),
    ),
    auditAll(tx, each(entryOf)),
    ...openTasks(tx, accepted.flatMap(taskOf)),
  ];
}

function initiatorOf({ context: { session } }: Applicant): { id: string; name: string } {
  return { id: session.userId, name: session.userName };
}

function transactionOf(accepted: Accepted): Omit<CompanysTransaction, 'companyId'> {
  const { kind, payment, stage } = accepted;
  const { id, walletId, chainId, coin, amountMinor, feeMinor, payee, payer, notes, digest, valueUsdCents } = payment;
  const initiator = initiatorOf(accepted);
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
    invoiceNumber: payment.invoiceNumber,
    category: payment.category?.name ?? null,
    payeeChangedUntil: payment.bank?.changed?.until ?? null,
    initiator,
    digest,
    valueUsdCents,
    ...(chainId === null ? {} : { chain: { chainId } }),
    timeline: [{ stage: 'submitted', actor: initiator }, { stage }],
  };
}

function claimsOf({ context, payment, proved, routing }: Accepted): AuthorisationClaims {
  const { session, clock } = context;
  return {
    version: 2,
    companyId: session.companyId,
    transferId: payment.id,
    digest: payment.digest,
    initiatorId: session.userId,
    proof: proved,
    review: sealedReview(routing),
    issuedAt: clock.now().toISOString(),
  };
}

function sealedReview(routing: Routing): AuthorisationClaims['review'] {
  if (routing.review === 'off') return 'off';
  const { taskId, ruleId, ruleVersion, nodes } = routing;
  return { taskId, ruleId, ruleVersion, nodes: nodes.map(({ needed, people, roles }) => ({ needed, people, roles })) };
}

function holdOf({ payment }: Accepted) {
  const { id, available, outboundAccountId, amountMinor, feeMinor } = payment;
  return {
    id: newId(),
    kind: postings.hold,
    sourceId: id,
    description: 'held for payment',
    legs: move(available.accountId, outboundAccountId, amountMinor + feeMinor),
  };
}

function eventsOf({ payment: { id, bank }, stage }: Accepted) {
  return [
    ...(bank ? [{ name: outgoingEvents.toBank, payload: { transactionId: id } }] : []),
    ...(stage === 'approved' ? [{ name: outgoingEvents.approved, payload: { transactionId: id } }] : []),
    live('transaction', id),
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
  if (routing.review === 'off') return [];
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
        search: [payee.name, payee.account, notes, ...task.search],
      },
    },
  ];
}
