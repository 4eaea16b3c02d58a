import { listBankMoneys } from 'virtual:calls/operator-banks';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { MoneyState } from '../components/money-state.tsx';
import { otherStateTexts } from '../words.ts';

const again_ms = 15_000;

/** Moneys of banks in one state, the oldest first; those in suspense unless another is chosen. */
export const moneyList = defineList({
  call: listBankMoneys,
  label: 'ops.title.bankMoneys',
  name: 'operator-bank-moneys',
  filters: [
    {
      kind: 'choice',
      name: 'state',
      label: 'ops.field.state',
      any: 'ops.bankMoney.state.suspense',
      options: otherStateTexts,
    },
  ],
  columns: ({ t }) => [
    {
      id: 'payer',
      header: t('ops.bankMoney.counterparty'),
      card: 'title',
      skeleton: 'w-36',
      cell: ({ payer, payerAccount, remittance, bankWords, quantity }) => {
        const words = remittance || bankWords;
        // Of what was taken, the bank names no payer.
        const taken = quantity.startsWith('-') ? words : null;
        const title = payer ?? payerAccount ?? (taken || t('ops.bankMoney.noPayer'));
        return (
          <span className="inline-flex flex-col">
            <span className="font-medium wrap-anywhere">{title}</span>
            {words && words !== title && <span className="line-clamp-2 text-12 text-faint wrap-anywhere">{words}</span>}
          </span>
        );
      },
    },
    {
      id: 'quantity',
      header: t('ops.bankMoney.amount'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-24',
      cell: ({ quantity, asset }) => <Money amount={quantity} coin={asset} align="right" />,
    },
    {
      id: 'bank',
      header: t('ops.bankMoney.account'),
      skeleton: 'w-32',
      cell: ({ bankName, account }) => (
        <span className="inline-flex flex-col">
          <span>{bankName}</span>
          <span className="figures text-12 text-faint">{account}</span>
        </span>
      ),
    },
    { id: 'at', header: t('ops.bankMoney.at'), skeleton: 'w-32', cell: ({ at }) => <Time at={at} /> },
    {
      id: 'suggestions',
      header: t('ops.bankMoney.suggestions'),
      align: 'right',
      skeleton: 'w-8',
      cell: ({ suggestions }) => suggestions,
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      card: 'status',
      skeleton: 'w-24',
      cell: (money) => <MoneyState money={money} />,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/banks/moneys/${id}`,
  empty: { icon: 'check', title: 'ops.bankMoney.empty', text: 'ops.bankMoney.emptyText' },
  again_ms: () => again_ms,
});
