import type { TransactionDetail } from '@causeway/contract/transactions.ts';
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
import { CancelExchange } from '../components/cancel-exchange.tsx';

const noExplorer = () => null;

/** After an exchange: what was exchanged, or what it waits for. */
export function Page() {
  const t = useText();
  return (
    <SubmittedPage
      outcome={(detail) => (
        <>
          <Outcome detail={detail} />
          <TransactionStatusWord row={detail} />
          {detail.stage === 'waiting_approval' && detail.waitingFor !== null && (
            <p className="m-0">{t('exchanges.success.waitingFor', { names: detail.waitingFor })}</p>
          )}
          <ApprovalLink detail={detail} />
        </>
      )}
      stages={(detail) => (
        <section className="flex flex-col gap-3">
          <h3 className="m-0 text-14 font-semibold">{t('exchanges.success.timeline')}</h3>
          <TransactionTimeline detail={detail} explorerOf={noExplorer} />
        </section>
      )}
      actions={(detail) => (
        <>
          <CancelExchange detail={detail} />
          <PlainLink href="/app/wallet/exchange" className={buttonClass('secondary')}>
            {t('exchanges.success.another')}
          </PlainLink>
          <PlainLink href={`/app/transaction/${detail.id}`} className={buttonClass('primary')}>
            {t('exchanges.success.view')}
          </PlainLink>
        </>
      )}
    />
  );
}

/** What it waits for. */
const waitingStates: Partial<Record<TransactionDetail['stage'], 'review' | 'resting'>> = {
  waiting_approval: 'review',
  waiting_rate: 'resting',
};

/** What has become of it by now: the page stays open while approvers decide. */
function Outcome({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const { status, stage, failureReason, exchange, exchanged } = detail;
  const facts = {
    sold: amountLine(detail.quantity, detail.coin),
    bought: exchange === null ? '' : amountLine(exchange.quantity, exchange.asset),
    least: exchanged === null ? '' : amountLine(exchanged.bound, exchanged.buy.asset),
  };
  const isFailed = status === 'failed';
  const state = isFailed ? 'failed' : (waitingStates[stage] ?? 'completed');
  return (
    <>
      <OutcomeSign icon={isFailed ? 'close' : state === 'completed' ? 'check' : 'clock'} />
      <h2 className="m-0 text-20 font-semibold">{t(`exchanges.success.${state}Title`)}</h2>
      <p className="m-0 text-muted">{t(`exchanges.success.${state}Text`, facts)}</p>
      {isFailed && failureReason !== null && <p className="m-0">{failureReason}</p>}
    </>
  );
}
