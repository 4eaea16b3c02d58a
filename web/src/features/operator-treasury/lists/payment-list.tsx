import { listFeePayments } from 'virtual:calls/operator-treasury';
import { Address } from '../../../ui/address.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { PaymentState } from '../components/payment-state.tsx';
import { explorerLink, stillMoving } from '../words.ts';

const soon_ms = 3000;
const later_ms = 15_000;

/** Payments of collected fees, the newest first; read again while one is on its way. */
export const paymentList = defineList({
  call: listFeePayments,
  label: 'ops.title.feePayments',
  name: 'operator-fee-payments',
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
      id: 'quantity',
      header: t('ops.field.amount'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-24',
      cell: ({ quantity, coin }) => <Money amount={quantity} coin={coin} atMost={8} align="right" />,
    },
    {
      id: 'to',
      header: t('ops.collect.to'),
      skeleton: 'w-36',
      cell: ({ label, address }) => (
        <span className="inline-flex flex-col">
          <span className="wrap-anywhere">{label}</span>
          <Address short value={address} what={t('ops.field.address')} />
        </span>
      ),
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
      cell: (payment) => <PaymentState payment={payment} />,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ proposalId }) => `/app/confirmations/${proposalId}`,
  empty: { icon: 'collect', title: 'ops.feePayments.empty', text: 'ops.feePayments.emptyText' },
  again_ms: (rows) => (rows.some(({ state }) => stillMoving.has(state)) ? soon_ms : later_ms),
});
