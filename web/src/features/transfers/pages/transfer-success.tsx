import type { ChosenFee, TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { Link } from '@tanstack/react-router';
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
import { explorerLink, useChains } from '../../wallets/index.ts';
import { TransferTie } from '../components/transfer-tie.tsx';
import { levelTexts } from '../fee-levels.ts';
import { rateLine } from '../network-fees.ts';

/** After a transfer: what has become of it, its stages, what happens next. */
export function Page() {
  const t = useText();
  const chains = useChains();
  return (
    <SubmittedPage
      outcome={(detail) => (
        <>
          <Outcome detail={detail} />
          <TransactionStatusWord row={detail} />
          {detail.stage === 'waiting_approval' && detail.waitingFor !== null && (
            <p className="m-0">{t('transfers.success.waitingFor', { names: detail.waitingFor })}</p>
          )}
          {detail.networkFee !== null && <ChosenFeeLine detail={detail} fee={detail.networkFee} />}
          <ApprovalLink detail={detail} />
          <TransferTie detail={detail} />
        </>
      )}
      stages={(detail) => (
        <div className="grid gap-8 sm:grid-cols-2">
          <section className="flex flex-col gap-3">
            <h3 className="m-0 text-14 font-semibold">{t('transfers.success.timeline')}</h3>
            <TransactionTimeline
              detail={detail}
              explorerOf={(hash) => explorerLink(chains.data?.items, detail.chain, 'tx', hash)}
            />
          </section>
          {detail.status === 'pending' && <NextSteps detail={detail} />}
        </div>
      )}
      actions={(detail) => (
        <>
          <Link to="/app/wallet" className={buttonClass('quiet')}>
            {t('transfers.success.wallets')}
          </Link>
          <Link to="/app/transfer-out" className={buttonClass('secondary')}>
            {t('transfers.success.another')}
          </Link>
          <PlainLink href={`/app/transaction/${detail.id}`} className={buttonClass('primary')}>
            {t('transfers.success.view')}
          </PlainLink>
        </>
      )}
    />
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
        <OutcomeSign icon="close" />
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
      <OutcomeSign icon="check" />
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
