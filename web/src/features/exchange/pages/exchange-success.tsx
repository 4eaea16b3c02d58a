import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useParams } from '@tanstack/react-router';
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
import { CancelExchange } from '../components/cancel-exchange.tsx';

const noExplorer = () => null;

/** After an exchange: what was exchanged, or what it waits for. */
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
                  <p className="m-0">{t('exchanges.success.waitingFor', { names: data.waitingFor })}</p>
                )}
                <ApprovalLink detail={data} />
              </div>
              <section className="flex flex-col gap-3">
                <h3 className="m-0 text-14 font-semibold">{t('exchanges.success.timeline')}</h3>
                <TransactionTimeline detail={data} explorerOf={noExplorer} />
              </section>
              <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-5">
                <CancelExchange detail={data} />
                <PlainLink href="/app/wallet/exchange" className={buttonClass('secondary')}>
                  {t('exchanges.success.another')}
                </PlainLink>
                <PlainLink href={`/app/transaction/${data.id}`} className={buttonClass('primary')}>
                  {t('exchanges.success.view')}
                </PlainLink>
              </div>
            </div>
          )}
        </Loading>
      </Card>
    </Frame>
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
      <span
        className={`inline-flex size-12 items-center justify-center rounded-full ${
          isFailed ? 'bg-negative-soft text-negative' : 'bg-positive-soft text-positive'
        }`}
      >
        <Icon name={isFailed ? 'close' : state === 'completed' ? 'check' : 'clock'} size={24} />
      </span>
      <h2 className="m-0 text-20 font-semibold">{t(`exchanges.success.${state}Title`)}</h2>
      <p className="m-0 text-muted">{t(`exchanges.success.${state}Text`, facts)}</p>
      {isFailed && failureReason !== null && <p className="m-0">{failureReason}</p>}
    </>
  );
}
