import type { RunRow } from '@causeway/contract/batch-runs.ts';
import { type BatchRowState, batchRowStates } from '@causeway/contract/batch-runs-rules.ts';
import { useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { stageTexts } from '../../transactions/index.ts';
import { type RowsQuery, useRunRows } from '../api-runs.ts';
import { findingTone } from '../words.ts';

type Size = NonNullable<RowsQuery['size']>;

/** The rows of a run, page by page, all of them or those in one state; `remarkable`: those to look at first. */
export function RunRows({ runId, remarkable = false }: { runId: string; remarkable?: boolean }) {
  const t = useText();
  const [state, setState] = useState<BatchRowState | null>(null);
  const [size, setSize] = useState<Size>('20');
  // The cursors of the pages so far; the first page has none.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = cursors.at(-1);
  const read = useRunRows(runId, {
    size,
    sort: remarkable ? 'remarkable' : 'position',
    ...(state === null ? {} : { state }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const columns = useMemo((): Column<RunRow>[] => columnsOf(t), [t]);
  const { data } = read;
  const first = () => setCursors([undefined]);
  return (
    <DataTable
      label={t('batches.rowsOf')}
      columns={columns}
      rows={data?.items}
      rowId={(row) => row.id}
      rowHref={(row) => `/app/transaction/${row.transactionId}`}
      updating={read.isPlaceholderData}
      error={data === undefined ? read.error : null}
      onRetry={() => void read.refetch()}
      empty={<EmptyState title={t('batches.rowsOf.none')} text={t('batches.rowsOf.noneText')} />}
      toolbar={
        <fieldset className="m-0 flex min-w-0 flex-wrap gap-2 border-0 p-0" aria-label={t('batches.rowsOf.state')}>
          {([null, ...batchRowStates] as const).map((one) => (
            <Button
              key={one ?? 'all'}
              size="small"
              kind={one === state ? 'primary' : 'secondary'}
              aria-pressed={one === state}
              onClick={() => {
                setState(one);
                first();
              }}
            >
              {t(one === null ? 'batches.rowsOf.all' : `batches.run.state.${one}`)}
            </Button>
          ))}
        </fieldset>
      }
      pager={{
        page: cursors.length,
        size: Number(size),
        total: data?.total ?? 0,
        totalExact: data?.totalExact ?? true,
        shown: data?.items.length ?? 0,
        hasNext: data !== undefined && data.next !== null,
        onPrevious: () => setCursors(cursors.slice(0, -1)),
        onNext: () => data?.next && setCursors([...cursors, data.next]),
        onSize: (next) => {
          setSize(String(next) as Size);
          first();
        },
      }}
    />
  );
}

function columnsOf(t: ReturnType<typeof useText>): Column<RunRow>[] {
  return [
    { id: 'number', header: t('batches.runColumn.number'), cell: ({ number }) => String(number), align: 'right' },
    {
      id: 'payee',
      header: t('batches.runColumn.payee'),
      cell: ({ payee, account }) => (
        <span className="flex min-w-0 flex-col">
          <span>{payee}</span>
          <span className="figures text-12 break-all text-faint">{account}</span>
        </span>
      ),
    },
    {
      id: 'amount',
      header: t('batches.runColumn.amount'),
      cell: ({ amount, asset }) => <Money amount={amount} coin={asset} align="right" />,
      align: 'right',
    },
    {
      id: 'state',
      header: t('batches.runColumn.state'),
      cell: ({ stage, reason, paidTwice }) => (
        <StatusDot
          tone={paidTwice ? 'negative' : stageTexts[stage].tone}
          {...((paidTwice || reason !== null) && { detail: paidTwice ? t('batches.rowsOf.paidTwice') : reason })}
        >
          {t(stageTexts[stage].text)}
        </StatusDot>
      ),
    },
    {
      id: 'look',
      header: t('batches.runColumn.look'),
      cell: ({ findings }) => (
        <span className="flex flex-col text-13">
          {findings.map(({ kind, text }) => (
            <span key={kind} className={findingTone(kind)}>
              {text}
            </span>
          ))}
        </span>
      ),
    },
  ];
}
