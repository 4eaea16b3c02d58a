import type { OutputInput } from '@causeway/contract/call.ts';
import type { importNamelist } from '@causeway/contract/risk-lists.ts';
import type { ListKind } from '@causeway/contract/risk-rules.ts';
import { useMemo, useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Banner, EmptyState } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';

export type ImportAnswer = OutputInput<typeof importNamelist>;
type ImportRow = ImportAnswer['rows'][number];

/** What a dry run says, row by row; the errors in the place where they are. */
export function ImportRows({ kind, answer }: { kind: ListKind; answer: ImportAnswer }) {
  const t = useText();
  const [wrongOnly, setWrongOnly] = useState(false);
  const columns = useMemo(() => rowColumns(t, kind), [t, kind]);
  const { accepted, refused, rows } = answer;
  const shown = wrongOnly && refused > 0 ? rows.filter(({ problem }) => problem !== null) : rows;
  return (
    <div className="flex flex-col gap-3">
      <Banner kind={refused > 0 ? 'negative' : 'positive'}>
        {refused > 0 ? t('risk.import.refused', { accepted, refused }) : t('risk.import.good', { count: accepted })}
      </Banner>
      {refused > 0 && (
        <Checkbox checked={wrongOnly} onChange={(event) => setWrongOnly(event.target.checked)}>
          {t('risk.import.wrongOnly')}
        </Checkbox>
      )}
      <DataTable
        label={t('risk.import.rows')}
        columns={columns}
        rows={shown}
        rowId={({ line }) => String(line)}
        empty={<EmptyState title={t('risk.import.noRows')} />}
      />
    </div>
  );
}

function rowColumns(t: Translate, kind: ListKind): Column<ImportRow>[] {
  return [
    {
      id: 'account',
      header: t('risk.entry.account'),
      card: 'title',
      cell: (row) => (
        <span className="block">
          <span className="font-mono text-13 break-all">{row.account || '–'}</span>
          <span className="block text-12 text-faint">
            {t('risk.import.line', { line: row.line })} · {row.payeeType || '–'}
          </span>
        </span>
      ),
    },
    ...(kind === 'white'
      ? [
          {
            id: 'limits',
            header: t('risk.import.limits'),
            cell: ({ limits }: ImportRow) => (
              <span className="figures text-13 whitespace-nowrap">
                {limits === null
                  ? '–'
                  : [limits.single, limits.daily, limits.cumulative].map((amount) => amountLine(amount)).join(' / ')}
              </span>
            ),
          },
        ]
      : []),
    {
      id: 'outcome',
      header: t('risk.import.outcome'),
      cell: ({ problem }) => (
        <StatusDot tone={problem === null ? 'positive' : 'negative'} {...(problem !== null && { detail: problem })}>
          {t(problem === null ? 'risk.import.accepted' : 'risk.import.wrong')}
        </StatusDot>
      ),
    },
  ];
}
