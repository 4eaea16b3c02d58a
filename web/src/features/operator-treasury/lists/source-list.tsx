import { listFeeSources } from 'virtual:calls/operator-treasury';
import { Address } from '../../../ui/address.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';

const again_ms = 15_000;

/** At which companies' addresses the fees of a coin lie, the largest first. */
export const sourceList = defineList({
  call: listFeeSources,
  label: 'ops.title.feeSources',
  name: 'operator-fee-sources',
  filters: [],
  columns: ({ t }) => [
    {
      id: 'company',
      header: t('ops.field.company'),
      card: 'title',
      skeleton: 'w-32',
      cell: ({ companyName, companyId }) => (
        <span className="font-medium wrap-anywhere">{companyName === '' ? companyId : companyName}</span>
      ),
    },
    {
      id: 'address',
      header: t('ops.field.address'),
      skeleton: 'w-36',
      cell: ({ address }) =>
        address === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Address short value={address} what={t('ops.field.address')} />
        ),
    },
    {
      id: 'quantity',
      header: t('ops.fees.quantity'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-24',
      cell: ({ quantity }) => <Money amount={quantity} align="right" />,
    },
    {
      id: 'underWay',
      header: t('ops.fees.underWay'),
      align: 'right',
      skeleton: 'w-20',
      cell: ({ underWay }) => <Money amount={underWay} align="right" />,
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      card: 'status',
      skeleton: 'w-16',
      cell: ({ frozen }) => (
        <StatusDot tone={frozen ? 'negative' : 'neutral'}>
          {t(frozen ? 'ops.source.frozen' : 'ops.source.free')}
        </StatusDot>
      ),
    },
  ],
  rowId: ({ id }) => id,
  empty: { icon: 'collect', title: 'ops.fees.empty', text: 'ops.fees.emptyText' },
  again_ms: () => again_ms,
});
