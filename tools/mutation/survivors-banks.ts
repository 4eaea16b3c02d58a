import type { Survivor } from './survivor.ts';

const delivering = 'server/src/features/rails/bank/payouts/delivering.ts';
const orders = 'server/src/features/rails/bank/payouts/orders.ts';
const rail = 'server/src/features/rails/bank/payouts/rail.ts';
const booking = 'server/src/features/rails/bank/payouts/booking.ts';
const statuses = 'server/src/features/rails/bank/payouts/statuses.ts';
const crediting = 'server/src/features/rails/bank/crediting.ts';
const held = 'server/src/features/rails/bank/held.ts';
const holding = 'server/src/features/rails/bank/holding.ts';
const matching = 'server/src/features/rails/bank/matching.ts';
const reversing = 'server/src/features/rails/bank/reversing.ts';
const settling = 'server/src/features/rails/bank/settling.ts';
const neverNothing = 'No money of a bank is 0 (a check of its table).';
const eachPosted =
  'An invariant: a money is posted under its lock, by the posting of an id that is new, to accounts that may take it.';
const nothingOwed = 'Where no deficit is owed, making it good posts nothing: statements more, which do nothing.';
const namesNone =
  'Apart from money with references of several companies, this reaches only a batch without details. A batch suggests no company, so no company that announced the amount is among the suggestions, and the money is held as before.';
const opensNothing =
  'Where no money is fresh, no posting is made; accounts that are open already are not opened again, and others have no balance.';
const settledByThen =
  'What came in is credited or held by then, and what the bank paid for us is booked: neither is locked again as unsettled, and of neither is a money found that it reverses.';

const writtenForItsBank =
  'An invariant, for the type: a line is written for the kind of bank that it is of, in a currency, where the installation has an account.';
const nothingTwice = 'A payment that has a line was handed over: whether another hand-over goes on, it does nothing.';
const boundToBoth =
  'The digest covers terms and coin, which a submission takes of one account; terms are never null (a check of their table).';
const hasBoth = 'A line has its payment, and a status that names one has both; the test is for the type.';
const atTheNextTurn = 'Of more than a thousand statuses the rest is applied at the worker’s next turn.';
const nullIsNoName = 'No payment and no account has null for its name or number; the test is for the type.';

