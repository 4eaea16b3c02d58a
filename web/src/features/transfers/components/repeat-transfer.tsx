import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';

/** To the form, filled from this transfer. */
export function RepeatTransfer({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  if (usePermission('transfer.create') !== true) return null;
  return (
    <PlainLink href={`/app/transfer-out?repeat=${detail.id}`} className={buttonClass('secondary')}>
      {t('transfers.repeat')}
    </PlainLink>
  );
}
