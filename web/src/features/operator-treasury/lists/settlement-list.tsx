import { listSettlements } from 'virtual:calls/operator-treasury';
import { Address } from '../../../ui/address.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { PaymentState } from '../components/payment-state.tsx';
import { explorerLink, stillMoving } from '../words.ts';

const soon_ms = 3000;
const later_ms = 15_000;

/** Settlements of exchanged coins, the newest first; read again while one is on its way. */
export const settlementList = defineList({
  call: listSettlements,
  label: 'ops.title.settlements',
  name: 'operator-settlements',
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
      id: 'direction',
      header: t('ops.settlement.direction'),
      skeleton: 'w-24',
      cell: ({ direction, chainName }) => `${t(`ops.settlement.${direction}`)} · ${chainName}`,
    },
    {
      id: 'quantity',
      header: t('ops.field.amount'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-24',
      cell: ({ quantity, coin }) => <Money amount={quantity} coin={coin} atMost={8} align="right" />,
    },
    {
      id: 'legs',
      header: t('ops.settlement.legs'),
      align: 'right',
      skeleton: 'w-10',
      cell: ({ legs }) => String(legs),
    },
    {
      id: 'hash',
      header: t('ops.payment.hash'),
      skeleton: 'w-32',
      cell: ({ hash, explorerUrl }) =>
        hash === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Address
            short
            value={hash}
            what={t('ops.payment.hash')}
            explorerUrl={explorerLink(explorerUrl, 'tx', hash)}
          />
        ),
    },
    { id: 'at', header: t('ops.payment.at'), skeleton: 'w-32', cell: ({ at }) => <Time at={at} /> },
    {
      id: 'state',
      header: t('ops.field.state'),
      card: 'status',
      skeleton: 'w-20',
      cell: (settlement) => <PaymentState payment={settlement} />,
    },
  ],
  rowId: ({ id }) => id,
  empty: { icon: 'collect', title: 'ops.settlements.empty', text: 'ops.settlements.emptyText' },
  again_ms: (rows) => (rows.some(({ state }) => stillMoving.has(state)) ? soon_ms : later_ms),
});
