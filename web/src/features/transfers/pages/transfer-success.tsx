import type { ChosenFee, TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { Link, useParams } from '@tanstack/react-router';
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
import { explorerLink, useChains } from '../../wallets/index.ts';
import { TransferTie } from '../components/transfer-tie.tsx';
import { levelTexts } from '../fee-levels.ts';
import { rateLine } from '../network-fees.ts';

/** After a transfer: what has become of it, its stages, what happens next. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const chains = useChains();
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
                  <p className="m-0">{t('transfers.success.waitingFor', { names: data.waitingFor })}</p>
                )}
                {data.networkFee !== null && <ChosenFeeLine detail={data} fee={data.networkFee} />}
                <ApprovalLink detail={data} />
                <TransferTie detail={data} />
              </div>
              <div className="grid gap-8 sm:grid-cols-2">
                <section className="flex flex-col gap-3">
                  <h3 className="m-0 text-14 font-semibold">{t('transfers.success.timeline')}</h3>
                  <TransactionTimeline
                    detail={data}
                    explorerOf={(hash) => explorerLink(chains.data?.items, data.chain, 'tx', hash)}
                  />
                </section>
                {data.status === 'pending' && <NextSteps detail={data} />}
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

/** What has become of it by now: the page stays open while approvers decide and the chain confirms. */
function Outcome({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const { status, stage, failureReason } = detail;
  const facts = {
    amount: amountLine(detail.quantity, detail.coin),
    payee: detail.payee.name ?? detail.payee.account ?? '',
  };
  if (status === 'failed') {
    return (
      <>
        <span className="inline-flex size-12 items-center justify-center rounded-full bg-negative-soft text-negative">
          <Icon name="close" size={24} />
        </span>
        <h2 className="m-0 text-20 font-semibold">{t('transfers.success.failedTitle')}</h2>
        <p className="m-0 text-muted">{t('transfers.success.failedText', facts)}</p>
        {failureReason !== null && <p className="m-0">{failureReason}</p>}
      </>
    );
  }
  const [title, text] =
    status === 'completed'
      ? (['transfers.success.completedTitle', 'transfers.success.completedText'] as const)
      : stage === 'waiting_approval'
        ? (['transfers.success.reviewTitle', 'transfers.success.reviewText'] as const)
        : (['transfers.success.title', 'transfers.success.text'] as const);
  return (
    <>
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-positive-soft text-positive">
        <Icon name="check" size={24} />
      </span>
      <h2 className="m-0 text-20 font-semibold">{t(title)}</h2>
      <p className="m-0 text-muted">{t(text, facts)}</p>
    </>
  );
}

/** The network fee that was chosen; as long as no block has it, about when one will. */
function ChosenFeeLine({ detail, fee }: { detail: TransactionDetail; fee: ChosenFee }) {
  const t = useText();
  const formats = useFormats();
  const waits = detail.status === 'pending' && detail.blockNumber === null;
  return (
    <p className="m-0 text-13 text-muted">
      {t('transfers.success.networkFee', {
        amount: amountLine(fee.amount, detail.coin),
        level: t(levelTexts[fee.level]),
        rate: rateLine(fee.feeRate),
      })}
      {waits && ` · ${t('transfers.success.within', { duration: formats.duration(fee.expectedSeconds) })}`}
    </p>
  );
}

/** What a pending transfer still has before it, by the stage that it has reached. */
const stepsAfter: Partial<Record<Stage, readonly Step[]>> = {
  submitted: ['sign', 'confirm', 'done'],
  waiting_approval: ['approve', 'sign', 'confirm', 'done'],
  approved: ['sign', 'confirm', 'done'],
  signing: ['send', 'confirm', 'done'],
  broadcast: ['confirm', 'done'],
  confirming: ['confirm', 'done'],
};
type Step = keyof typeof stepTexts;
const stepTexts = {
  approve: 'transfers.success.approve',
  sign: 'transfers.success.sign',
  send: 'transfers.success.send',
  confirm: 'transfers.success.confirm',
  done: 'transfers.success.done',
} as const;

/** What happens next follows what has happened: the page is live. */
function NextSteps({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const steps = stepsAfter[detail.stage] ?? ['done'];
  return (
    <section className="flex flex-col gap-3">
      <h3 className="m-0 text-14 font-semibold">{t('transfers.success.next')}</h3>
      <ol className="m-0 flex list-decimal flex-col gap-2 pl-5 text-muted">
        {steps.map((step) => (
          <li key={step}>{t(stepTexts[step])}</li>
        ))}
      </ol>
      {detail.cancellable && <p className="m-0 text-13 text-faint">{t('transfers.success.cancel')}</p>}
    </section>
  );
}
