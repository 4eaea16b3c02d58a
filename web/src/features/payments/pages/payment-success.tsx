import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { useParams } from '@tanstack/react-router';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { ApprovalLink, TransactionStatusWord, TransactionTimeline, useTransaction } from '../../transactions/index.ts';
import { CancelPayout } from '../components/cancel-payout.tsx';

const noExplorer = () => null;

/** After a payment: what has become of it, its stages, when it is expected. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const transaction = useTransaction(id);
  const { data } = transaction;
  if (data === undefined && transaction.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={transaction.error} onRetry={() => void transaction.refetch()} />
      </CardPage>
    );
  }
  return (
    <Frame narrow>
      <Card>
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-96" />}>
          {data && (
            <div className="flex flex-col gap-8">
              <div className="flex flex-col items-center gap-2 pt-4 text-center">
                <Outcome detail={data} />
                <TransactionStatusWord row={data} />
                {data.stage === 'waiting_approval' && data.waitingFor !== null && (
                  <p className="m-0">{t('payments.success.waitingFor', { names: data.waitingFor })}</p>
                )}
                <ApprovalLink detail={data} />
              </div>
              <section className="flex flex-col gap-3">
                <h3 className="m-0 text-14 font-semibold">{t('payments.success.timeline')}</h3>
                <TransactionTimeline detail={data} explorerOf={noExplorer} />
                <Expected detail={data} />
              </section>
              <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-5">
                <CancelPayout detail={data} />
                <PlainLink
                  href={data.payout?.form === 'transfer' ? '/app/transfer-out' : '/app/payment'}
                  className={buttonClass('secondary')}
                >
                  {t(
                    data.payout?.form === 'transfer' ? 'payments.success.anotherTransfer' : 'payments.success.another',
                  )}
                </PlainLink>
                <PlainLink href={`/app/transaction/${data.id}`} className={buttonClass('primary')}>
                  {t('payments.success.view')}
                </PlainLink>
              </div>
            </div>
          )}
        </Loading>
      </Card>
    </Frame>
  );
}

const unsold: readonly Stage[] = ['waiting_approval', 'refused', 'cancelled'];

/** What has become of it by now: the page stays open while approvers decide and the bank answers. */
function Outcome({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const { status, stage, failureReason, bankReason } = detail;
  const bankSays = [bankReason?.code, bankReason?.words].filter(Boolean).join(' · ');
  const { amount, asset } = detail.payout?.paid ?? { amount: detail.quantity, asset: detail.coin };
  const facts = { amount: amountLine(amount, asset), payee: detail.payee.name ?? '' };
  const isOfCoins = detail.type === 'crypto_payout';
  const isFailed = status === 'failed';
  // Coins are sold once the payment is approved; before that they are only held.
  const isSold = isOfCoins && !unsold.includes(stage);
  const state = isFailed
    ? 'failed'
    : status === 'completed'
      ? 'completed'
      : stage === 'waiting_approval'
        ? 'review'
        : 'submitted';
  return (
    <>
      <span
        className={`inline-flex size-12 items-center justify-center rounded-full ${
          isFailed ? 'bg-negative-soft text-negative' : 'bg-positive-soft text-positive'
        }`}
      >
        <Icon name={isFailed ? 'close' : 'check'} size={24} />
      </span>
      <h2 className="m-0 text-20 font-semibold">{t(`payments.success.${state}Title`)}</h2>
      <p className="m-0 text-muted">
        {isOfCoins && isFailed
          ? t(isSold ? 'payments.success.coinsFailedText' : 'payments.success.coinsUnsoldText', {
              ...facts,
              currency: asset,
            })
          : t(`payments.success.${state}Text`, facts)}
      </p>
      {isOfCoins && (isSold || !isFailed) && (
        <p className="m-0 text-muted">
          {t(isSold ? 'payments.success.coinsPaid' : 'payments.success.coinsWaiting', {
            amount: amountLine(detail.quantity, detail.coin),
          })}
        </p>
      )}
      {isFailed && failureReason !== null && <p className="m-0">{failureReason}</p>}
      {isFailed && bankSays !== '' && (
        <p className="m-0 text-13 text-muted">{t('payments.success.bankSays', { said: bankSays })}</p>
      )}
    </>
  );
}

function Expected({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const formats = useFormats();
  if (detail.status !== 'pending' || detail.payout === null) return null;
  const { latest } = detail.payout.expected;
  return (
    <p className="m-0 text-13 text-faint">{t('payments.success.expected', { day: formats.date(dayOf(latest)) })}</p>
  );
}
