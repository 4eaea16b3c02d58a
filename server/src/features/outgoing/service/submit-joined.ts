import type { CodeMethod, CodeSubject } from '@causeway/contract/identity.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { type CompaniesTx, together } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { pause, turnSize } from '../../../platform/turns.ts';
import { type ApprovalSubject, openTasks, type Routing, readRoutes, requireReview } from '../../approvals/index.ts';
import { refusal } from '../../ledger/index.ts';
import { type Judging, type Noted, openJudging, riskSentence } from '../../risk/index.ts';
import type { SubmitPorts, SubmittedPayment } from '../submission.ts';
import type { DecidedPayments } from './enter-joined.ts';
import { found, type OpenSubmissions, openSubmissions, refuseAboveDailyLimit } from './submit.ts';

/** A member's payments that are submitted together: one code and one approval for all of them, and each a payment of its own. */
export interface Joined {
  context: SignedInContext & SubmitPorts;
  proof: { method: CodeMethod; code: string };
  codeSubject: CodeSubject;
  /** What the code confirms and approvers decide on; its id and digest (SHA-256, hex) cover every payment. */
  subject: ApprovalSubject;
  id: string;
  digest: string;
  /** What its task keeps and shows, and by which words it is found. */
  task: { content: Record<string, unknown>; search: readonly string[] };
  /** In the order in which risk and limits judge them; each held to its own rules before. */
  payments: readonly Omit<SubmittedPayment, 'proof' | 'context'>[];
}

/** A payment that is refused, by its place. */
export interface JoinedRefusal {
  place: number;
  error: DomainError;
}

export type JoinedOutcome =
  /** Nothing is written but what risk keeps of those that it denies, and the code that proved them (`denied`). */
  | { refusals: readonly JoinedRefusal[]; denied: boolean }
  /** `decided` is to be written by `enterJoined` in this transaction, or held by `holdJoined` until another one does. */
  | { stage: Stage; valueUsdCents: bigint; decided: DecidedPayments };

/** Locks as for one payment of the member: the guard of the code, then the company's risk. */
export function openJoined(
  tx: CompaniesTx,
  { context, proof, codeSubject }: Pick<Joined, 'context' | 'proof' | 'codeSubject'>,
): Promise<OpenSubmissions> {
  return openSubmissions(tx, [{ context, proof, kind: { codeSubject } }]);
}

/** The sum of what these are worth: by it the approval rule is found. US cents. */
export function valueOfAll(payments: Joined['payments']): bigint {
  return payments.reduce((sum, { payment }) => sum + payment.valueUsdCents, 0n);
}

/**
 * Submits payments together, all of them or none: each is judged after those before it as `submitPayments` would, the code is used up once, and one rule is found by
 * the sum of their values.
 * @throws DomainError those of code and approval; RememberedError a wrong code; at the commit DomainError idTaken, insufficientBalance, where another
 *   transaction was quicker
 */
export async function submitJoined(
  tx: CompaniesTx,
  { proofs, affiliations }: OpenSubmissions,
  joined: Joined,
): Promise<JoinedOutcome> {
  const { context, proof, codeSubject, payments, digest, subject } = joined;
  const { companyId, userId } = context.session;
  const affiliation = found(affiliations.get(userId));
  const valueUsdCents = valueOfAll(payments);
  const [judging, [route]] = await together([
    openJudging(
      tx,
      payments.map(({ payment }) => ({ companyId, ...payment.risk, affiliation })),
      'submission',
    ),
    readRoutes(tx, [{ companyId, valueUsdCents, initiatorId: userId, affiliation }]),
  ]);
  invariant(route, 'a route was read');
  const lacking = refuseUncovered(payments);
  if (lacking.length > 0) return { refusals: lacking, denied: false };
  const proved = await prove(tx, proofs, { companyId, userId, subject: codeSubject, ...proof, digest });
  const { refusals, denied } = await judgeAll(judging, joined);
  if (denied) {
    proved.use();
    tx.leave([...proofs.write(tx), ...judging.writeDenied(tx)]);
  }
  if (refusals.length > 0) return { refusals, denied };
  const routing = requireReview(route, { initiatorId: userId, valueUsdCents, taskId: newId() });
  proved.use();
  const stage = routing.review === 'off' ? 'approved' : 'waiting_approval';
  const decided = decidedOf(joined, { routing, stage, proof: proved.proof, noted: judging.noted() });
  tx.leave([
    ...proofs.write(tx),
    ...(routing.review === 'off'
      ? []
      : openTasks(tx, [{ companyId, subject, task: taskOf(joined, { routing, valueUsdCents }) }])),
  ]);
  return { stage, valueUsdCents, decided };
}

