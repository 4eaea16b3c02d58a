/**
 * What `npm run proof:mutation` mutates with Stryker's instrumenter, in groups that run one after the other, each with the tests that
 * should notice, the quick ones first. Pure ones take milliseconds a mutant; the others run on a real PostgreSQL and take
 * seconds. SQL is mutated by sql.ts beside this file, since Stryker reads none.
 */
export interface MutationGroup {
  mutate: readonly string[];
  tests: readonly string[];
  /** No test needs PostgreSQL. */
  isPure?: true;
  /** Its tests put other modules in the place of ours, so each test file needs modules of its own. */
  isMocking?: true;
}

export const groups: Readonly<Record<string, MutationGroup>> = {
  rules: {
    isPure: true,
    mutate: [
      'contract/src/money.ts',
      'server/src/features/risk/{domain,first-match}.ts',
      'server/src/features/transfers/domain.ts',
      'server/src/features/rails/evm/movements.ts',
    ],
    tests: [
      'contract/src/money.test.ts',
      'server/src/features/risk/{domain,domain.property}.test.ts',
      'server/src/features/transfers/domain.test.ts',
      'server/src/features/rails/evm/movements.test.ts',
    ],
  },
  idempotency: {
    mutate: ['server/src/platform/{database/idempotency,crypto/seal}.ts'],
    tests: [
      'server/src/platform/{crypto/seal,database/idempotency,database/companies}.test.ts',
      'server/src/features/transfers/service/submit.test.ts',
    ],
  },
  tenancy: {
    mutate: ['server/src/platform/database/{database,connection}.ts'],
    tests: ['server/src/platform/database/*.test.ts', 'server/src/proof/fences.test.ts'],
  },
  signing: {
    mutate: ['server/src/features/{outgoing,rails}/signing/*.ts', '!**/*.test.ts'],
    tests: [
      'server/src/features/rails/signing/{judge,settlement,replacements,acceleration,sweeps,families}.test.ts',
      'server/src/features/rails/signing/{bitcoin-kinds,bitcoin-joined,bitcoin}.test.ts',
      'server/src/features/chains/signer/compare.test.ts',
      'server/src/features/outgoing/signing/review.test.ts',
      'server/src/features/rails/signing/bitcoin-forms.test.ts',
      'server/src/features/rails/signing/{settlement-legs,replacement-seals,bitcoin-conditions,evm-conditions}.test.ts',
    ],
  },
  amounts: {
    isPure: true,
    mutate: ['server/src/features/{ledger/domain,transfers/service/testing-first,outgoing/service/value}.ts'],
    tests: ['server/src/features/{ledger/domain,transfers/service/testing-first,outgoing/service/value}.test.ts'],
  },
  deciding: {
    isPure: true,
    mutate: ['server/src/features/approvals/domain.ts'],
    tests: ['server/src/features/approvals/{who-decides,barred,progress,findings.property}.test.ts'],
  },
  approvals: {
    isMocking: true,
    mutate: ['server/src/features/approvals/service/decide.ts'],
    tests: ['server/src/features/approvals/service/{decided,decide}.test.ts'],
  },
  consent: {
    mutate: ['server/src/features/approvals/service/{open-task,second-person}.ts'],
    tests: [
      'server/src/features/approvals/service/modes.test.ts',
      'server/src/features/approvals/{open-task,second-person,withdraw}.test.ts',
      'server/src/features/transfers/service/{submitted,foreseeing}.test.ts',
      'server/src/features/approvals/{new-payees,control,batches.property}.test.ts',
    ],
  },
  submission: {
    mutate: [
      'server/src/features/{outgoing,transfers}/service/submit.ts',
      'server/src/features/outgoing/service/{write-accepted,payment-parts,submit-joined}.ts',
      'server/src/features/transfers/service/prepare.ts',
    ],
    tests: [
      'server/src/features/transfers/service/{submitted,submit,locked-balance,references}.test.ts',
      'server/src/features/exchange/{batches,reviewed,limit-orders}.test.ts',
      'server/src/features/operator/pricing/prices.test.ts',
      'server/src/features/payments/submitted.test.ts',
      'server/src/features/payments/crypto/{payouts,refusals}.test.ts',
      'server/src/features/transfers/service/{batches,stopping,repeating}.test.ts',
      'server/src/features/exchange/{guards,exact-balance}.test.ts',
      'server/src/features/batches/runs/{joined.property,runs,guards,signing,accepted}.test.ts',
      'server/src/features/transfers/service/network-fees.test.ts',
      'server/src/features/batches/runs/chain-kills.test.ts',
      'server/src/features/trades/trades.test.ts',
    ],
  },
  ending: {
    mutate: [
      'server/src/features/outgoing/service/{approve,cancel,hand-over,judge,release,settle,stop}.ts',
      'server/src/features/transfers/service/cancel.ts',
    ],
    tests: [
      'server/src/features/outgoing/service/{ending,release-all,settled-by-platform}.test.ts',
      'server/src/features/transfers/service/{cancel,stopping,repeating}.test.ts',
      'server/src/features/approvals/withdraw.test.ts',
      'server/src/features/rails/service/stopping-order.test.ts',
      'server/src/features/payments/payouts.test.ts',
      'server/src/features/operator/{treasury/fees,pricing/prices}.test.ts',
      'server/src/features/rails/service/sending-once.test.ts',
      'server/src/features/payments/crypto/payouts.test.ts',
      'server/src/features/exchange/limit-orders.test.ts',
      'server/src/features/rails/settlement/settling.test.ts',
      'server/src/features/trades/release-ends.test.ts',
    ],
  },
  counting: {
    isPure: true,
    mutate: ['server/src/features/risk/service/tally.ts'],
    tests: ['server/src/features/risk/service/tally.test.ts'],
  },
  risk: {
    mutate: ['server/src/features/risk/service/{assess,judging}.ts'],
    tests: [
      'server/src/features/risk/service/{assess,weighed,write-denied,assess-locks,judging,judging-races}.test.ts',
      'server/src/features/transfers/service/submit.test.ts',
    ],
  },
  terms: {
    isPure: true,
    mutate: [
      'server/src/features/payments/domain.ts',
      'server/src/features/outgoing/bank-terms.ts',
      'server/src/features/rails/bank/payouts/{instruction,reasons}.ts',
    ],
    tests: [
      'server/src/features/payments/domain.test.ts',
      'server/src/features/outgoing/bank-terms.test.ts',
      'server/src/features/rails/bank/payouts/instruction.test.ts',
    ],
  },
  payouts: {
    mutate: [
      'server/src/features/rails/bank/payouts/{booking,rail,orders,statuses,delivering}.ts',
      'server/src/features/payments/service/{submit,prepare,cancel}.ts',
    ],
    tests: [
      'server/src/features/rails/bank/payouts/{answers,orders}.test.ts',
      'server/src/features/payments/submitted.test.ts',
      'server/src/features/payments/payouts.test.ts',
      'server/src/features/rails/bank/payouts/{http-bank,kills,fitting}.test.ts',
      'server/src/features/rails/bank/{payouts/races,payouts/http-kills,once,reversing,refused}.test.ts',
      'server/src/features/payments/verification.test.ts',
      'server/src/features/batches/runs/{signing,runs}.test.ts',
      'server/src/features/payments/crypto/{payouts,refusals}.test.ts',
    ],
  },
  deposits: {
    mutate: ['server/src/features/rails/bank/{matching,crediting,settling,holding,held,reversing}.ts'],
    tests: [
      'server/src/features/rails/bank/{deposits,reversing,announced,intake}.test.ts',
      'server/src/features/operator/banks/banks.test.ts',
      'server/src/features/rails/bank/payouts/answers.test.ts',
    ],
  },
};

/** `{a,b}/*.ts` as `a/*.ts` and `b/*.ts`: each alternative must exist. */
export function withoutBraces(glob: string): string[] {
  const [whole, alternatives = ''] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (whole === undefined) return [glob];
  return alternatives.split(',').flatMap((alternative) => withoutBraces(glob.replace(whole, alternative)));
}

/** The group that MUTATION_GROUP names; run.ts sets it for its child processes. */
export function groupOfProcess(): MutationGroup & { name: string } {
  const name = process.env['MUTATION_GROUP'] ?? 'rules';
  const group = groups[name];
  if (group === undefined) throw new Error(`MUTATION_GROUP is one of ${Object.keys(groups).join(', ')}`);
  return { name, ...group };
}
