import type { Alert } from '@causeway/contract/alerts-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { RateDirection } from '@causeway/contract/rates-rules.ts';
import { Decimal } from 'decimal.js';

/** An alert that can be switched on, or one of a rate, which is set on its own page. What a role must show, beside notices, of what an alert is about. */
const shownBy: Record<Alert | 'rate', Permission> = {
  rate: 'wallet.view',
  lowBalance: 'wallet.view',
  largeIncoming: 'transaction.view',
  newPayee: 'payee.view',
  dailyDigest: 'wallet.view',
};

/** Whether these permissions show what an alert is about, and the alert itself. */
export function isAllowed(alert: Alert | 'rate', permissions: readonly Permission[]): boolean {
  return permissions.includes('notice.view') && permissions.includes(shownBy[alert]);
}

/** Whether a rate has reached the value of an alert from the other side. */
export function hasPassed({ direction, value }: { direction: RateDirection; value: string }, rate: string): boolean {
  const reached = new Decimal(rate).cmp(value);
  return direction === 'above' ? reached >= 0 : reached <= 0;
}
