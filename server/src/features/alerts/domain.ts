import type { Alert } from '@causeway/contract/alerts-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';

/** What a role must show, beside notices, of what an alert is about. */
const shownBy: Record<Alert, Permission> = {
  lowBalance: 'wallet.view',
  largeIncoming: 'transaction.view',
  newPayee: 'payee.view',
  dailyDigest: 'wallet.view',
};

/** Whether these permissions show what an alert is about, and the alert itself. */
export function isAllowed(alert: Alert, permissions: readonly Permission[]): boolean {
  return permissions.includes('notice.view') && permissions.includes(shownBy[alert]);
}