/** Of posting what a bank brings and takes, and of its answers to our orders. */
export const bankSurvivors: readonly Survivor[] = [
  ...[
    ['amountMinor > 0n', 'amountMinor >= 0n'],
    ['amountMinor < 0n', 'amountMinor <= 0n'],
  ].map(([original = '', replacement = '']) => ({ file: settling, original, replacement, reason: neverNothing })),
  { file: holding, original: 'amountMinor > 0n', replacement: 'amountMinor >= 0n', reason: neverNothing },
  ...[crediting, booking].map((file) => ({
    file,
    original: 'money.amountMinor > 0n',
    replacement: 'money.amountMinor >= 0n',
    reason: neverNothing,
  })),
  {
    file: crediting,
    original: 'money.amountMinor > 0n',
    replacement: 'true',
    reason: 'An invariant: only what came in is matched, and only what came in is in suspense.',
  },
  {
    file: crediting,
    original: `invariant(wallet, \`the company has a wallet of \${asset} at \${bank}\`);`,
    replacement: ';',
    reason: 'An invariant, for the type: money is matched by the account, reference or notice of a wallet there.',
  },
  ...[crediting, holding].flatMap((file) => [
    { file, original: "outcome === 'posted'", replacement: 'true', reason: eachPosted },
  ]),
  {
    file: crediting,
    original: "(await posting).every((outcome) => outcome === 'posted')",
    replacement: "(await posting).some(outcome => outcome === 'posted')",
    reason: eachPosted,
  },
  {
    file: holding,
    original: "outcomes.every((outcome) => outcome === 'posted')",
    replacement: "outcomes.some(outcome => outcome === 'posted')",
    reason: eachPosted,
  },
  {
    file: crediting,
    original: "money.state === 'suspense'",
    replacement: 'true',
    reason: 'The database releases nothing of a money that is not held: a statement more, which does nothing.',
  },
  ...[
    ['first && wallet.deficitMinor < 0n', 'true'],
    ['first && wallet.deficitMinor < 0n', 'first || wallet.deficitMinor < 0n'],
    ['wallet.deficitMinor < 0n', 'true'],
    ['wallet.deficitMinor < 0n', 'wallet.deficitMinor <= 0n'],
  ].map(([original = '', replacement = '']) => ({ file: crediting, original, replacement, reason: nothingOwed })),
  {
    file: crediting,
    original: 'feeMinor < money.amountMinor',
    replacement: 'feeMinor <= money.amountMinor',
    reason: 'Where they are equal, both branches are the same.',
  },
  {
    file: crediting,
    original: 'money.valueOn === null',
    replacement: 'false',
    reason: 'A value date of null and none at all are stored alike; the test is for the type.',
  },
  {
    file: held,
    original: 'transactionId === undefined',
    replacement: 'false',
    reason: 'Of one money one deposit is made; the test is for the type.',
  },
  ...[
    ['fresh.length > 0', 'true'],
    ['fresh.length > 0', 'fresh.length >= 0'],
  ].map(([original = '', replacement = '']) => ({ file: holding, original, replacement, reason: opensNothing })),
  {
    file: holding,
    original: 'why',
    replacement: 'true',
    reason: 'Only moneys of the map are locked; the test is for the type.',
  },
  ...[
    [
      "byNames.companyId !== null || byNames.unmatched !== 'several'",
      "byNames.companyId !== null && byNames.unmatched !== 'several'",
    ],
    ["byNames.unmatched !== 'several'", 'false'],
  ].map(([original = '', replacement = '']) => ({ file: matching, original, replacement, reason: namesNone })),
  {
    file: matching,
    original: 'byNames.companyId !== null',
    replacement: 'false',
    reason: 'What is a company’s is not unmatched, for any reason; the test is for the type.',
  },
  ...[
    ['{readOnly: true}', '{}'],
    ['true', 'false'],
  ].map(([original = '', replacement = '']) => ({
    file: matching,
    original,
    replacement,
    reason: 'Whether the database knows that a transaction writes nothing: this one reads a name.',
  })),
  {
    file: matching,
    original: 'holder !== null',
    replacement: 'true',
    reason: 'A company that announced the amount has a wallet there, and so an account; the test is for the type.',
  },
  {
    file: matching,
    original: 'near.length === 0',
    replacement: 'false',
    reason: 'Of no number no owner is found: a statement more, which returns nothing.',
  },
  {
    file: reversing,
    original: 'transactionId === null',
    replacement: 'false',
    reason: 'No transaction has the id null; the invariant after it is the same.',
  },
  ...[
    `invariant(companyId, \`money \${original.id} was credited\`);`,
    `invariant(deposit, \`money \${originalId} has a deposit\`);`,
    `invariant(creditedId, \`deposit \${deposit.id} was credited\`);`,
  ].map((original) => ({
    file: reversing,
    original,
    replacement: ';',
    reason: 'An invariant: a money that is credited has its deposit and posting from the transaction that marked it.',
  })),
  {
    file: reversing,
    original: 'fee.balanceMinor < deposit.feeMinor',
    replacement: 'fee.balanceMinor <= deposit.feeMinor',
    reason: 'Where they are equal, both branches are the same.',
  },
  {
    file: settling,
    original: '!match',
    replacement: 'false',
    reason: 'Each money that came in has a match; the test is for the type.',
  },
  ...[
    ['moneys.filter(wasTaken)', 'moneys'],
    ['all.filter(cameIn)', 'all'],
  ].map(([original = '', replacement = '']) => ({ file: settling, original, replacement, reason: settledByThen })),
  {
    file: booking,
    original: 'money.amountMinor > 0n',
    replacement: 'true',
    reason: 'The account of a creditor is kept of what came in alone: what was paid has none, and so no other owner.',
  },
  {
    file: booking,
    original: 'uetr !== null',
    replacement: 'true',
    reason: 'The pattern does not match null; the test is for the type.',
  },
  ...[
    [
      booking,
      'moneys.map(({endToEnd}) => endToEnd).filter((name) => name !== null)',
      'moneys.map(({endToEnd}) => endToEnd)',
    ],
    [booking, 'name !== null', 'true'],
    [
      booking,
      'named.map(({money}) => money.creditorAccount).filter((account) => account !== null)',
      'named.map(({money}) => money.creditorAccount)',
    ],
    [booking, 'account !== null', 'true'],
    [matching, 'creditorAccount === null', 'false'],
    [statuses, '[endToEnd, instruction].filter((name) => name !== null)', '[endToEnd, instruction]'],
    [statuses, 'name !== null', 'true'],
    [statuses, 'uetr === null', 'false'],
  ].map(([file = '', original = '', replacement = '']) => ({ file, original, replacement, reason: nullIsNoName })),
  {
    file: booking,
    original: `invariant(isReturned, \`payment \${payment.id} had been made\`);`,
    replacement: ';',
    reason: 'An invariant: only what comes back of a line that is settled fits it, and its payment is completed.',
  },
  {
    file: booking,
    original: "money.state === 'suspense'",
    replacement: 'true',
    reason: 'The database releases nothing of a money that is not held: a statement more, which does nothing.',
  },
  {
    file: delivering,
    original: "state === 'made'",
    replacement: 'false',
    reason: 'Of an order that was only made no file is there: a look more, after which it is written as before.',
  },
  {
    file: delivering,
    original: 'isOurs',
    replacement: 'true',
    reason: 'Where it is not ours the delivery ends, and the state is not read again.',
  },
  ...[
    ['decimals !== null', 'true'],
    [`invariant(isTransfer(instruction), \`\${endToEnd} is written for an API\`);`, ';'],
    [`invariant(payer, \`the installation has an account of \${asset} at \${bank}\`);`, ';'],
  ].map(([original = '', replacement = '']) => ({ file: orders, original, replacement, reason: writtenForItsBank })),
  ...[
    ['line !== null && line.orderId !== null', 'false'],
    ['line.orderId !== null', 'true'],
    ['line.orderId !== null', 'line.orderId === null'],
    ['line === null', 'true'],
  ].map(([original = '', replacement = '']) => ({ file: rail, original, replacement, reason: nothingTwice })),
  {
    file: rail,
    original: 'payment?.stage',
    replacement: 'payment.stage',
    reason: 'A payment that was taken over is there; the test is for the type.',
  },
  {
    file: rail,
    original: '{companyId: payment.companyId, transactionId: id}',
    replacement: '{}',
    reason: 'Only what the log says.',
  },
  ...[
    ['payout.terms === null || readTerms(payout.terms).currency !== payout.coin', 'false'],
    [
      'payout.terms === null || readTerms(payout.terms).currency !== payout.coin',
      'payout.terms === null && readTerms(payout.terms).currency !== payout.coin',
    ],
    ['payout.terms === null', 'false'],
    ['readTerms(payout.terms).currency !== payout.coin', 'false'],
    ['payout.terms !== null', 'true'],
  ].map(([original = '', replacement = '']) => ({ file: rail, original, replacement, reason: boundToBoth })),
  ...[
    ['!payment || !line', 'false'],
    ['!payment || !line', '!payment && !line'],
  ].map(([original = '', replacement = '']) => ({ file: statuses, original, replacement, reason: hasBoth })),
  ...[
    ['statuses.length < atOnce', 'true'],
    ['statuses.length < atOnce', 'statuses.length <= atOnce'],
  ].map(([original = '', replacement = '']) => ({ file: statuses, original, replacement, reason: atTheNextTurn })),
  {
    file: 'server/src/features/rails/bank/payouts/delivering.ts',
    original: "state !== 'uploaded'",
    replacement: 'true',
    reason: 'The same content is then written once more, under the name that the bank does not read yet.',
  },
];
