import { type QueueKind, queueRules, queueUrgencies } from '@causeway/contract/operator-queue-rules.ts';

/** More than any time in milliseconds that the queue will see, so that urgency comes first; still a safe integer. */
const urgencyWeight = 10_000_000_000_000;

/** What the queue is ordered by: urgency, then age in milliseconds. */
export function placeOf(kind: QueueKind, openedAt: Date): number {
  return queueUrgencies.indexOf(queueRules[kind].urgency) * urgencyWeight + openedAt.getTime();
}

/** An item whose cause comes back so soon goes on, with its history. */
export const reopenWithinMinutes = 60;

interface LinkedItem {
  subject: string;
  companyId: string | null;
}

/** The page of the console on which items of a kind are dealt with; every kind has one. */
const links: Record<QueueKind, (item: LinkedItem) => string> = {
  transferStuck: ({ subject }) => `/app/payments/${subject}`,
  paymentUnexplained: ({ subject }) => `/app/exceptions/payment/${subject}`,
  addressHeld: ({ subject }) => `/app/exceptions/address/${encodeURIComponent(subject)}`,
  restoreOpen: () => '/app/exceptions',
  depositReorganised: () => '/app/exceptions',
  companyDeficit: () => '/app/exceptions',
  otcWaiting: ({ subject }) => `/app/desk/${subject}`,
  tradeUntold: ({ subject }) => `/app/trades/${subject}`,
  tradeContradicted: ({ subject }) => `/app/trades/${subject}`,
  tradeOverdue: ({ subject }) => `/app/trades/${subject}`,
  cardOverdrawn: ({ companyId }) => `/app/companies/${companyId}`,
  cardContradicted: ({ companyId }) => (companyId === null ? '/app/health' : `/app/companies/${companyId}`),
  cardEventUnread: ({ companyId }) => (companyId === null ? '/app/health' : `/app/companies/${companyId}`),
  cardUnconfirmed: ({ subject }) => `/app/payments/${subject}`,
  cardNotFound: ({ subject }) => `/app/payments/${subject}`,
  cardIssuerSilent: () => '/app/health',
  cardSettlementBack: ({ subject }) => `/app/banks/moneys/${subject}`,
  tradeOverpaid: ({ subject }) => `/app/trades/${subject}`,
  companyFrozen: ({ companyId }) => `/app/companies/${companyId}?tab=freezing`,
  memberFrozen: ({ companyId }) => `/app/companies/${companyId}?tab=freezing`,
  walletFrozen: ({ companyId }) => `/app/companies/${companyId}?tab=freezing`,
  priceStale: () => '/app/health/rates',
  midUnusable: () => '/app/health',
  nodeFailing: () => '/app/treasury',
  watcherBehind: () => '/app/treasury',
  gasTankLow: () => '/app/treasury',
  treasuryShort: () => '/app/treasury',
  treasuryCapped: () => '/app/treasury',
  settlementFailed: () => '/app/treasury',
  batchPaidTwice: ({ subject }) => `/app/payments/${subject}`,
  signerFailing: () => '/app/treasury',
  serviceFailing: () => '/app/health',
  workerSilent: () => '/app/health',
  jobGaveUp: () => '/app/health/jobs',
  mailFailed: () => '/app/health/jobs',
  moneyUnmatched: ({ subject }) => `/app/banks/moneys/${subject}`,
  bankCharged: ({ subject }) => `/app/banks/moneys/${subject}`,
  bankFailing: () => '/app/banks',
  bankFileRefused: ({ subject }) => `/app/banks/files/${subject}`,
  bankDayMissing: () => '/app/banks/reconciliation',
  bankEntryDiffers: () => '/app/banks/reconciliation',
  bankNotBooked: ({ subject }) => `/app/banks/moneys/${subject}`,
  bankOrderUnanswered: () => '/app/banks',
  bankStatusUnknown: ({ subject }) => `/app/banks/files/${subject}`,
  bankRegistryChanged: () => '/app/banks',
  hedgeUnknown: ({ subject }) => `/app/exchange/hedges/${subject}`,
  hedgeRefused: ({ subject }) => `/app/exchange/hedges?asset=${encodeURIComponent(subject)}`,
  positionNearLimit: () => '/app/exchange',
  venueFailing: () => '/app/exchange',
  venueBalanceLow: () => '/app/exchange',
  auditUnsigned: () => '/app/health',
  verificationFailed: () => '/app/health/verifications',
  solvencyDifference: () => '/app/solvency',
  switchedOff: () => '/app/assets',
  proposalOpen: ({ subject }) => `/app/confirmations/${subject}`,
};

/** The page of the console on which an item is dealt with. */
export function linkOf(kind: QueueKind, item: LinkedItem): string {
  return links[kind](item);
}
