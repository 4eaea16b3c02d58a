import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import {
  ApprovalLink,
  OutcomeSign,
  SubmittedPage,
  TransactionStatusWord,
  TransactionTimeline,
} from '../../transactions/index.ts';
import { CancelPayout } from '../components/cancel-payout.tsx';

const noExplorer = () => null;

/** After a payment: what has become of it, its stages, when it is expected. */
export function Page() {
  const t = useText();
  return (
    <SubmittedPage
      outcome={(detail) => (
        <>
          <Outcome detail={detail} />
          <TransactionStatusWord row={detail} />
          {detail.stage === 'waiting_approval' && detail.waitingFor !== null && (
            <p className="m-0">{t('payments.success.waitingFor', { names: detail.waitingFor })}</p>
          )}
          <ApprovalLink detail={detail} />
        </>
      )}
      stages={(detail) => (
        <section className="flex flex-col gap-3">
          <h3 className="m-0 text-14 font-semibold">{t('payments.success.timeline')}</h3>
          <TransactionTimeline detail={detail} explorerOf={noExplorer} />
          <Expected detail={detail} />
        </section>
      )}
      actions={(detail) => <Actions detail={detail} />}
    />
  );
}

function Actions({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const isTransfer = detail.payout?.form === 'transfer';
  return (
    <>
      <CancelPayout detail={detail} />
      <PlainLink href={isTransfer ? '/app/transfer-out' : '/app/payment'} className={buttonClass('secondary')}>
        {t(isTransfer ? 'payments.success.anotherTransfer' : 'payments.success.another')}
      </PlainLink>
      <PlainLink href={`/app/transaction/${detail.id}`} className={buttonClass('primary')}>
        {t('payments.success.view')}
      </PlainLink>
    </>
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
      <OutcomeSign icon={isFailed ? 'close' : 'check'} />
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
