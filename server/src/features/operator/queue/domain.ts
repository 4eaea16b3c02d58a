import { type QueueKind, queueRules, queueUrgencies } from '@causeway/contract/operator-queue-rules.ts';

/** More than any time in milliseconds that the queue will see, so that urgency comes first; still a safe integer. */
const urgencyWeight = 10_000_000_000_000;

/** What the queue is ordered by: urgency, then age in milliseconds. */
export function placeOf(kind: QueueKind, openedAt: Date): number {
  return queueUrgencies.indexOf(queueRules[kind].urgency) * urgencyWeight + openedAt.getTime();
}

/** An item whose cause comes back so soon goes on, with its history. */
export const reopenWithinMinutes = 60;

/** Where in the console an item is dealt with, beside the page of the item itself. */
const pages: Record<QueueKind, (item: { subject: string; companyId: string | null }) => string> = {
  transferStuck: ({ subject }) => `/app/transactions/${subject}`,
  paymentUnexplained: ({ subject }) => `/app/exceptions/payments/${subject}`,
  addressHeld: () => '/app/exceptions/addresses',
  restoreOpen: () => '/app/exceptions/restore',
  depositReorganised: ({ subject }) => `/app/transactions/${subject}`,
  companyDeficit: ({ companyId }) => `/app/companies/${companyId}`,
  walletFrozen: ({ companyId }) => `/app/companies/${companyId}`,
  priceStale: () => '/app/health',
  nodeFailing: () => '/app/treasury/nodes',
  watcherBehind: () => '/app/treasury/nodes',
  gasTankLow: () => '/app/treasury/gas',
  signerFailing: () => '/app/treasury/signer',
  serviceFailing: () => '/app/health',
  workerSilent: () => '/app/health',
  jobGaveUp: () => '/app/health/jobs',
  mailFailed: () => '/app/health/jobs',
  auditUnsigned: () => '/app/health',
  proposalOpen: ({ subject }) => `/app/confirmations/${subject}`,
};

export function linkOf(kind: QueueKind, item: { subject: string; companyId: string | null }): string {
  return pages[kind](item);
}
