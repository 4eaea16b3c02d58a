import {
  actSubjects,
  type ExceptionAct,
  type ExceptionKind,
  type ExceptionReason,
  type ExceptionSubject,
  exceptionActs,
} from '@causeway/contract/operator-exceptions-rules.ts';
import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import type { Wait } from '../domain.ts';

/** When each act is possible. The page offers what is, and says why the rest is not; the worker looks again before it acts. */

/** All that matters of an outgoing payment. */
export interface PaymentSituation {
  status: TransactionStatus;
  stage: Stage;
  /** The family of its chain; null where no chain carries it. */
  family: string | null;
  /** It settles exchanged coins: nothing else settles its legs, so it is neither released nor replaced. */
  isSettlement: boolean;
  /** It moves coins between addresses of the company (docs/adr/0099). */
  isSweep: boolean;
  isHeld: boolean;
  isRestoring: boolean;
  /** Its wallet or its company. */
  isFrozen: boolean;
  /** Its chain, or withdrawals of its coin there. */
  isSwitchedOff: boolean;
  /** Whether the signer's journal names it. */
  isJournaled: boolean;
  /** Whether an earlier payment of the same address, which no block has, comes first. */
  isBehind: boolean;
  /** Whether another payment spends what this one gives back to the company, and would be lost with it. */
  isChangeSpent: boolean;
  /** The newest attempt; null before the first. */
  attempt: Attempt | null;
}

export interface Attempt {
  number: number;
  isSigned: boolean;
  /** Some node has taken it. */
  isOffered: boolean;
  /** Some node has refused it, as for a fee below what the chain takes. */
  isRefused: boolean;
  /** A block has one of the payment's attempts. */
  isMined: boolean;
  /** Another transaction has, finally, used what it was to spend. */
  isSuperseded: boolean;
  /** Its hold is being given back already. */
  isReleased: boolean;
  isHastened: boolean;
  /** An attempt was signed, whether it is the newest or not. */
  isAnySigned: boolean;
  /** Two operators wanted an empty transaction in its place, or there is one. */
  isEmptied: boolean;
}

/** A payment that only the chain knows. */
export interface UnexplainedSituation {
  isOpen: boolean;
  isDecided: boolean;
  isTank: boolean;
  /** Whether our signer could have made it, and it moved nothing else. */
  isSignable: boolean;
  /** How many transfers it may be the payment of. */
  candidates: number;
}

export interface HoldSituation {
  isHeld: boolean;
  isTank: boolean;
  unexplained: number;
  chainNonce: number;
  nextNonce: number;
  acceptedNonce: number | null;
}

/** Minor units, neither negative. */
export interface DeficitSituation {
  owedMinor: bigint;
  feesMinor: bigint;
}

type Reason = ExceptionReason | null;

/** Why nothing can be done about a payment that does not wait to be sent. */
function notUnderWay({ status, family, stage, isRestoring }: PaymentSituation): Reason {
  if (status !== 'pending') return 'ended';
  if (family === null) return 'noChain';
  if (stage === 'submitted' || stage === 'waiting_approval') return 'notApproved';
  if (stage === 'waiting_rate') return 'resting';
  return isRestoring ? 'restoring' : null;
}

/** Why nothing of it can be offered to the nodes. */
function notSendable(payment: PaymentSituation): Reason {
  const { attempt, isHeld, isFrozen, isSwitchedOff } = payment;
  const first = notUnderWay(payment);
  if (first !== null) return first;
  if (attempt?.isMined) return 'inBlock';
  if (attempt?.isSuperseded) return 'superseded';
  if (isHeld) return 'held';
  // What has begun goes on whatever was frozen or switched off since.
  if (attempt !== null) return null;
  if (isFrozen) return 'frozen';
  return isSwitchedOff ? 'switchedOff' : null;
}

/** Families on which an empty transaction can take a payment's place. */
const emptying: ReadonlySet<string | null> = new Set(['evm', 'bitcoin']);

