import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { TransactionStatusWord } from '../../transactions/index.ts';
import type { Payment, Request } from '../api.ts';
import { isSome, methodName } from '../words.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { RefundDialog } from './refund-dialog-late.tsx';

const tones: Record<Payment['state'], Tone> = { seen: 'progress', credited: 'positive', taken_back: 'negative' };

/** What arrived at the request's addresses, payment by payment, with what was given back of each. */
export function PaymentList({ request }: { request: Request }) {
  const t = useText();
  return (
    <Card
      title={t('collections.payments')}
      {...(request.receipts.length > 0 && {
        aside: (
          <PlainLink href={`/app/transaction?request=${request.id}`} className="text-13 text-accent">
            {t('collections.payments.transactions')}
          </PlainLink>
        ),
      })}
    >
      {request.receipts.length === 0 ? (
        <EmptyState
          icon="arrowDown"
          title={t('collections.payments.empty')}
          text={t('collections.payments.emptyText')}
        />
      ) : (
        <ul className="m-0 flex list-none flex-col gap-6 p-0">
          {request.receipts.map((payment) => (
            <li key={payment.id} className="not-last:border-b not-last:border-line not-last:pb-6">
              <PaymentItem request={request} payment={payment} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function PaymentItem({ request, payment }: { request: Request; payment: Payment }) {
  const t = useText();
  const [open, setOpen] = useState<'refund' | 'accept' | null>(null);
  const close = () => setOpen(null);
  const { can, kind, refunds } = request;
  const mayRefund = can.refund && isSome(payment.refundable);
  const mayAccept = can.accept && kind === 'reusable' && payment.causes.length > 0;
  const given = refunds.filter(({ paymentId }) => paymentId === payment.id);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
        <span className="flex flex-col">
          <Money amount={payment.amount} coin={payment.coin} size="large" />
          <span className="text-13 text-muted">{methodName(payment)}</span>
        </span>
        <StatusDot
          tone={tones[payment.state]}
          {...(payment.causes.length > 0 && {
            detail: payment.causes.map((cause) => t(`collections.cause.${cause}`)).join(' · '),
          })}
        >
          {payment.state === 'seen'
            ? t('collections.payment.seen', { count: payment.confirmations, needed: payment.confirmationsNeeded })
            : t(`collections.payment.${payment.state}`)}
        </StatusDot>
      </div>
      <DescriptionList facts={paymentFacts(request, payment, t)} />
      {given.map((refund) => (
        <p key={refund.transactionId} className="m-0 flex flex-wrap items-center gap-x-3 text-13">
          <PlainLink href={`/app/transaction/${refund.transactionId}`} className="text-accent">
            {t('collections.refund.line', {
              amount: amountLine(refund.amount, refund.coin),
              payee: refund.payee ?? '–',
            })}
          </PlainLink>
          <TransactionStatusWord row={{ ...refund, confirmations: null, confirmationsNeeded: null }} />
        </p>
      ))}
      {(mayRefund || mayAccept) && (
        <div className="flex flex-wrap gap-2">
          {mayAccept && <Button onClick={() => setOpen('accept')}>{t('collections.accept')}</Button>}
          {mayRefund && <Button onClick={() => setOpen('refund')}>{t('collections.refund')}</Button>}
        </div>
      )}
      {open === 'accept' && <AcceptDialog request={request} payment={payment} onClose={close} />}
      {open === 'refund' && <RefundDialog request={request} payment={payment} onClose={close} />}
    </div>
  );
}

function paymentFacts(request: Request, payment: Payment, t: ReturnType<typeof useText>): Fact[] {
  const { asset } = request;
  const { value, rate, rateAt, hash, from, to, coin } = payment;
  const facts: (Fact | false)[] = [
    { term: t('collections.payment.at'), value: <Time at={payment.arrivedAt} /> },
    value !== null &&
      asset !== null &&
      asset !== coin && { term: t('collections.payment.value'), value: <Money amount={value} coin={asset} /> },
    rate !== null &&
      asset !== null && {
        term: t('collections.payment.rate'),
        value: (
          <span className="flex flex-col items-end">
            <span>{t('collections.rateIs', { coin, rate: rateText(rate), currency: asset })}</span>
            {rateAt !== null && (
              <span className="text-12 text-faint">
                <Time at={rateAt} />
              </span>
            )}
          </span>
        ),
      },
    !payment.isAccepted && {
      term: t('collections.payment.accepted'),
      value: <span className="text-pending">{t('collections.payment.notAccepted')}</span>,
    },
    isSome(payment.refunded) && {
      term: t('collections.payment.refunded'),
      value: <Money amount={payment.refunded} coin={coin} />,
    },
    from !== null && { term: t('collections.payment.from'), value: <Address value={from} short /> },
    { term: t('collections.payment.to'), value: <Address value={to} short /> },
    hash !== null && {
      term: t('collections.payment.hash'),
      value: <Address value={hash} short explorerUrl={payment.explorerUrl} />,
    },
    {
      term: t('collections.payment.transaction'),
      value: (
        <PlainLink href={`/app/transaction/${payment.id}`} className="text-accent">
          {t('collections.payment.openTransaction')}
        </PlainLink>
      ),
    },
  ];
  return facts.filter((fact) => fact !== false);
}
