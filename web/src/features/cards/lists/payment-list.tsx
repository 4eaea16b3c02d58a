import { listCardPayments } from 'virtual:calls/cards-payments';
import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useCardChoices } from '../api.ts';
import { dots, paymentTexts, paymentTones, receiptTexts } from '../words.ts';

/** What the rows need of their page; stable between renders. */
export interface PaymentTools {
  open: (payment: CardPayment) => void;
}

/** Attempts to pay by card with what became of them, declined ones included. */
export const paymentList = defineList<
  typeof import('@causeway/contract/cards-payments.ts').listCardPayments,
  PaymentTools
>({
  call: listCardPayments,
  label: 'cards.payments',
  name: 'card-payments',
  filters: [
    { kind: 'search', name: 'search', label: 'cards.payments.search' },
    { kind: 'choice', name: 'cardId', label: 'cards.field.card', options: useCards },
    { kind: 'choice', name: 'state', label: 'cards.field.state', options: paymentTexts },
    { kind: 'choice', name: 'receipt', label: 'cards.field.receipt', options: receiptTexts },
    { kind: 'choice', name: 'mine', label: 'cards.field.whose', options: { true: 'cards.payments.mine' } },
  ],
  columns: ({ t }, { open }) => [
    {
      id: 'merchant',
      header: t('cards.field.merchant'),
      card: 'title',
      skeleton: 'w-32',
      cell: (payment) => (
        <span className="min-w-0">
          <button
            type="button"
            className="cursor-pointer text-left font-medium wrap-anywhere text-accent hover:underline"
            onClick={() => open(payment)}
          >
            {payment.merchant}
          </button>
          <span className="block text-12 text-faint">
            {[t(`cards.category.${payment.group}`), payment.city, payment.country].filter(Boolean).join(' · ')}
          </span>
        </span>
      ),
    },
    {
      id: 'card',
      header: t('cards.field.card'),
      skeleton: 'w-24',
      cell: ({ cardName, lastFour, holder }) => (
        <span className="min-w-0">
          {cardName}
          <span className="figures block text-12 text-faint">
            {[dots(lastFour), holder].filter(Boolean).join(' · ')}
          </span>
        </span>
      ),
    },
    {
      id: 'at',
      header: t('cards.field.at'),
      card: 'meta',
      skeleton: 'w-32',
      cell: ({ at }) => <Time at={at} />,
    },
    {
      id: 'receipt',
      header: t('cards.field.receipt'),
      skeleton: 'w-20',
      cell: ({ receipt }) =>
        receipt === 'none' ? <span className="text-faint">–</span> : t(`cards.receipt.${receipt}`),
    },
    {
      id: 'amount',
      header: t('cards.field.amount'),
      card: 'figure',
      align: 'right',
      skeleton: 'w-24',
      cell: ({ amount, asset, merchantAmount, merchantCurrency, state }) => (
        <span className={`flex flex-col items-end ${state === 'declined' ? 'text-faint' : ''}`}>
          <Money amount={amount} coin={asset} align="right" signed={state === 'refunded'} />
          {merchantAmount !== null && merchantCurrency !== null && (
            <span className="text-12 text-faint">
              <Money amount={merchantAmount} coin={merchantCurrency} align="right" />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'state',
      header: t('cards.field.state'),
      card: 'status',
      skeleton: 'w-24',
      cell: ({ state, reason }) => (
        <StatusDot tone={paymentTones[state]} {...(reason !== null && { detail: t(`cards.reason.${reason}`) })}>
          {t(`cards.payment.${state}`)}
        </StatusDot>
      ),
    },
  ],
  rowId: ({ id }) => id,
  empty: { icon: 'card', title: 'cards.payments.empty', text: 'cards.payments.emptyText' },
});

function useCards() {
  return useCardChoices().map(({ id, name, lastFour }) => ({
    value: id,
    label: [name, dots(lastFour)].filter(Boolean).join(' '),
  }));
}
