import { listNamelistLogs } from 'virtual:calls/risk-lists';
import type { ListKind } from '@causeway/contract/risk-rules.ts';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ContractOf } from '../../../lib/light-call.ts';
import type { RowOf } from '../../../lib/list.ts';
import { queryOf } from '../../../lib/list-query.ts';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { defineHistory, History } from '../../../ui/history.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Time } from '../../../ui/time.tsx';
import { HitRow } from '../components/hit-row.tsx';
import { listPaths } from '../words.ts';

type LogRow = RowOf<ContractOf<typeof listNamelistLogs>>;
type Change = Extract<LogRow, { type: 'change' }>;

const filterNames = ['type', 'entryId'] as const;

const entryLog = defineHistory({
  call: listNamelistLogs,
  rowId: ({ id }) => id,
  empty: { icon: 'clock', title: 'risk.log.empty', text: 'risk.log.emptyText' },
});

/** Every change of a list and everything that it stopped, beside the list. */
export function Page() {
  const t = useText();
  const path = useLocation({ select: (location) => location.pathname });
  const kind: ListKind = path.startsWith(listPaths.white) ? 'white' : 'black';
  const state = useListState(filterNames);
  const filters = useMemo((): Filter<'type' | 'entryId'>[] => {
    const choices = [
      { value: 'change', label: t('risk.log.changes') },
      { value: 'hit', label: t('risk.log.hits') },
    ];
    return [{ kind: 'choice', name: 'type', label: t('risk.log.show'), useOptions: () => choices }];
  }, [t]);
  return (
    <SidePanel title={t(kind === 'white' ? 'risk.white.log' : 'risk.black.log')} backTo={listPaths[kind]}>
      <div className="flex flex-col gap-5">
        <FilterBar filters={filters} state={state} />
        <History history={entryLog} query={{ kind, ...queryOf(listNamelistLogs.query ?? {}, state.filters) }}>
          {(row) => (row.type === 'hit' ? <HitRow hit={row.hit} /> : <ChangeRow row={row} />)}
        </History>
      </div>
    </SidePanel>
  );
}

function ChangeRow({ row }: { row: Change }) {
  const t = useText();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{t(`risk.listAction.${row.action}`)}</span>
        <span className="text-12 text-faint">
          {row.by} · <Time at={row.at} />
        </span>
      </div>
      <span className="font-mono text-13 break-all">{row.account}</span>
      <ul className="m-0 flex list-none flex-col p-0 text-13 text-muted">
        {differences(row).map(({ term, before, after }) => (
          <li key={term} className="break-words">
            {before === null || after === null
              ? t('risk.log.value', { term: t(term), value: (after ?? before) as string })
              : t('risk.log.change', { term: t(term), before: before || '–', after: after || '–' })}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Difference {
  term: string;
  before: string | null;
  after: string | null;
}

/** What a change changed; of what was added or taken off, everything that it said. */
function differences({ before, after }: Change): Difference[] {
  const figure = (amount: string | undefined) => (amount === undefined ? null : `${amountLine(amount)} USD`);
  const terms = [
    { term: 'risk.entry.remark', of: (state: Change['before']) => state?.remark ?? null },
    { term: 'risk.limit.single', of: (state: Change['before']) => figure(state?.limits?.single) },
    { term: 'risk.limit.daily', of: (state: Change['before']) => figure(state?.limits?.daily) },
    { term: 'risk.limit.cumulative', of: (state: Change['before']) => figure(state?.limits?.cumulative) },
  ];
  return terms
    .map(({ term, of }) => ({ term, before: of(before), after: of(after) }))
    .filter((difference) => difference.before !== difference.after && (difference.before || difference.after));
}
