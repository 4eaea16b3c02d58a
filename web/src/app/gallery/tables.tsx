import { useMemo, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { useListState } from '../../lib/list-state.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Money } from '../../ui/money.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import type { Words } from './basics.tsx';
import { Section } from './section.tsx';

interface Entry {
  id: string;
  description: string;
  minor: number;
  done: boolean;
  at: string;
}

/** Rows that look like a company's: the same every time, so that photographs can be compared. */
function entries(count: number, words: Words): Entry[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index),
    description: `${words.departments[index % 4]} ${String(index + 1).padStart(4, '0')}`,
    minor: ((index * 7919) % 100_000) - 30_000,
    done: index % 3 !== 0,
    at: new Date(Date.UTC(2026, 10, 21, 9, 0) - index * 5_400_000).toISOString(),
  }));
}

function columnsFor(words: Words): Column<Entry>[] {
  return [
    {
      id: 'description',
      header: words.description,
      cell: (row) => row.description,
      sort: (row) => row.description,
      card: 'title',
      skeleton: 'w-48',
    },
    { id: 'time', header: words.time, cell: (row) => <Time at={row.at} />, sort: (row) => row.at, hideable: true },
    {
      id: 'status',
      header: words.status,
      cell: (row) => (
        <StatusDot tone={row.done ? 'positive' : 'pending'}>{row.done ? words.completed : words.pending}</StatusDot>
      ),
      hideable: true,
    },
    {
      id: 'amount',
      header: words.amount,
      cell: (row) => <Money amount={(row.minor / 100).toFixed(2)} coin="USDT" signed align="right" />,
      sort: (row) => row.minor,
      align: 'right',
      card: 'figure',
    },
  ];
}

type View = 'rows' | 'many' | 'loading' | 'empty' | 'error' | 'stale';
const views: readonly View[] = ['rows', 'many', 'loading', 'empty', 'error', 'stale'];

export function TablesGallery({ words }: { words: Words }) {
  const [view, setView] = useState<View>('rows');
  return (
    <Section title="Tabs, FilterBar, DataTable">
      <Tabs label="DataTable" tabs={views.map((key) => ({ key, label: key }))} value={view} onChange={setView}>
        <Table words={words} view={view} />
      </Tabs>
    </Section>
  );
}

function Table({ words, view }: { words: Words; view: View }) {
  const state = useListState(['keyword', 'status', 'from', 'to']);
  const columns = useMemo(() => columnsFor(words), [words]);
  const few = useMemo(() => entries(8, words), [words]);
  const many = useMemo(() => entries(10_000, words), [words]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['1']));
  const rows = view === 'rows' || view === 'stale' ? few : view === 'many' ? many : view === 'empty' ? [] : undefined;
  return (
    <DataTable
      label={words.description}
      name="gallery"
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      rowHref={() => '/ui'}
      error={view === 'error' || view === 'stale' ? new ApiError({ key: 'network', status: 0 }) : undefined}
      onRetry={() => undefined}
      selected={selected}
      onSelect={setSelected}
      empty={
        <EmptyState
          title={words.emptyTitle}
          text={words.emptyText}
          action={<Button kind="primary">{words.save}</Button>}
        />
      }
      toolbar={
        <FilterBar
          state={state}
          filters={[
            { kind: 'search', name: 'keyword', label: words.description },
            {
              kind: 'choice',
              name: 'status',
              label: words.status,
              useOptions: () => [
                { value: 'completed', label: words.completed },
                { value: 'pending', label: words.pending },
              ],
            },
            { kind: 'dates', from: 'from', to: 'to', label: words.period },
          ]}
        />
      }
      pager={{
        page: state.page,
        size: state.size,
        total: 10_000,
        totalExact: false,
        shown: 8,
        hasNext: true,
        onPrevious: state.previous,
        onNext: () => state.next('cursor'),
        onSize: state.setSize,
      }}
    />
  );
}
