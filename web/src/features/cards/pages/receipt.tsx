import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { usePayment } from '../api.ts';
import { ReceiptForm } from '../components/receipt-form.tsx';
import { ReceiptView } from '../components/receipt-view.tsx';
import { cardsPath } from '../paths.ts';
import { dots } from '../words.ts';

/** Where mails that ask for a receipt lead: one payment, and its receipt, which on a phone is a photo that is taken at once. */
export function ReceiptPage({ id }: { id: string }) {
  const t = useText();
  const read = usePayment(id);
  const payment = read.data;
  return (
    <Frame intro={t('cards.receipt.pageIntro')}>
      <div className="max-w-xl">
        <Card>
          {payment === undefined && read.error !== null ? (
            <ErrorState error={read.error} onRetry={() => void read.refetch()} />
          ) : (
            <Loading loading={payment === undefined} skeleton={<Skeleton height="h-64" />}>
              {payment && <Receipt key={payment.receiptId} payment={payment} onChanged={() => void read.refetch()} />}
            </Loading>
          )}
        </Card>
      </div>
      <PlainLink href={`${cardsPath}/payments?receipt=missing&mine=true`} className="text-accent">
        {t('cards.receipt.others')}
      </PlainLink>
    </Frame>
  );
}

function Receipt({ payment, onChanged }: { payment: CardPayment; onChanged: () => void }) {
  const t = useText();
  const { merchant, amount, asset, at, cardName, lastFour, receipt, receiptNote, can } = payment;
  return (
    <div className="flex flex-col gap-5">
      <DescriptionList
        facts={[
          { term: t('cards.field.merchant'), value: merchant },
          { term: t('cards.field.amount'), value: amountLine(amount, asset) },
          { term: t('cards.field.at'), value: <Time at={at} /> },
          { term: t('cards.field.card'), value: [cardName, dots(lastFour)].filter(Boolean).join(' ') },
        ]}
      />
      {receipt === 'matched' && <Banner kind="positive">{t('cards.receipt.isThere')}</Banner>}
      {receipt === 'waived' && <Banner kind="notice">{t('cards.receipt.waivedBecause', { note: receiptNote })}</Banner>}
      <ReceiptView payment={payment} onChanged={onChanged} />
      {can.addReceipt && <ReceiptForm payment={payment} onDone={onChanged} />}
    </div>
  );
}
