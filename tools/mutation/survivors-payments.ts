import type { Survivor } from './survivor.ts';

const submit = 'server/src/features/outgoing/service/submit.ts';
const writeAccepted = 'server/src/features/outgoing/service/write-accepted.ts';
const submitJoined = 'server/src/features/outgoing/service/submit-joined.ts';
const transfersSubmit = 'server/src/features/transfers/service/submit.ts';
const transfersPrepare = 'server/src/features/transfers/service/prepare.ts';
const payoutsSubmit = 'server/src/features/payments/service/submit.ts';
const payoutsPrepare = 'server/src/features/payments/service/prepare.ts';
const payoutsDomain = 'server/src/features/payments/domain.ts';
const booking = 'server/src/features/rails/bank/payouts/booking.ts';
const settle = 'server/src/features/outgoing/service/settle.ts';
const stop = 'server/src/features/outgoing/service/stop.ts';
const release = 'server/src/features/outgoing/service/release.ts';
const usedOnce = 'Of two that use one quote the database refuses the set, and each is then decided alone.';
const turns = 'Only when others get a turn.';
const stageMoves = 'A payment is moved only from the stages where no rail has begun; the look before saves judging it.';

/** Of submitting a payment and of stopping one. */
export const paymentSurvivors: readonly Survivor[] = [
  {
    file: submit,
    original: "invariant(first, 'a batch has an applicant');",
    replacement: ';',
    reason: 'An invariant: a batch is made of the requests that wait.',
  },
  {
    file: submit,
    original: 'uses && used.has(usedKey)',
    replacement: 'false',
    reason: usedOnce,
  },
  {
    file: submit,
    original: 'uses',
    replacement: 'false',
    reason: usedOnce,
  },
  {
    file: submit,
    original: 'used.add(usedKey);',
    replacement: ';',
    reason: usedOnce,
  },
  {
    file: submit,
    original: "routing.review === 'off'",
    replacement: 'true',
    reason:
      'Of what is held: the ledger refuses a hold of more than the account has, with the same error. Of the stage tests kill it.',
  },
  {
    file: submitJoined,
    original: '{codeSubject}',
    replacement: '{}',
    reason: 'What a code is for matters where it goes to other recipients, and that of a batch does not.',
  },
  {
    file: submitJoined,
    original: 'place % turnSize === 0',
    replacement: 'true',
    reason: turns,
  },
  {
    file: submitJoined,
    original: 'place % turnSize === 0',
    replacement: 'false',
    reason: turns,
  },
  {
    file: submitJoined,
    original: 'place % turnSize === 0',
    replacement: 'place % turnSize !== 0',
    reason: turns,
  },
  {
    file: submitJoined,
    original: 'place % turnSize',
    replacement: 'place * turnSize',
    reason: turns,
  },
  {
    file: submitJoined,
    original: "invariant(first, 'something is submitted');",
    replacement: ';',
    reason: 'An invariant: a batch without a row is refused before.',
  },
  {
    file: submitJoined,
    original: 'payments.length === 0',
    replacement: 'false',
    reason: 'Nothing is then judged, and nothing refused.',
  },
  {
    file: submitJoined,
    original: '!(error instanceof DomainError)',
    replacement: 'false',
    reason: 'Judging what was read throws nothing else.',
  },
  {
    file: transfersPrepare,
    original: 'drafts.length === 0',
    replacement: 'false',
    reason: 'Nothing is then read, and nothing prepared.',
  },
  {
    file: submitJoined,
    original: 'false',
    replacement: 'true',
    reason:
      'Of those that a balance does not cover: the transaction is then kept, in which nothing was written. Elsewhere tests kill it.',
  },
  {
    file: payoutsPrepare,
    original: 'drafts.length === 0',
    replacement: 'false',
    reason: 'Nothing is then read, and nothing prepared.',
  },
  {
    file: payoutsPrepare,
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'Of no drafts no outcome is looked up.',
  },
  {
    file: release,
    original: "invariant(escrow, 'what was taken out of escrow has an account to go back to');",
    replacement: ';',
    reason: 'An invariant: the account is read where anything was taken out of it.',
  },
  {
    file: release,
    original: 'posting === null',
    replacement: 'false',
    reason: 'Of no posting no legs are read.',
  },
  {
    file: release,
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'What is no leg has no account.',
  },
  {
    file: submit,
    original: "invariant(route, 'a route was read for each payment');",
    replacement: ';',
    reason: 'An invariant: a row is read for each request.',
  },
  {
    file: submit,
    original: "invariant(affiliation, 'for each who submits it was read to what they belong');",
    replacement: ';',
    reason: 'An invariant: a row is read for each request.',
  },
  {
    file: transfersSubmit,
    original: "invariant(stage, 'a transfer that passed its checks is decided');",
    replacement: ';',
    reason: 'An invariant: each that is submitted has an outcome.',
  },
  {
    file: transfersPrepare,
    original: "invariant(payee, 'a transfer that passed its checks has a payee');",
    replacement: ';',
    reason: 'An invariant, for the type: its content was refused without a payee.',
  },
  {
    file: transfersSubmit,
    original: "invariant(row.payee, 'a readable transfer has a payee');",
    replacement: ';',
    reason: 'An invariant, for the type: its content was refused without a payee.',
  },
  {
    file: transfersPrepare,
    original: '!bases.has(key)',
    replacement: 'true',
    reason: 'What fees are computed of is read once more behind the same locks: a statement more.',
  },
  {
    file: transfersSubmit,
    original: "invariant(files, 'attachments were read for each transfer');",
    replacement: ';',
    reason: 'An invariant: a list is read for each request.',
  },
  {
    file: writeAccepted,
    original: 'chainId === null',
    replacement: 'false',
    reason: 'A chain whose id is null and no chain are stored alike; the test is for the type.',
  },
  {
    file: transfersPrepare,
    original: 'row.knownCategory === null',
    replacement: 'true',
    reason: 'A category that is on the list already is not added again: one statement more, which does nothing.',
  },
  {
    file: payoutsPrepare,
    original: "invariant(way, 'a payment that has terms has a way');",
    replacement: ';',
    reason: 'An invariant, for the type: its content was refused without a way.',
  },
  {
    file: payoutsSubmit,
    original: "invariant(stage, 'a payment that passed its checks is decided');",
    replacement: ';',
    reason: 'An invariant: each that is submitted has an outcome.',
  },
  {
    file: payoutsPrepare,
    original: 'until !== null',
    replacement: 'true',
    reason: 'Null is later than no time; the test is for the type.',
  },
  {
    file: payoutsPrepare,
    original: 'until > row.at',
    replacement: 'until >= row.at',
    reason: 'They differ in the one instant in which the days end, which is the last of them or the first after them.',
  },
  {
    file: payoutsPrepare,
    original: 'row.knownCategory === null',
    replacement: 'true',
    reason: 'A category that is on the list already is not added again: one statement more, which does nothing.',
  },
  {
    file: stop,
    original: '!transaction || !isStoppable(transaction)',
    replacement: 'false',
    reason: stageMoves,
  },
  {
    file: stop,
    original: '!transaction || !isStoppable(transaction)',
    replacement: '!transaction && !isStoppable(transaction)',
    reason: stageMoves,
  },
  {
    file: stop,
    original: "status === 'pending' && (stoppable as readonly string[]).includes(stage)",
    replacement: 'true',
    reason: stageMoves,
  },
  {
    file: stop,
    original: "status === 'pending' && (stoppable as readonly string[]).includes(stage)",
    replacement: "status === 'pending' || (stoppable as readonly string[]).includes(stage)",
    reason: stageMoves,
  },
  {
    file: stop,
    original: "status === 'pending'",
    replacement: 'true',
    reason: 'These stages are those of a pending payment.',
  },
  {
    file: submit,
    original: 'uses',
    replacement: 'true',
    reason: 'A payment that uses nothing up looks for no key.',
  },
  {
    file: submit,
    original: 'dailyLimitMinor > submittedMinor',
    replacement: 'dailyLimitMinor >= submittedMinor',
    reason: 'Where they are equal, both branches are 0.',
  },
  {
    file: writeAccepted,
    original: 'accepted.length === 0',
    replacement: 'false',
    reason: 'Statements for no payment write no rows.',
  },
  {
    file: writeAccepted,
    original: "error instanceof DomainError && error.key === 'insufficientBalance'",
    replacement: "error instanceof DomainError || error.key === 'insufficientBalance'",
    reason: 'The ledger refuses with this one DomainError, and no other error has its key.',
  },
  {
    file: writeAccepted,
    original: "error.key === 'insufficientBalance'",
    replacement: 'true',
    reason: 'The ledger refuses with this one DomainError.',
  },
  {
    file: release,
    original: "invariant(held, 'the accounts of each wallet were read');",
    replacement: ';',
    reason: 'An invariant, for the type: they are read of the wallet of each that ends.',
  },
  {
    file: settle,
    original: 'amountMinor > fee.balanceMinor',
    replacement: 'amountMinor >= fee.balanceMinor',
    reason: 'Where they are equal, both branches are the same.',
  },
  {
    file: settle,
    original: 'finals === 0',
    replacement: 'false',
    reason: 'No posting has the kind of an end before the first: one statement more, which finds nothing.',
  },
  {
    file: 'server/src/features/outgoing/bank-terms.ts',
    original: 'a < b',
    replacement: 'a <= b',
    reason: 'No two fields of an account have one name.',
  },
  {
    file: payoutsDomain,
    original: "remittance === ''",
    replacement: 'false',
    reason: 'A text of no characters passes the checks of every text.',
  },
  {
    file: payoutsDomain,
    original: 'most > 0n',
    replacement: 'most >= 0n',
    reason: 'At 0 both branches are 0.',
  },
  {
    file: 'server/src/features/rails/bank/payouts/reasons.ts',
    original: 'code === null',
    replacement: 'false',
    reason: 'The list of codes never holds null; the test is for the type.',
  },
  {
    file: booking,
    original: 'payment && now',
    replacement: 'true',
    reason: 'An invariant: a line of an order has its payment.',
  },
  {
    file: booking,
    original: 'payment && now',
    replacement: 'payment || now',
    reason: 'An invariant: a line of an order has its payment.',
  },
  {
    file: booking,
    original: 'amountMinor < 0n',
    replacement: 'amountMinor <= 0n',
    reason: 'No money of a bank is 0 (a check of its table).',
  },
  {
    file: booking,
    original: 'money.amountMinor < 0n',
    replacement: 'money.amountMinor <= 0n',
    reason: 'No money of a bank is 0 (a check of its table).',
  },
];
