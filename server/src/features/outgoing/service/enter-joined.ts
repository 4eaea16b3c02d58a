import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { LifeType, Stage } from '@causeway/contract/transactions-rules.ts';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { announceAll, live } from '../../../platform/database/outbox.ts';
import { keepPlans } from '../../../platform/database/sets.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { Session } from '../../../platform/session.ts';
import { inTurns } from '../../../platform/turns.ts';
import type { ApprovalSubject, Routing } from '../../approvals/index.ts';
import { findPosting, type Leg, move, ownersOf, post, legsOf as postedLegs, reversed } from '../../ledger/index.ts';
import { lockRiskBesideQueue, type Noted, writeNoted } from '../../risk/index.ts';
import { repayDeficit } from '../../wallets/index.ts';
import type { ApprovedSubject } from '../domain.ts';
import { kindOf, type OutgoingKinds } from '../kind.ts';
import { joinedPostings } from '../postings.ts';
import type { Accepted, PaymentSubmission, SubmitPorts, SubmittedPayment } from '../submission.ts';
import { paymentParts } from './payment-parts.ts';
import { holdAll, writeAccepted } from './write-accepted.ts';

/** A payment as it was decided on, without what was only needed to decide. */
export type DecidedPayment = Omit<PaymentSubmission, 'subject' | 'risk' | 'task' | 'uses' | 'draws' | 'atOnce'>;

/**
 * Payments that were submitted together and accepted, with all that entering them needs: plain data, of which `structuredClone` makes the same, so that they can be
 * entered by another transaction of another process.
 */
export interface DecidedPayments {
  common: {
    session: Session;
    locale: Locale;
    ip: string;
    userAgent: string;
    requestId: string;
    /** When they were submitted. */
    at: Date;
    stage: Stage;
    routing: Routing;
    /** By which code the initiator proved them. */
    proof: { method: CodeMethod; id: string };
    /** That with which each of them was submitted and is approved. */
    joined: ApprovedSubject;
  };
  payments: readonly { type: LifeType; payment: DecidedPayment }[];
  noted: Noted;
}

/** What is held of each wallet, in minor units, as legs of one posting. */
function legsOf({ payments }: DecidedPayments): Leg[] {
  const sums = new Map<string, { outboundAccountId: string; minor: bigint }>();
  for (const { payment } of payments) {
    const { available, outboundAccountId, amountMinor, feeMinor, holdMinor } = payment;
    const before = sums.get(available.accountId)?.minor ?? 0n;
    sums.set(available.accountId, { outboundAccountId, minor: before + (holdMinor ?? amountMinor + feeMinor) });
  }
  return [...sums].flatMap(([accountId, { outboundAccountId, minor }]) => move(accountId, outboundAccountId, minor));
}

/**
 * Leaves for the commit what holds the payments until another transaction enters them: one posting.
 * @throws DomainError at the commit insufficientBalance, where another transaction was quicker
 */
export function holdJoined(tx: CompaniesTx, decided: DecidedPayments): void {
  const { session, joined } = decided.common;
  const { companyId } = session;
  const hold = {
    ...{ companyId, id: newId(), sourceId: joined.id, kind: joinedPostings.hold },
    description: 'held for payments that are not entered yet',
    legs: legsOf(decided),
  };
  tx.leave([holdAll(tx, [hold]), announceAll(tx, [{ companyId, ...live('balance', null) }])]);
}

/** Gives back what `holdJoined` held, where the payments are not to be entered any more. Its amounts are those of the ledger. */
export async function giveBackJoined(tx: Tx, id: string): Promise<void> {
  const hold = await findPosting(tx, id, joinedPostings.hold);
  invariant(hold !== null, 'what is queued is held');
  const legs = await postedLegs(tx, hold);
  await post(tx, {
    ...{ id: newId(), kind: joinedPostings.release, sourceId: id },
    description: 'given back, and not held for payments',
    legs: reversed(legs),
  });
  const accountIds = legs.map(({ accountId }) => accountId);
  for (const walletId of await ownersOf(tx, accountIds)) await repayDeficit(tx, walletId, id);
}

/** With what payments are entered that were decided before. */
export interface EnterPorts extends Pick<SubmitPorts, 'seal'> {
  kinds: OutgoingKinds;
  subject: ApprovalSubject;
}

/**
 * Enters payments that were decided on: their transactions with all that is beside each, and the hold of each. The statements are left for the commit.
 * `heldAt`: when `holdJoined` held them in another transaction, ISO 8601 to the microsecond; that is given back. Null: this transaction decided on them.
 * @throws DomainError at the commit idTaken; insufficientBalance, where they were not held and another transaction was quicker
 */
export async function enterJoined(
  tx: CompaniesTx,
  ports: EnterPorts,
  decided: DecidedPayments,
  heldAt: string | null,
): Promise<void> {
  const { companyId } = decided.common.session;
  const leave = (statement: Promise<unknown>) => tx.leave([statement]);
  tx.leave([keepPlans(tx), ...(heldAt ? [lockRiskBesideQueue(tx, [companyId])] : [])]);
  await inTurns(writeNoted(tx, decided.noted), leave);
  const given = {
    ...{ companyId, id: newId(), sourceId: decided.common.joined.id, kind: joinedPostings.release },
    description: 'given back, and held for each payment',
    legs: reversed(legsOf(decided)),
  };
  const held = heldAt ? { at: heldAt, first: [given] } : undefined;
  await inTurns(writeAccepted(tx, acceptedOf(ports, decided), paymentParts, held), leave);
  const shown = [live('transaction', null), live('balance', null)];
  leave(
    announceAll(
      tx,
      shown.map((event) => ({ companyId, ...event })),
    ),
  );
}

function acceptedOf(
  { kinds, subject, seal }: EnterPorts,
  { common, payments, noted }: DecidedPayments,
): Accepted<SubmittedPayment>[] {
  const { session, locale, ip, userAgent, requestId, at, stage, routing, proof, joined } = common;
  const context = {
    ...{ session, locale, ip, userAgent, requestId, seal },
    clock: { now: () => at },
    openProofs: () => Promise.reject(new Error('what was decided is not proved again')),
  };
  return payments.map(({ type, payment }, place) => {
    const risk = noted.assessments[place]?.inputs.subject;
    invariant(risk?.id === payment.id, 'each payment was judged, in their order');
    return {
      kind: kindOf(kinds, type),
      context,
      proof: { method: proof.method, code: '' },
      payment: { ...payment, subject, risk: { ...risk, accountKey: '' }, task: { content: {}, search: [] } },
      ...{ routing, stage, proved: proof, joined },
    };
  });
}
