import type { Call, Query } from '@causeway/contract/call.ts';
import { type ReactNode, useState } from 'react';
import type { Input } from '../lib/client.ts';
import type { LightCall } from '../lib/light-call.ts';
import { type RowOf, rowsOf } from '../lib/list.ts';
import { useText } from '../lib/locale.tsx';
import { useCall } from '../lib/queries.ts';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from './states.tsx';

/** A history as data; texts are text ids. */
export interface HistoryOf<C extends Call> {
  call: LightCall<C>;
  rowId: (row: RowOf<C>) => string;
  /** What is said where nothing has happened yet; absent where something always has. */
  empty?: { icon?: IconName; title: string; text?: string };
  size?: '10' | '20';
}

export function defineHistory<C extends Call>(history: HistoryOf<C>): HistoryOf<C> {
  return history;
}

interface Props<C extends Call> {
  history: HistoryOf<C>;
  /** The filter; a change of it starts at the first page. */
  query?: Omit<Query<C>, 'size' | 'cursor'>;
  params?: Record<string, string>;
  children: (row: RowOf<C>) => ReactNode;
}

/** A list inside a panel or a card, from the newest backwards; its page is not kept in the address. */
export function History<C extends Call>(props: Props<C>) {
  return <Pages key={JSON.stringify([props.query, props.params])} {...props} />;
}

function Pages<C extends Call>({ history, query, params, children }: Props<C>) {
  const { call, rowId, empty, size = '20' } = history;
  const t = useText();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const page = { ...query, size, ...(cursor !== undefined && { cursor }) };
  const answer = useCall(call, { ...(params && { params }), query: page } as Input<C>, {
    quiet: true,
    keepPrevious: true,
  });
  const { data, error } = answer;
  const rows = rowsOf<C>(data);
  const next = (data as { next?: string | null } | undefined)?.next ?? null;
  if (rows === undefined && error !== null) return <ErrorState error={error} onRetry={() => void answer.refetch()} />;
  return (
    <Loading loading={rows === undefined} skeleton={<Skeleton height="h-48" />}>
      {rows?.length === 0 && empty && (
        <EmptyState
          {...(empty.icon && { icon: empty.icon })}
          title={t(empty.title)}
          {...(empty.text !== undefined && { text: t(empty.text) })}
        />
      )}
      <ul className="m-0 list-none p-0">
        {rows?.map((row) => (
          <li key={rowId(row)} className="border-line py-3 not-last:border-b">
            {children(row)}
          </li>
        ))}
      </ul>
      {(cursors.length > 0 || next !== null) && (
        <div className="mt-4 flex gap-2">
          <Button size="small" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('ui.list.newer')}
          </Button>
          <Button size="small" disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>
            {t('ui.list.older')}
          </Button>
        </div>
      )}
    </Loading>
  );
}
