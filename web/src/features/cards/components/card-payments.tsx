import { listCardPayments } from 'virtual:calls/cards-payments';
import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { useText } from '../../../lib/locale.tsx';
import { defineHistory, History } from '../../../ui/history.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { paymentTones } from '../words.ts';

const history = defineHistory({
  call: listCardPayments,
  rowId: ({ id }) => id,
  empty: { icon: 'card', title: 'cards.payments.none', text: 'cards.payments.emptyText' },
  size: '10',
});

/** What one card paid and what was declined, the latest first. */
export function CardPayments({ cardId, onOpen }: { cardId: string; onOpen: (payment: CardPayment) => void }) {
  return (
    <History history={history} query={{ cardId }}>
      {(payment) => <Row payment={payment} onOpen={() => onOpen(payment)} />}
    </History>
  );
}

function Row({ payment, onOpen }: { payment: CardPayment; onOpen: () => void }) {
  const t = useText();
  const { merchant, group, at, amount, asset, state, reason, receipt } = payment;
  return (
    <div className="flex items-start justify-between gap-4">
      <span className="min-w-0">
        <button
          type="button"
          className="cursor-pointer text-left font-medium wrap-anywhere text-accent hover:underline"
          onClick={onOpen}
        >
          {merchant}
        </button>
        <span className="block text-12 text-faint">
          {t(`cards.category.${group}`)} · <Time at={at} />
          {receipt === 'missing' && <span className="whitespace-nowrap"> · {t('cards.receipt.isMissing')}</span>}
        </span>
      </span>
      <span className="flex max-w-1/2 shrink-0 flex-col items-end gap-0.5">
        <span className={state === 'declined' ? 'text-faint' : ''}>
          <Money amount={amount} coin={asset} align="right" signed={state === 'refunded'} />
        </span>
        <StatusDot tone={paymentTones[state]}>{t(`cards.payment.${state}`)}</StatusDot>
        {/* At the column's edge, as the words are; the detail of a dot begins with its word. */}
        {reason !== null && <span className="text-right text-12 text-faint">{t(`cards.reason.${reason}`)}</span>}
      </span>
    </div>
  );
}
