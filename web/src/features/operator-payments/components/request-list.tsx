import type { OperatorTransactionDetail } from '@causeway/contract/operator-transactions.ts';
import { requestLogDays } from '@causeway/contract/operator-transactions-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { PlainTable } from './plain-table.tsx';

type Request = OperatorTransactionDetail['requests'][number];

/** The requests that did something with it; the id leads to the lines of the process' own log. */
export function RequestList({ requests }: { requests: readonly Request[] }) {
  const t = useText();
  if (requests.length === 0) return <p className="m-0 text-13 text-muted">{t('ops.request.none')}</p>;
  return (
    <div className="flex flex-col gap-3">
      <PlainTable
        caption={t('ops.payments.requests')}
        rows={requests}
        rowId={({ requestId }) => requestId}
        columns={[
          { key: 'at', header: t('transactions.column.time'), cell: ({ at }) => <Time at={at} /> },
          {
            key: 'call',
            header: t('ops.request.call'),
            cell: ({ call, what }) => (
              <span className="flex flex-col">
                <span>{[...new Set(what)].join(', ')}</span>
                {call !== null && <span className="font-mono text-12 text-faint">{call}</span>}
              </span>
            ),
          },
          {
            key: 'by',
            header: t('ops.request.by'),
            cell: ({ actor, ip }) => (
              <span className="flex flex-col">
                <span>{actor ?? '–'}</span>
                <span className="text-12 text-faint">{ip}</span>
              </span>
            ),
          },
          { key: 'result', header: t('ops.request.result'), cell: (request) => <Result request={request} /> },
          {
            key: 'id',
            header: t('ops.request.id'),
            cell: ({ requestId }) => (
              <span className="inline-flex items-center gap-1">
                <span className="font-mono text-12">{requestId}</span>
                <CopyButton text={requestId} what={t('ops.request.id')} />
              </span>
            ),
          },
        ]}
      />
      <p className="m-0 text-12 text-faint">{t('ops.request.note', { days: requestLogDays })}</p>
    </div>
  );
}

function Result({ request: { status, error, durationMs } }: { request: Request }) {
  const t = useText();
  if (status === null) return <span className="text-faint">{t('ops.request.unlogged')}</span>;
  return (
    <span className="flex flex-col">
      <StatusDot tone={status < 400 ? 'positive' : 'negative'}>
        {error === null ? String(status) : `${status} ${error}`}
      </StatusDot>
      {durationMs !== null && <span className="text-12 text-faint">{t('ops.request.ms', { ms: durationMs })}</span>}
    </span>
  );
}
