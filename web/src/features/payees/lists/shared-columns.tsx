import type { CryptoPayee } from '@causeway/contract/payees.ts';
import type { Translate } from '../../../lib/locale.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import type { ListFilter } from '../../../ui/list-view.tsx';
import { Time } from '../../../ui/time.tsx';

type Payee = Pick<CryptoPayee, 'label' | 'remark' | 'createdAt'>;

/** What both books of payees show and filter by. */
export function labelColumn<P extends Payee>(t: Translate): Column<P> {
  return {
    id: 'label',
    header: t('payees.label'),
    card: 'title',
    cell: (payee) => <span className="font-medium break-words">{payee.label}</span>,
  };
}

export function remarkColumn<P extends Payee>(t: Translate): Column<P> {
  return {
    id: 'remark',
    header: t('payees.remark'),
    hideable: true,
    card: 'none',
    cell: (payee) => (
      <span className="line-clamp-1 max-w-60 text-muted" title={payee.remark}>
        {payee.remark}
      </span>
    ),
  };
}

export function addedColumn<P extends Payee>(t: Translate): Column<P> {
  return {
    id: 'createdAt',
    header: t('payees.createdAt'),
    hideable: true,
    skeleton: 'w-36',
    cell: (payee) => <Time at={payee.createdAt} dateOnly />,
  };
}

export const statusFilter: ListFilter = {
  kind: 'choice',
  name: 'status',
  label: 'payees.status',
  options: {
    usable: 'payees.status.usable',
    waiting: 'payees.status.waiting',
    rejected: 'payees.status.rejected',
    unusable: 'payees.status.unusable',
  },
};
