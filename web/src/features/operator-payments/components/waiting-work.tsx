import type { OperatorTransactionDetail } from '@causeway/contract/operator-transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { PlainTable } from './plain-table.tsx';

interface Props {
  work: OperatorTransactionDetail['work'];
  reportedAt: string | null;
}

/** What the worker has still to do about a transaction, with what went wrong last. */
export function WaitingWork({ work, reportedAt }: Props) {
  const t = useText();
  return (
    <div className="flex flex-col gap-3">
      {work.length === 0 ? (
        <p className="m-0 text-13 text-muted">{t('ops.work.none')}</p>
      ) : (
        <PlainTable
          caption={t('ops.payments.work')}
          rows={work}
          rowId={({ kind, name, since }) => `${kind} ${name} ${since}`}
          columns={[
            {
              key: 'name',
              header: t('ops.work.job'),
              cell: ({ name }) => <span className="font-mono text-12">{name}</span>,
            },
            { key: 'state', header: t('ops.work.state'), cell: (item) => <State item={item} /> },
            { key: 'since', header: t('ops.work.since'), cell: ({ since }) => <Time at={since} /> },
            {
              key: 'attempts',
              header: t('ops.work.attempts'),
              right: true,
              cell: ({ kind, attempts, maxAttempts }) => (kind === 'announced' ? '–' : `${attempts} / ${maxAttempts}`),
            },
            {
              key: 'next',
              header: t('ops.work.next'),
              cell: ({ nextAt }) => (nextAt === null ? '–' : <Time at={nextAt} />),
            },
            {
              key: 'error',
              header: t('ops.work.error'),
              cell: ({ lastError }) => <span className="font-mono text-12 wrap-anywhere">{lastError ?? '–'}</span>,
            },
          ]}
        />
      )}
      <p className="m-0 text-12 text-faint">
        {reportedAt === null ? (
          t('ops.work.unreported')
        ) : (
          <>
            {t('ops.work.reported')} <Time at={reportedAt} />
          </>
        )}
      </p>
    </div>
  );
}

function State({ item: { kind, attempts, maxAttempts } }: { item: Props['work'][number] }) {
  const t = useText();
  if (kind === 'announced') return <StatusDot tone="progress">{t('ops.work.announced')}</StatusDot>;
  if (attempts >= maxAttempts) return <StatusDot tone="negative">{t('ops.work.gaveUp')}</StatusDot>;
  return (
    <StatusDot tone={attempts > 0 ? 'pending' : 'progress'}>
      {t(attempts > 0 ? 'ops.work.again' : 'ops.work.queued')}
    </StatusDot>
  );
}
