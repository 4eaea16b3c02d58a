import {
  type ExceptionAct,
  type ExceptionReason,
  exceptionActs,
} from '@causeway/contract/operator-exceptions-rules.ts';
import { endStatuses, statusAt, transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { describe, expect, test } from 'vitest';
import {
  type Attempt,
  actsAbout,
  kindOfStuck,
  type PaymentAct,
  type PaymentSituation,
  readAddressId,
  whyNotDeficit,
  whyNotHold,
  whyNotPayment,
  whyNotUnexplained,
} from './domain.ts';

/** When each act is possible: every stage of a payment, and every situation at the stages at which one is. */

const acts = actsAbout('transaction') as readonly PaymentAct[];
const lost: Attempt = {
  number: 1,
  isSigned: true,
  isOffered: false,
  isRefused: false,
  isMined: false,
  isSuperseded: false,
  isReleased: false,
  isHastened: false,
  isAnySigned: true,
  isEmptied: false,
};
const offered: Attempt = { ...lost, isOffered: true };

function payment(stage: Stage, attempt: Attempt | null, more: Partial<PaymentSituation> = {}): PaymentSituation {
  return {
    status: statusAt(stage),
    stage,
    family: 'evm',
    isSettlement: false,
    isSweep: false,
    isHeld: false,
    isRestoring: false,
    isFrozen: false,
    isSwitchedOff: false,
    isJournaled: attempt?.isSigned ?? false,
    isBehind: false,
    isChangeSpent: false,
    attempt,
    ...more,
  };
}

/** The reason for each act, in the order of `acts`; a point where it is possible. */
const reasons = (situation: PaymentSituation) => acts.map((act) => whyNotPayment(act, situation) ?? '·').join(' ');

test('the acts about a payment are these, in this order', () => {
  expect(acts).toEqual([
    'payment.resend',
    'payment.speedUp',
    'payment.replaceEmpty',
    'payment.abandon',
    'payment.release',
    'unknown.answer',
  ]);
  const all = (['transaction', 'payment', 'address', 'wallet'] as const).flatMap((subject) => actsAbout(subject));
  expect([...all].sort()).toEqual([...exceptionActs].sort());
});

test('nothing takes the place of a sweep, which pays no one; one that nothing was signed of can be released', () => {
  expect(whyNotPayment('payment.replaceEmpty', payment('broadcast', offered, { isSweep: true }))).toBe('sweep');
  expect(whyNotPayment('payment.release', payment('approved', null, { isSweep: true }))).toBeNull();
});

test.each(Object.keys(endStatuses) as Stage[])('at the end, %s, nothing is possible', (stage) => {
  for (const attempt of [null, lost, offered]) {
    expect(new Set(acts.map((act) => whyNotPayment(act, payment(stage, attempt))))).toEqual(new Set(['ended']));
  }
});

/** Of every stage of the road, with what was made of the payment by then. */
const road: [stage: Stage, attempt: Attempt | null, expected: string][] = [
  ['submitted', null, 'notApproved notApproved notApproved notApproved notApproved notApproved'],
  ['waiting_approval', null, 'notApproved notApproved notApproved notApproved notApproved notApproved'],
  ['approved', null, '· notSigned notSigned notSuperseded · notSigned'],
  ['signing', null, '· notSigned notSigned notSuperseded · notSigned'],
  ['signing', { ...lost, isSigned: false, isAnySigned: false }, '· notSigned notSigned notSuperseded begun notSigned'],
  ['signing', lost, '· notOffered · notSuperseded begun ·'],
  ['signing', { ...lost, isRefused: true }, '· · · notSuperseded begun ·'],
  ['broadcast', offered, '· · · notSuperseded begun ·'],
  ['broadcast', { ...offered, isHastened: true }, '· hastened · notSuperseded begun ·'],
  ['broadcast', { ...offered, isSigned: false }, '· notSigned · notSuperseded begun notSigned'],
  ['broadcast', { ...offered, isEmptied: true }, '· · emptied notSuperseded begun ·'],
  ['broadcast', { ...offered, isSuperseded: true }, 'superseded superseded superseded · begun superseded'],
  [
    'broadcast',
    { ...offered, isSuperseded: true, isReleased: true },
    'superseded superseded superseded released begun superseded',
  ],
  ['confirming', { ...offered, isMined: true }, 'inBlock inBlock inBlock inBlock begun inBlock'],
];

test.each(road)('at %s, with what was made of it, these are possible (%#)', (stage, attempt, expected) => {
  expect(reasons(payment(stage, attempt))).toBe(expected);
});

test('the table has every stage of a payment over a chain', () => {
  const stages = [...new Set(road.map(([stage]) => stage)), 'completed'];
  expect(stages).toEqual(transactionLives.chain_withdraw.road);
});

const situations: [what: string, more: Partial<PaymentSituation>, expected: string][] = [
  ['its address is held', { isHeld: true }, 'held held held notSuperseded begun ·'],
  [
    'the installation is restoring',
    { isRestoring: true },
    'restoring restoring restoring restoring restoring restoring',
  ],
  ['it is frozen: what has begun goes on', { isFrozen: true }, '· · · notSuperseded begun ·'],
  ['its coin is switched off: what has begun goes on', { isSwitchedOff: true }, '· · · notSuperseded begun ·'],
  ['another payment comes first', { isBehind: true }, '· behind behind notSuperseded begun ·'],
  ['it is at a bank', { family: null }, 'noChain noChain noChain noChain noChain noChain'],
  ['another payment spends its change', { isChangeSpent: true }, '· changeSpent changeSpent notSuperseded begun ·'],
  ['it is on Bitcoin', { family: 'bitcoin' }, '· · · notSuperseded begun noProof'],
  ['its family knows no empty transaction', { family: 'utxo' }, '· · noNonce notSuperseded begun noProof'],
];

test.each(situations)('where %s, these are possible', (_what, more, expected) => {
  expect(reasons(payment('broadcast', offered, more))).toBe(expected);
});

test('a settlement is sent again and sped up, and neither replaced nor released: nothing else settles its legs', () => {
  expect(reasons(payment('broadcast', offered, { isSettlement: true }))).toBe(
    '· · settlement notSuperseded settlement ·',
  );
  expect(reasons(payment('approved', null, { isSettlement: true }))).toBe(
    '· notSigned settlement notSuperseded settlement notSigned',
  );
});

describe('a payment of which nothing is known here', () => {
  test.each([
    ['frozen', { isFrozen: true }],
    ['switchedOff', { isSwitchedOff: true }],
    ['frozen', { isFrozen: true, isSwitchedOff: true }],
  ])('waits while it is %s, and can be released', (why, more) => {
    expect(reasons(payment('approved', null, more))).toBe(`${why} ${why} notSigned notSuperseded · notSigned`);
  });

  test('is not released where the signer’s journal names it, as after a restore', () => {
    expect(whyNotPayment('payment.release', payment('approved', null, { isJournaled: true }))).toBe('begun');
  });
});

const unexplained = { isOpen: true, isDecided: false, isTank: false, isSignable: true, candidates: 1 };
test.each<[more: Partial<typeof unexplained>, match: ExceptionReason | null, book: ExceptionReason | null]>([
  [{}, null, null],
  [{ candidates: 0 }, 'noMatch', null],
  [{ isSignable: false }, 'notSignable', null],
  [{ isDecided: true }, 'decided', 'decided'],
  [{ isOpen: false }, 'decided', 'decided'],
  [{ isTank: true }, 'tank', 'tank'],
])('an unexplained payment: %o', (more, match, book) => {
  const situation = { ...unexplained, ...more };
  expect(whyNotUnexplained('payment.match', situation)).toBe(match);
  expect(whyNotUnexplained('payment.book', situation)).toBe(book);
});

const hold = { isHeld: true, isTank: false, unexplained: 0, chainNonce: 5, nextNonce: 3, acceptedNonce: null };
test.each<[more: Partial<Parameters<typeof whyNotHold>[0]>, expected: ExceptionReason | null]>([
  [{}, null],
  [{ acceptedNonce: 4 }, null],
  [{ acceptedNonce: 5 }, 'accepted'],
  [{ unexplained: 1 }, 'unexplained'],
  [{ nextNonce: 5 }, 'counted'],
  [{ isTank: true }, 'tank'],
  [{ isHeld: false }, 'ended'],
])('a held address: %o', (more, expected) => {
  expect(whyNotHold({ ...hold, ...more })).toBe(expected);
});

test.each([
  [0n, 10n, 'noDeficit'],
  [10n, 9n, 'feesShort'],
  [10n, 10n, null],
] as const)('a deficit of %s with fees of %s', (owedMinor, feesMinor, expected) => {
  expect(whyNotDeficit({ owedMinor, feesMinor })).toBe(expected);
});

test('what no node has taken is unknown, what is superseded can never be sent, the rest does not move', () => {
  expect(kindOfStuck('decision')).toBe('transferSuperseded');
  expect(kindOfStuck('coinGone')).toBe('transferSuperseded');
  expect(kindOfStuck('node')).toBe('outcomeUnknown');
  expect(kindOfStuck('signer')).toBe('transferStuck');
});

test('an address is named with its chain', () => {
  expect(readAddressId('ethereum/0xAb')).toEqual({ chainId: 'ethereum', address: '0xAb' });
  for (const id of ['ethereum', 'ethereum/', '/0xAb', 'ethereum/0xAb/1']) expect(readAddressId(id)).toBeNull();
});

test('every act is of one of these', () => {
  const known: readonly ExceptionAct[] = exceptionActs;
  expect(new Set(known).size).toBe(known.length);
});