const paymentRules = {
  'payment.resend': notSendable,
  'payment.speedUp': (payment) => {
    const first = notSendable(payment);
    if (first !== null) return first;
    const { attempt, isBehind, isChangeSpent } = payment;
    if (!attempt?.isSigned) return 'notSigned';
    if (!attempt.isOffered && !attempt.isRefused) return 'notOffered';
    // The dearer one would wait behind the cheap one all the same.
    if (isBehind) return 'behind';
    if (attempt.isHastened) return 'hastened';
    return isChangeSpent ? 'changeSpent' : null;
  },
  'payment.replaceEmpty': (payment) => {
    const first = notUnderWay(payment);
    if (first !== null) return first;
    const { attempt, family, isHeld, isBehind, isChangeSpent, isSettlement } = payment;
    if (isSettlement) return 'settlement';
    if (payment.isSweep) return 'sweep';
    if (!emptying.has(family)) return 'noNonce';
    if (!attempt?.isAnySigned) return 'notSigned';
    if (attempt.isMined) return 'inBlock';
    if (attempt.isSuperseded) return 'superseded';
    if (attempt.isEmptied) return 'emptied';
    if (isHeld) return 'held';
    if (isBehind) return 'behind';
    return isChangeSpent ? 'changeSpent' : null;
  },
  'payment.abandon': (payment) => {
    const first = notUnderWay(payment);
    if (first !== null) return first;
    if (payment.attempt?.isMined) return 'inBlock';
    if (!payment.attempt?.isSuperseded) return 'notSuperseded';
    return payment.attempt.isReleased ? 'released' : null;
  },
  'payment.release': (payment) => {
    const first = notUnderWay(payment);
    if (first !== null) return first;
    if (payment.isSettlement) return 'settlement';
    return payment.attempt !== null || payment.isJournaled ? 'begun' : null;
  },
  'unknown.answer': (payment) => {
    const first = notUnderWay(payment);
    if (first !== null) return first;
    const { attempt, family } = payment;
    if (family !== 'evm') return 'noProof';
    if (!attempt?.isSigned) return 'notSigned';
    if (attempt.isMined) return 'inBlock';
    return attempt.isSuperseded ? 'superseded' : null;
  },
} satisfies Partial<Record<ExceptionAct, (payment: PaymentSituation) => Reason>>;
export type PaymentAct = keyof typeof paymentRules;

/** Why an act is not possible with a payment; null where it is. */
export function whyNotPayment(act: PaymentAct, payment: PaymentSituation): Reason {
  return paymentRules[act](payment);
}

export function whyNotUnexplained(
  act: 'payment.match' | 'payment.book',
  { isOpen, isDecided, isTank, isSignable, candidates }: UnexplainedSituation,
): Reason {
  // The worker books it by itself.
  if (isTank) return 'tank';
  if (!isOpen || isDecided) return 'decided';
  if (act === 'payment.book') return null;
  if (!isSignable) return 'notSignable';
  return candidates === 0 ? 'noMatch' : null;
}

export function whyNotHold({
  isHeld,
  isTank,
  unexplained,
  chainNonce,
  nextNonce,
  acceptedNonce,
}: HoldSituation): Reason {
  if (!isHeld) return 'ended';
  if (isTank) return 'tank';
  if (unexplained > 0) return 'unexplained';
  if (chainNonce <= nextNonce) return 'counted';
  return acceptedNonce !== null && acceptedNonce >= chainNonce ? 'accepted' : null;
}

export function whyNotDeficit({ owedMinor, feesMinor }: DeficitSituation): Reason {
  if (owedMinor <= 0n) return 'noDeficit';
  return feesMinor < owedMinor ? 'feesShort' : null;
}

/** The acts about a subject, in the order in which they are offered. */
export function actsAbout(subject: ExceptionSubject): readonly ExceptionAct[] {
  return exceptionActs.filter((act) => actSubjects[act] === subject);
}

/** Under which heading a payment that does not move is shown, by what it waits for. */
export function kindOfStuck(waitsFor: Wait['reason']): ExceptionKind {
  if (waitsFor === 'decision' || waitsFor === 'coinGone') return 'transferSuperseded';
  return waitsFor === 'node' ? 'outcomeUnknown' : 'transferStuck';
}

/** An address as a subject, `chain/address`. @returns null for what is none */
export function readAddressId(id: string): { chainId: string; address: string } | null {
  const [chainId, address, ...more] = id.split('/');
  return chainId && address && more.length === 0 ? { chainId, address } : null;
}
