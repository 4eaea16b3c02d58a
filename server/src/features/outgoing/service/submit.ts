import { sayAmount } from '@causeway/contract/money.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import { type CompaniesTx, together } from '../../../platform/database/database.ts';
import { invariant, RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { type Route, readRoutes, requireReview } from '../../approvals/index.ts';
import { refusal } from '../../ledger/index.ts';
import { type Affiliation, findAffiliations } from '../../organisation/index.ts';
import { type Judging, lockRisk, openJudging, riskSentence } from '../../risk/index.ts';
import type { SubmittedKind } from '../kind.ts';
import type {
  Accepted,
  Applicant,
  Proofs,
  Submission,
  SubmissionParts,
  Submitted,
  SubmittedPayment,
} from '../submission.ts';
import { paymentParts } from './payment-parts.ts';
import { writeAccepted } from './write-accepted.ts';

/** What is locked and read for the payments of a transaction before their content is known. */
export interface OpenSubmissions {
  proofs: Proofs;
  /** To what initiators belong, by the member's id: risk and the approval rules judge by the same. */
  affiliations: ReadonlyMap<string, Affiliation>;
}

/** Whose code proves what kind of thing. */
export interface Proving extends Pick<Applicant, 'context' | 'proof'> {
  kind: Pick<SubmittedKind, 'codeSubject'>;
}

/**
 * Locks what submissions need, in this order: the guards of codes, then the companies' risk. What is issued after it is read
 * behind these locks.
 */
export async function openSubmissions(tx: CompaniesTx, applicants: readonly Proving[]): Promise<OpenSubmissions> {
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

/** Submits payments that a rail carries. @returns and throws as `submitAll` */
export function submitPayments(
  tx: CompaniesTx,
  opened: OpenSubmissions,
  submitted: readonly SubmittedPayment[],
): Promise<Outcome<Stage>[]> {
  return submitAll(tx, opened, submitted, paymentParts);
}

/**
 * Submits for several companies in one transaction, each as if it came alone and after those before it: consumes its code,
 * judges risk, finds the approval rule, and leaves for the commit the transaction, the hold (or all that is done at once), its
 * parts, the task.
 * @returns the stage of each, in order; or why it is refused: insufficientBalance, idTaken, amountAboveDailyLimit, those of code and approval (DomainError), or
 * a wrong code or riskRefused (RememberedError), of which the record is left for the commit too
 * @throws DomainError at the commit: idTaken, insufficientBalance, where another transaction was quicker
 */
export async function submitAll<Each extends Submitted>(
  tx: CompaniesTx,
  { proofs, affiliations }: OpenSubmissions,
  submitted: readonly Each[],
  parts: SubmissionParts<Each>,
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
  const decisions: Decisions<Each> = {
    proofs,
    judging,
    held: new Map(),
    drawn: new Map(),
    used: new Set(),
    accepted: [],
  };
  const outcomes = submitted.map((each, index) => outcomeOf(() => decide(decisions, each, routes[index])));
  tx.leave([...proofs.write(tx), ...judging.write(tx), ...writeAccepted(tx, decisions.accepted, parts)]);
  return outcomes;
}

export function found(affiliation: Affiliation | undefined): Affiliation {
  invariant(affiliation, 'for each who submits it was read to what they belong');
  return affiliation;
}

/** What the decisions of a transaction have come to so far. */
interface Decisions<Each extends Submitted> {
  proofs: Proofs;
  judging: Judging;
  /** Minor units that earlier payments take from an account. */
  held: Map<string, bigint>;
  /** What earlier payments, done at once, have drawn of a shared limit, by its key. */
  drawn: Map<string, bigint>;
  /** What earlier ones have used up. */
  used: Set<string>;
  accepted: Accepted<Each>[];
}

/**
 * Decides one payment after those before it. A wrong code is remembered, and so is what risk denies; everything else that refuses
 * leaves the code as good as before.
 */
function decide<Each extends Submitted>(decisions: Decisions<Each>, submitted: Each, route: Route | undefined): Stage {
  invariant(route, 'a route was read for each payment');
  const { proofs, judging, held, drawn, used, accepted } = decisions;
  const { context, kind, proof, payment } = submitted;
  const { companyId, userId } = context.session;
  const { available, valueUsdCents, digest, uses, draws = [] } = payment;
  const total = payment.amountMinor + payment.feeMinor;
  const usedKey = `${companyId} ${uses?.key}`;
  if (uses && used.has(usedKey)) throw uses.refusal();
  for (const { key, minor, room, refusal } of draws) {
    if (room !== null && (drawn.get(key) ?? 0n) + minor > room) throw refusal();
  }
  const before = held.get(available.accountId) ?? 0n;
  const take = (minor: bigint) => {
    if (before + minor > available.balanceMinor) throw refusal('insufficientBalance', {}, 'amount');
    return minor;
  };
  take(total);
  const proved = proofs.prove({ companyId, userId, subject: kind.codeSubject, ...proof, digest });
  // Risk first, approvals second (DECISIONS, "Approvals and risk").
  const weighed = judging.weigh({ companyId, ...payment.risk });
  if (!weighed.verdict.allowed) {
    judging.note(weighed);
    proved.use();
    throw new RememberedError('riskRefused', { reason: riskSentence(context.locale, weighed.verdict) });
  }
  if (payment.paidOut) refuseAboveDailyLimit(payment.paidOut, weighed.submittedTodayMinor);
  refuseAboveDailyLimit(payment, weighed.submittedCoinsTodayMinor);
  const routing = requireReview(route, { initiatorId: userId, valueUsdCents, taskId: newId() });
  const taken = take(routing.review === 'off' ? total : (payment.holdMinor ?? total));
  judging.note(weighed);
  proved.use();
  if (uses) used.add(usedKey);
  held.set(available.accountId, before + taken);
  const stage = routing.review === 'off' ? stageAtOnce(payment) : 'waiting_approval';
  // What waits gets another price when it is approved, by the room of then.
  if (stage !== 'waiting_approval') for (const { key, minor } of draws) drawn.set(key, (drawn.get(key) ?? 0n) + minor);
  accepted.push({ ...submitted, routing, stage, proved: proved.proof });
  return stage;
}

/** The stage of what no one has to approve. */
function stageAtOnce({ atOnce, rests }: Submission): Stage {
  if (rests) return rests;
  return atOnce ? (atOnce.stage ?? 'completed') : 'approved';
}

/**
 * The operator's limit on a day, by what risk counted of the coin on the company's day, of transfers and exchanges together: under its lock, with those
 * accepted before in this transaction, without what failed or was cancelled.
 */
export function refuseAboveDailyLimit(
  { dailyLimitMinor, amountMinor, decimals, coin }: NonNullable<Submission['paidOut']>,
  submittedMinor: bigint,
): void {
  if (dailyLimitMinor === null || submittedMinor + amountMinor <= dailyLimitMinor) return;
  const left = dailyLimitMinor > submittedMinor ? dailyLimitMinor - submittedMinor : 0n;
  const [limit, most] = [sayAmount(dailyLimitMinor, decimals), sayAmount(left, decimals)];
  throw refusal('amountAboveDailyLimit', { limit, left: most, coin }, 'amount');
}
