import { listOutputSets } from 'virtual:calls/operator-outputs';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { isDifferent, outputsPage } from '../api-outputs.ts';

const again_ms = 30_000;
const dash = <span className="text-faint">–</span>;

/** What companies and the treasury have in outputs, by owner and chain, the most first. */
export const outputSetList = defineList({
  call: listOutputSets,
  label: 'ops.title.outputs',
  name: 'operator-output-sets',
  filters: [{ kind: 'search', name: 'keyword', label: 'ops.outputs.searchCompany' }],
  columns: ({ t }) => [
    {
      id: 'company',
      header: t('ops.field.company'),
      card: 'title',
      skeleton: 'w-32',
      cell: ({ companyName, chainName }) => (
        <span className="inline-flex flex-col">
          <span className="font-medium wrap-anywhere">
            {companyName === '' ? t('ops.outputs.treasury') : companyName}
          </span>
          <span className="text-12 font-normal text-faint">{chainName}</span>
        </span>
      ),
    },
    {
      id: 'confirmed',
      header: t('ops.outputs.confirmed'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-24',
      cell: ({ confirmed, coin }) => <Money amount={confirmed.quantity} coin={coin} align="right" />,
    },
    {
      id: 'count',
      header: t('ops.outputs.count'),
      align: 'right',
      skeleton: 'w-10',
      cell: ({ confirmed, waiting, leaving }) => confirmed.count + waiting.count + leaving.count,
    },
    {
      id: 'waiting',
      header: t('ops.outputs.waiting'),
      align: 'right',
      skeleton: 'w-20',
      cell: ({ waiting }) => (waiting.count === 0 ? dash : <Money amount={waiting.quantity} align="right" />),
    },
    {
      id: 'leaving',
      header: t('ops.outputs.leaving'),
      align: 'right',
      skeleton: 'w-20',
      cell: ({ leaving }) => (leaving.count === 0 ? dash : <Money amount={leaving.quantity} align="right" />),
    },
    {
      id: 'small',
      header: t('ops.outputs.small'),
      align: 'right',
      skeleton: 'w-10',
      cell: ({ small, dust }) => small ?? dust,
    },
    {
      id: 'oldest',
      header: t('ops.outputs.oldest'),
      skeleton: 'w-28',
      cell: ({ oldestAt }) => (oldestAt === null ? dash : <Time at={oldestAt} />),
    },
    {
      id: 'books',
      header: t('ops.outputs.books'),
      card: 'status',
      skeleton: 'w-24',
      cell: ({ difference, coin }) => {
        if (difference === null) return dash;
        if (!isDifferent(difference)) return <StatusDot tone="positive">{t('ops.outputs.agree')}</StatusDot>;
        return (
          <StatusDot tone="negative">
            <Money amount={difference} coin={coin} signed />
          </StatusDot>
        );
      },
    },
  ],
  rowId: ({ companyId, chainId }) => `${companyId} ${chainId}`,
  href: outputsPage,
  empty: { icon: 'collect', title: 'ops.outputs.none', text: 'ops.outputs.noneText' },
  again_ms: () => again_ms,
});
