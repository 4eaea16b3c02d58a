import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { useState } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { Banner } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { dots, paymentTones } from '../words.ts';
import { ReceiptForm } from './receipt-form.tsx';
import { ReceiptView } from './receipt-view.tsx';
import { WaiveForm } from './waive-form.tsx';

interface Props {
  payment: CardPayment;
  onClose: () => void;
}

/** One attempt to pay: what was bought where, what became of it and why, and its receipt. */
export function PaymentDialog({ payment, onClose }: Props) {
  const t = useText();
  const [isWaiving, setWaiving] = useState(false);
  const mayManage = usePermission('card.manage') ?? false;
  const forcedText = useForcedText(payment);
  const lacks = payment.can.addReceipt;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={payment.merchant}
      description={[payment.cardName, dots(payment.lastFour), payment.holder].filter(Boolean).join(' · ')}
    >
      <div className="flex flex-col gap-5">
        {payment.reason !== null && <Banner kind="negative">{t(`cards.reason.${payment.reason}`)}</Banner>}
        {payment.forced && <Banner kind="pending">{forcedText}</Banner>}
        <DescriptionList facts={usePaymentFacts(payment)} />
        {payment.transactionId !== null && (
          <PlainLink href={`/app/transaction/${payment.transactionId}`} className="text-accent">
            {t('cards.payment.transaction')}
          </PlainLink>
        )}
        <ReceiptView payment={payment} onChanged={onClose} />
        {lacks && !isWaiving && <ReceiptForm payment={payment} onDone={onClose} />}
        {lacks && isWaiving && <WaiveForm payment={payment} onDone={onClose} onBack={() => setWaiving(false)} />}
        {payment.receipt === 'missing' && mayManage && !isWaiving && (
          <div>
            <Button kind="quiet" size="small" onClick={() => setWaiving(true)}>
              {t('cards.receipt.waive')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** How it took what had not been approved, and how much. */
function useForcedText({ merchant, asset, forcedAs }: CardPayment): string {
  const t = useText();
  if (forcedAs === null) return t('cards.payment.forced.covered');
  const { how, taken, held } = forcedAs;
  return t(`cards.payment.forced.${how}`, {
    merchant,
    taken: amountLine(taken, asset),
    held: amountLine(held, asset),
  });
}

function usePaymentFacts(payment: CardPayment): Fact[] {
  const t = useText();
  const tag = useLocaleTag();
  const { asset, amount, merchantAmount, merchantCurrency, rate, country, online } = payment;
  const parts = partsOf(payment);
  const place = country === null ? '' : (new Intl.DisplayNames(tag, { type: 'region' }).of(country) ?? country);
  return [
    {
      term: t('cards.field.state'),
      value: <StatusDot tone={paymentTones[payment.state]}>{t(`cards.payment.${payment.state}`)}</StatusDot>,
    },
    { term: t('cards.field.amount'), value: amountLine(amount, asset) },
    ...(parts === null
      ? []
      : [
          { term: t(parts.isHeld ? 'cards.field.held' : 'cards.field.wasHeld'), value: amountLine(parts.held, asset) },
          { term: t('cards.field.paid'), value: amountLine(parts.paid, asset) },
        ]),
    ...(merchantAmount !== null && merchantCurrency !== null
      ? [{ term: t('cards.field.merchantAmount'), value: amountLine(merchantAmount, merchantCurrency) }]
      : []),
    ...(rate !== null && merchantCurrency !== null
      ? [{ term: t('cards.field.rate'), value: `1 ${merchantCurrency} = ${rateText(rate)} ${asset}` }]
      : []),
    {
      term: t('cards.field.category'),
      value: `${t(`cards.category.${payment.group}`)} (${payment.mcc})`,
    },
    { term: t('cards.field.place'), value: [payment.city, place].filter(Boolean).join(', ') || '–' },
    ...(online === null
      ? []
      : [{ term: t('cards.field.how'), value: t(online ? 'cards.how.online' : 'cards.how.present') }]),
    { term: t('cards.field.at'), value: <Time at={payment.at} /> },
    ...(payment.clearedAt === null
      ? []
      : [{ term: t('cards.field.clearedAt'), value: <Time at={payment.clearedAt} /> }]),
    ...(payment.receipt === 'none'
      ? []
      : [{ term: t('cards.field.receipt'), value: t(`cards.receipt.${payment.receipt}`) }]),
    ...(payment.receiptNote === '' ? [] : [{ term: t('cards.receipt.waiveWhy'), value: payment.receiptNote }]),
  ];
}

/** What is held beside what was paid: while it is in part, and where more was paid than had been held. Null: the amount is the one or the other. */
function partsOf({ held, paid, forcedAs }: CardPayment): { held: string; isHeld: boolean; paid: string } | null {
  if (/[1-9]/.test(held) && /[1-9]/.test(paid)) return { held, isHeld: true, paid };
  return forcedAs?.how === 'above' ? { held: forcedAs.held, isHeld: false, paid } : null;
}
