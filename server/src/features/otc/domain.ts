import { sayAmount } from '@causeway/contract/money.ts';
import { otcDeadlineMaxDays, otcDeadlineMinMinutes } from '@causeway/contract/otc-rules.ts';
import { refusal } from '../ledger/index.ts';

/** Rules of requests to the desk: pure. Their steps are the database's (`keep_otc_request`). */

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** @throws DomainError otcDeadline */
export function requireDeadline(deadline: Date, now: Date): void {
  const ahead = deadline.getTime() - now.getTime();
  if (ahead < otcDeadlineMinMinutes * minuteMs || ahead > otcDeadlineMaxDays * dayMs) {
    throw refusal('otcDeadline', { minutes: otcDeadlineMinMinutes, days: otcDeadlineMaxDays }, 'deadline');
  }
}

/** Below it a company exchanges at once. @throws DomainError otcBelowMinimum */
export function requireWorth(usdCents: bigint, minimumCents: bigint): void {
  if (usdCents < minimumCents) {
    throw refusal('otcBelowMinimum', { minimum: sayAmount(minimumCents, 2) }, 'amount');
  }
}
