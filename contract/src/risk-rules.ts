/** Words and limits of risk control, without a schema library (decisions, "Approvals and risk"). */

export const businesses = ['crypto_withdrawal', 'payment'] as const;
export type Business = (typeof businesses)[number];

export const riskDimensions = [
  'chain',
  'coin',
  'crypto_quantity',
  'crypto_value',
  'crypto_frequency',
  'fiat_currency',
  'fiat_amount',
  'fiat_frequency',
  'payment_region',
  'initiator',
  'department',
  'role',
] as const;
export type RiskDimension = (typeof riskDimensions)[number];

/** About the person who submits. */
export const peopleDimensions = ['initiator', 'department', 'role'] as const satisfies RiskDimension[];

/**
 * Which dimension fits which business: a withdrawal has a chain and a coin, a payment a currency and a country, or a coin where coins are
 * exchanged; both have an initiator. What a transaction has none of, a policy about it is not concerned with.
 */
export const dimensionsOf: Record<Business, readonly RiskDimension[]> = {
  crypto_withdrawal: ['chain', 'coin', 'crypto_quantity', 'crypto_value', 'crypto_frequency', ...peopleDimensions],
  payment: [
    'fiat_currency',
    'fiat_amount',
    'fiat_frequency',
    'payment_region',
    'coin',
    'crypto_quantity',
    'crypto_value',
    ...peopleDimensions,
  ],
};

/** These ask whether something is on a list: their window has nothing to add up. */
export const listDimensions = [
  'chain',
  'coin',
  'fiat_currency',
  'payment_region',
  ...peopleDimensions,
] as const satisfies RiskDimension[];

export const riskMethods = ['forbid', 'allow_only'] as const;
export type RiskMethod = (typeof riskMethods)[number];

/** `allow` goes with `allow_only` alone: what lies inside passes at once, and no later policy is asked. */
export const riskActions = ['deny', 'allow'] as const;
export type RiskAction = (typeof riskActions)[number];

/** Calendar day, week (from Monday) and month in the company's time zone. */
export const riskWindows = ['day', 'week', 'month'] as const;
export type RiskWindow = (typeof riskWindows)[number];

/** When a transaction is judged: as it is submitted, at each decision, and as it is handed to signing. */
export const riskMoments = ['submission', 'decision', 'handover'] as const;
export type RiskMoment = (typeof riskMoments)[number];

export const riskReasons = [
  'blacklisted',
  'notWhitelisted',
  'whitelistSingle',
  'whitelistDaily',
  'whitelistCumulative',
  'policy',
] as const;
export type RiskReason = (typeof riskReasons)[number];

/** The steps of a judgement, in their order. */
export const riskSteps = ['blacklist', 'whitelist', 'policy'] as const;

/**
 * What came of one step: `stopped` the transaction, `exempted` it from all later policies, `passed` it on to the next,
 * or was not `concerned` with it (another coin or currency).
 */
export const riskOutcomes = ['stopped', 'exempted', 'passed', 'notConcerned'] as const;

export const listKinds = ['white', 'black'] as const;
export type ListKind = (typeof listKinds)[number];

export const listAccountTypes = ['bank_no', 'crypto_address'] as const;
export type ListAccountType = (typeof listAccountTypes)[number];

export const listEntryStatuses = ['in_use', 'deleted'] as const;

export const policyActions = ['added', 'edited', 'moved', 'activated', 'deactivated', 'deleted'] as const;
export const listActions = ['added', 'edited', 'deleted'] as const;

export const policyNameMaxLength = 60;
export const remarkMaxLength = 200;
/** Policies of one company, switched off ones included. */
export const maxPolicies = 10_000;
/** Chains, coins, currencies, countries, members, departments or roles in one policy. */
export const maxListed = 250;
/** Rows of one import. */
export const maxImportRows = 5000;
/** A replay goes back this many days, and lists this many of the transactions that it would have stopped. */
export const replayDays = 90;
export const maxReplayListed = 200;

/** Bank accounts: letters and digits (decisions, "Payees"). */
export const accountMinLength = 6;
export const accountMaxLength = 35;