interface Decision {
  routing: Routing;
  stage: Stage;
  proof: { method: string; id: string };
  noted: Noted;
}

function decidedOf(
  { context, subject, id, digest, payments, proof: { method } }: Joined,
  { routing, stage, proof, noted }: Decision,
): DecidedPayments {
  const { session, locale, ip, userAgent, requestId, clock } = context;
  invariant(proof.method === method, 'the code that proved it is of the method that was named');
  return {
    common: {
      ...{ session, locale, ip, userAgent, requestId, at: clock.now(), stage, routing },
      proof: { method, id: proof.id },
      joined: { kind: subject.kind, id, digest },
    },
    payments: payments.map(({ kind, payment }) => {
      const { subject: _subject, risk: _risk, task: _task, uses, draws, atOnce, ...decided } = payment;
      invariant(!uses && !draws && !atOnce, 'what a rail carries is held, and uses up nothing of others');
      return { type: kind.type, payment: decided };
    }),
    noted,
  };
}

/** A wrong code counts as a try, which is written although nothing else is. */
async function prove(
  tx: CompaniesTx,
  proofs: OpenSubmissions['proofs'],
  request: Parameters<OpenSubmissions['proofs']['prove']>[0],
) {
  try {
    return proofs.prove(request);
  } catch (error) {
    await together(proofs.write(tx));
    throw error;
  }
}

/** Those that their account no longer covers after the ones before them, whose holds come first. */
function refuseUncovered(payments: Joined['payments']): JoinedRefusal[] {
  const held = new Map<string, bigint>();
  return payments.flatMap(({ payment: { available, amountMinor, feeMinor } }, place) => {
    const before = held.get(available.accountId) ?? 0n;
    const taken = before + amountMinor + feeMinor;
    if (taken > available.balanceMinor) return [{ place, error: refusal('insufficientBalance', {}, 'amount') }];
    held.set(available.accountId, taken);
    return [];
  });
}

/** What is judged, and for whom. */
interface Judged extends Pick<Joined, 'payments'> {
  context: Pick<SignedInContext, 'session' | 'locale'>;
}

/** Risk and the operator's limit on a day, each payment after those before it. */
async function judgeAll(
  judging: Judging,
  { context, payments }: Judged,
): Promise<{ refusals: JoinedRefusal[]; denied: boolean }> {
  const refusals: JoinedRefusal[] = [];
  let denied = false;
  for (const [place, { payment }] of payments.entries()) {
    if (place % turnSize === 0) await pause();
    try {
      const weighed = judging.weigh({ companyId: context.session.companyId, ...payment.risk });
      if (weighed.verdict.allowed) {
        refuseAboveDailyLimit(payment, weighed.submittedCoinsTodayMinor);
      } else {
        denied = true;
        const reason = riskSentence(context.locale, weighed.verdict);
        refusals.push({ place, error: new DomainError('riskRefused', { reason }) });
      }
      judging.note(weighed);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refusals.push({ place, error });
    }
  }
  return { refusals, denied };
}

/** What approvers decide on; its amount is named where all of it is of one asset. */
function taskOf(
  { context, payments, id, digest, task }: Joined,
  { routing, valueUsdCents }: Pick<Parameters<typeof openTasks>[1][number]['task'], 'routing' | 'valueUsdCents'>,
): Parameters<typeof openTasks>[1][number]['task'] {
  const { userId, userName } = context.session;
  const [first] = payments;
  invariant(first, 'something is submitted');
  const { coin, decimals } = first.payment;
  const isOne = payments.every(({ payment }) => payment.coin === coin);
  return {
    subjectId: id,
    digest,
    routing,
    initiator: { id: userId, name: userName },
    coin: isOne ? coin : null,
    decimals: isOne ? decimals : null,
    amountMinor: isOne ? payments.reduce((sum, { payment }) => sum + payment.amountMinor, 0n) : null,
    valueUsdCents,
    content: task.content,
    search: task.search,
  };
}

/**
 * What submitting them now would refuse, by their places: balances, risk and limits, each after those before it. Nothing is counted or recorded.
 */
export async function foreseeJoined(tx: CompaniesTx, { context, payments }: Judged): Promise<JoinedRefusal[]> {
  const { companyId } = context.session;
  if (payments.length === 0) return [];
  const judging = await openJudging(
    tx,
    payments.map(({ payment }) => ({ companyId, ...payment.risk })),
    'submission',
  );
  const { refusals } = await judgeAll(judging, { context, payments });
  return [...refuseUncovered(payments), ...refusals];
}
