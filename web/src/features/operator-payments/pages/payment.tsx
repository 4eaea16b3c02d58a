import type { OperatorTransactionDetail } from '@causeway/contract/operator-transactions.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Money } from '../../../ui/money.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import {
  signedQuantity,
  TransactionFacts,
  TransactionStatusWord,
  TransactionTimeline,
  typeTexts,
  WaitingNote,
  WhyNote,
} from '../../transactions/index.ts';
import { usePayment } from '../api.ts';
import { AttemptList } from '../components/attempt-list.tsx';
import { AuditEntries } from '../components/audit-entries.tsx';
import { Journal } from '../components/journal.tsx';
import { LinkedPayments } from '../components/linked-payments.tsx';
import { RequestList } from '../components/request-list.tsx';
import { RiskVerdict } from '../components/risk-verdict.tsx';
import { SenderQueue } from '../components/sender-queue.tsx';
import { TransactionActs } from '../components/transaction-acts.tsx';
import { WaitingWork } from '../components/waiting-work.tsx';

/** One transaction: as its company sees it, and what only the operator sees. */
export function Page() {
  const { id } = useParams({ strict: false }) as { id: string };
  const read = usePayment(id);
  const { data } = read;
  return (
    <Frame>
      {data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<PageSkeleton />}>
          {data && <Payment detail={data} />}
        </Loading>
      )}
    </Frame>
  );
}

function Payment({ detail }: { detail: OperatorTransactionDetail }) {
  const t = useText();
  const { transaction, attempts, queue, postings } = detail;
  const { explorerUrl, hash } = transaction;
  const explorerOf = (other: string) =>
    explorerUrl === null || hash === null ? null : explorerUrl.replace(hash, other);
  const isSent = transaction.direction === 'out' && transaction.chain !== null;
  return (
    <div className="flex flex-col gap-6">
      <Head detail={detail} />
      <WaitingNote detail={transaction} hrefOf={(other) => `/app/payments/${other}`} />
      <WhyNote detail={transaction} />
      <LinkedPayments transaction={transaction} />
      {isSent && <TransactionActs id={transaction.id} />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title={t('transactions.panel.timeline')}>
          <TransactionTimeline detail={transaction} explorerOf={explorerOf} />
        </Card>
        <Card title={t('transactions.panel.facts')}>
          <TransactionFacts detail={transaction} explorerOf={explorerOf} />
        </Card>
      </div>
      {isSent && (
        <Card title={t('ops.payments.attempts')}>
          <AttemptList attempts={attempts} />
        </Card>
      )}
      {queue !== null && (
        <Card title={t('ops.payments.queue')}>
          <SenderQueue queue={queue} current={transaction.id} />
        </Card>
      )}
      <Card title={t('ops.payments.journal')}>
        <Journal postings={postings} />
      </Card>
      <Card title={t('ops.payments.work')}>
        <WaitingWork work={detail.work} reportedAt={detail.workReportedAt} />
      </Card>
      {detail.risk !== null && (
        <Card title={t('transactions.panel.risk')}>
          <RiskVerdict risk={detail.risk} />
        </Card>
      )}
      <Card title={t('ops.payments.requests')}>
        <RequestList requests={detail.requests} />
      </Card>
      <Card title={t('ops.payments.audit')}>
        <AuditEntries events={detail.audit} />
      </Card>
    </div>
  );
}

function Head({ detail: { transaction, company } }: { detail: OperatorTransactionDetail }) {
  const t = useText();
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="flex min-w-0 flex-col gap-1">
        <PlainLink href="/app/payments" className="inline-flex items-center gap-1 text-13 text-accent">
          <Icon name="chevronLeft" size={14} />
          {t('ops.title.payments')}
        </PlainLink>
        <h2 className="m-0 text-16 font-semibold">{t(typeTexts[transaction.type])}</h2>
        <Money amount={signedQuantity(transaction)} coin={transaction.coin} signed size="hero" />
        <PlainLink href={`/app/companies/${company.id}`} className="w-fit text-accent wrap-anywhere">
          {company.name}
        </PlainLink>
      </div>
      <TransactionStatusWord row={transaction} />
    </div>
  );
}

function PageSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton width="w-64" height="h-16" />
      <Skeleton height="h-64" />
      <Skeleton height="h-40" />
    </div>
  );
}
