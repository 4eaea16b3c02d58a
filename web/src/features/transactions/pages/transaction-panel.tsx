import { downloadFile } from 'virtual:calls/files';
import { downloadReceipt } from 'virtual:calls/transactions';
import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useLocation, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { download } from '../../../lib/download.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { reportError } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { explorerLink, useChains } from '../../wallets/index.ts';
import type { Additions, TransactionAdditions } from '../additions.ts';
import { useTransaction } from '../api.ts';
import { ApprovalLink } from '../components/approval-link.tsx';
import { Exchanged } from '../components/exchanged.tsx';
import { Payout } from '../components/payout.tsx';
import { RiskNote } from '../components/risk-note.tsx';
import { TransactionFacts } from '../components/transaction-facts.tsx';
import { TransactionStatusWord } from '../components/transaction-status.tsx';
import { TransactionTimeline } from '../components/transaction-timeline.tsx';
import { WaitingNote } from '../components/waiting-note.tsx';
import { WhyNote } from '../components/why-note.tsx';
import { signedQuantity, typeTexts } from '../words.ts';

interface Props {
  additions: TransactionAdditions;
}

/** One transaction beside the list: where the money is, its facts and papers; kept up to date as they change. */
export function TransactionPanel({ additions }: Props) {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const transaction = useTransaction(id);
  const { data } = transaction;
  return (
    <SidePanel
      title={data === undefined ? t('transactions.panel.title') : t(typeTexts[data.type])}
      backTo="/app/transaction"
      {...(data && { actions: <PanelActions detail={data} {...additions[data.type]} /> })}
    >
      {data === undefined && transaction.error !== null ? (
        <ErrorState error={transaction.error} onRetry={() => void transaction.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<PanelSkeleton />}>
          {data && <Detail detail={data} {...additions[data.type]} />}
        </Loading>
      )}
    </SidePanel>
  );
}

interface DetailProps extends Additions {
  detail: TransactionDetail;
}

function PanelActions({ detail, Cancel, SpeedUp, Repeat }: DetailProps) {
  const t = useText();
  return (
    <>
      {Cancel && <Cancel detail={detail} />}
      {SpeedUp && <SpeedUp detail={detail} />}
      {Repeat && <Repeat detail={detail} />}
      <DownloadButton
        label={t('transactions.panel.receipt')}
        start={() => download(downloadReceipt, { params: { id: detail.id } }, `${detail.id}.pdf`)}
      />
    </>
  );
}

function Detail({ detail, Judgement, Tie }: DetailProps) {
  const t = useText();
  const maySeePolicies = usePermission('policy.view');
  const chains = useChains();
  const explorerOf = (hash: string) => explorerLink(chains.data?.items, detail.chain, 'tx', hash);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <Money amount={signedQuantity(detail)} coin={detail.coin} signed size="hero" />
        <TransactionStatusWord row={detail} />
      </div>
      <WaitingNote detail={detail} hrefOf={(other) => `/app/transaction/${other}`} />
      {detail.waiting !== null && <RiskNote terms={detail.waiting} />}
      <WhyNote detail={detail} />
      <Related detail={detail} />
      {Tie && (
        <Suspense>
          <Tie detail={detail} />
        </Suspense>
      )}
      <ApprovalLink detail={detail} />
      {detail.timeline.length > 0 && (
        <PanelSection title={t('transactions.panel.timeline')}>
          <TransactionTimeline detail={detail} explorerOf={explorerOf} />
        </PanelSection>
      )}
      {detail.payout !== null && <Payout payout={detail.payout} />}
      {detail.exchanged !== null && <Exchanged exchanged={detail.exchanged} id={detail.id} />}
      <PanelSection title={t('transactions.panel.facts')}>
        <TransactionFacts
          detail={detail}
          explorerOf={explorerOf}
          paymentsOf={(hash) => `/app/transaction?${new URLSearchParams({ keyword: hash })}`}
        />
      </PanelSection>
      {maySeePolicies && Judgement && (
        <PanelSection title={t('transactions.panel.risk')}>
          <Judgement transactionId={detail.id} />
        </PanelSection>
      )}
      {detail.attachments.length > 0 && <Attachments detail={detail} />}
    </div>
  );
}

function Related({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  // The list behind the panel keeps its filters.
  const { searchStr } = useLocation();
  if (detail.relatedId === null) return null;
  const text =
    detail.type === 'failed_refund'
      ? t('transactions.panel.original')
      : t(detail.status === 'failed' ? 'transactions.panel.refund' : 'transactions.panel.related');
  return (
    <PlainLink
      href={`/app/transaction/${detail.relatedId}${searchStr}`}
      className="inline-flex items-center gap-1 text-13 text-accent"
    >
      {text}
      <Icon name="chevronRight" size={14} />
    </PlainLink>
  );
}

function Attachments({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const formats = useFormats();
  return (
    <PanelSection title={t('transactions.panel.attachments')}>
      <ul className="m-0 flex list-none flex-col gap-1 p-0">
        {detail.attachments.map((file) => (
          <li key={file.id} className="flex items-center gap-2 rounded-6 bg-sunken py-1 pr-1 pl-2.5 text-13">
            <Icon name="file" className="shrink-0 text-faint" />
            <span className="min-w-0 flex-1 truncate">{file.name}</span>
            <span className="figures text-12 text-faint">{formats.bytes(file.sizeBytes)}</span>
            <DownloadButton
              small
              label={t('transactions.panel.download', { name: file.name })}
              start={() => download(downloadFile, { params: { id: file.id } }, file.name)}
            />
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

function DownloadButton({ label, start, small }: { label: string; start: () => Promise<void>; small?: boolean }) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await start().catch(reportError);
    setBusy(false);
  };
  if (small) {
    return (
      <Button kind="quiet" size="small" icon="download" busy={busy} onClick={() => void run()}>
        <span className="sr-only">{label}</span>
      </Button>
    );
  }
  return (
    <Button icon="download" busy={busy} onClick={() => void run()}>
      {label}
    </Button>
  );
}

function PanelSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton width="w-48" height="h-9" />
      <Skeleton height="h-40" />
      <Skeleton height="h-64" />
    </div>
  );
}
