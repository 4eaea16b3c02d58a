import { Link, useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { explorerLink, useChains, withoutTrailingZeros } from '../../wallets/index.ts';
import { useTransaction } from '../api.ts';
import { ApprovalLink } from '../components/approval-link.tsx';
import { TransactionStatusWord } from '../components/transaction-status.tsx';
import { TransactionTimeline } from '../components/transaction-timeline.tsx';

/** After a transfer: that it was taken, where it stands now, what happens next. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const chains = useChains();
  const transaction = useTransaction(id);
  const { data } = transaction;
  const inReview = data?.stage === 'waiting_approval';
  if (data === undefined && transaction.error !== null) {
    return (
      <Frame narrow>
        <Card>
          <ErrorState error={transaction.error} onRetry={() => void transaction.refetch()} />
        </Card>
      </Frame>
    );
  }
  return (
    <Frame narrow>
      <Card>
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-96" />}>
          {data && (
            <div className="flex flex-col gap-8">
              <div className="flex flex-col items-center gap-2 pt-4 text-center">
                <span className="inline-flex size-12 items-center justify-center rounded-full bg-positive-soft text-positive">
                  <Icon name="check" size={24} />
                </span>
                <h2 className="m-0 text-20 font-semibold">
                  {t(inReview ? 'transfers.success.reviewTitle' : 'transfers.success.title')}
                </h2>
                <p className="m-0 text-muted">
                  {t(inReview ? 'transfers.success.reviewText' : 'transfers.success.text', {
                    amount: amountLine(withoutTrailingZeros(data.quantity), data.coin),
                    payee: data.payee.name ?? data.payee.account ?? '',
                  })}
                </p>
                <TransactionStatusWord row={data} />
                {inReview && data.waitingFor !== null && (
                  <p className="m-0">{t('transfers.waitingForApproval', { names: data.waitingFor })}</p>
                )}
                <ApprovalLink detail={data} />
              </div>
              <div className="grid gap-8 sm:grid-cols-2">
                <section className="flex flex-col gap-3">
                  <h3 className="m-0 text-14 font-semibold">{t('transfers.panel.timeline')}</h3>
                  <TransactionTimeline
                    detail={data}
                    explorerOf={(hash) => explorerLink(chains.data?.items, data.chain, 'tx', hash)}
                  />
                </section>
                <NextSteps inReview={inReview} cancellable={data.cancellable} />
              </div>
              <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-5">
                <Link to="/app/wallet" className={buttonClass('quiet')}>
                  {t('transfers.success.wallets')}
                </Link>
                <Link to="/app/transfer-out" className={buttonClass('secondary')}>
                  {t('transfers.success.another')}
                </Link>
                <PlainLink href={`/app/transaction/${data.id}`} className={buttonClass('primary')}>
                  {t('transfers.success.view')}
                </PlainLink>
              </div>
            </div>
          )}
        </Loading>
      </Card>
    </Frame>
  );
}

function NextSteps({ inReview, cancellable }: { inReview: boolean; cancellable: boolean }) {
  const t = useText();
  return (
    <section className="flex flex-col gap-3">
      <h3 className="m-0 text-14 font-semibold">{t('transfers.success.next')}</h3>
      <ol className="m-0 flex list-decimal flex-col gap-2 pl-5 text-muted">
        {inReview && <li>{t('transfers.success.approve')}</li>}
        <li>{t('transfers.success.sign')}</li>
        <li>{t('transfers.success.confirm')}</li>
        <li>{t('transfers.success.done')}</li>
      </ol>
      {cancellable && <p className="m-0 text-13 text-faint">{t('transfers.success.cancel')}</p>}
    </section>
  );
}
