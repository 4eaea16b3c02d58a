import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';

/** The state of a list, as the address bar holds it: every value is text, and what is not there is at its default. */
export type ListValues = Record<string, string>;

/** What belongs to the list itself rather than to its filters. */
const paging = ['cursor', 'page'] as const;

const defaultPageSize = 20;

export interface Sort {
  by: string;
  order: 'asc' | 'desc';
}

export interface ListState<Filters extends string> {
  /** The filters in force; those not set are absent. */
  filters: Partial<Record<Filters, string>>;
  /** Sets or (with null or '') clears filters and goes back to the first page. */
  setFilters: (changes: Partial<Record<Filters, string | null>>) => void;
  clear: () => void;
  /** How many filters are set. */
  active: number;
  sort: Sort | null;
  setSort: (sort: Sort | null) => void;
  page: number;
  size: number;
  cursor: string | null;
  setSize: (size: number) => void;
  /** Goes on to the page behind an opaque cursor. */
  next: (cursor: string) => void;
  /** Goes back a page; from a page that a link led to, whose history is unknown, to the first. */
  previous: () => void;
}

/**
 * A list's filters, order and page, kept in the address bar: a reload, a link to a colleague and the browser's back
 * button all show the same rows. `names` are the filters; `sort`, `order`, `size`, `cursor` and `page` are the list's own.
 */
export function useListState<Filters extends string>(names: readonly Filters[]): ListState<Filters> {
  const search = useSearch({ strict: false }) as ListValues;
  const navigate = useNavigate();
  const filters = useMemo(() => pickFilters(names, search), [names, search]);
  const change = useCallback(
    (changes: Record<string, string | null | undefined>, replace = false) =>
      void navigate({
        to: '.',
        search: ((old: ListValues) => changed(old, changes)) as never,
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const restart = useCallback(
    (changes: Record<string, string | null | undefined>) => change({ ...changes, cursor: null, page: null }, true),
    [change],
  );
  const page = Math.max(1, Number.parseInt(search['page'] ?? '1', 10) || 1);
  const by = search['sort'];
  // Where each page begins only its way here tells; the browser's own way back may lead over a panel, or out of the list.
  const seen = useRef(new Map<string, string>());
  const cursor = search['cursor'] ?? null;
  if (cursor !== null) seen.current.set(pageKey(search, page), cursor);
  return {
    filters,
    setFilters: restart,
    clear: () => restart(Object.fromEntries(names.map((name) => [name, null]))),
    active: Object.keys(filters).length,
    sort: by === undefined ? null : { by, order: search['order'] === 'asc' ? 'asc' : 'desc' },
    setSort: (sort) => restart({ sort: sort?.by ?? null, order: sort?.order ?? null }),
    page,
    size: sizeOf(search['size']),
    cursor,
    setSize: (size) => restart({ size: size === defaultPageSize ? null : String(size) }),
    next: (following) => change({ cursor: following, page: String(page + 1) }),
    previous: () => change(pageBefore(seen.current, search, page)),
  };
}

/** A page of a list as it is filtered and ordered; without `cursor`, which is what is looked up. */
export function pageKey(search: ListValues, page: number): string {
  return stringifySearch(changed(search, { cursor: null, page: String(page) }));
}

/** The change of the address that leads to the page before, by the cursors of the pages that were seen. */
export function pageBefore(seen: ReadonlyMap<string, string>, search: ListValues, page: number) {
  const cursor = seen.get(pageKey(search, page - 1));
  return cursor === undefined ? { cursor: null, page: null } : { cursor, page: String(page - 1) };
}

type Paging = Pick<ListState<never>, 'page' | 'size' | 'next' | 'previous' | 'setSize'>;

/** A page as the contract's lists return it. */
export interface ListPage<Row> {
  items: readonly Row[];
  total: number;
  totalExact: boolean;
  next: string | null;
}

interface PagedQuery<Row> {
  /** A page, or all rows at once. */
  data: ListPage<Row> | readonly Row[] | undefined;
  error: Error | null;
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
}

/** What a table shows of a list and of the query for its page. */
export function tableOf<Row>(query: PagedQuery<Row>, list: Paging) {
  const page = isPage(query.data) ? query.data : undefined;
  const next = page?.next ?? null;
  return {
    rows: isPage(query.data) ? query.data.items : query.data,
    updating: query.isPlaceholderData,
    error: query.error,
    onRetry: () => void query.refetch(),
    ...(page && {
      pager: {
        page: list.page,
        size: list.size,
        total: page.total,
        totalExact: page.totalExact,
        shown: page.items.length,
        hasNext: next !== null,
        onPrevious: list.previous,
        onNext: () => next !== null && list.next(next),
        onSize: list.setSize,
      },
    }),
  };
}

function isPage<Row>(data: ListPage<Row> | readonly Row[] | undefined): data is ListPage<Row> {
  return data !== undefined && 'items' in data;
}

/** The filters of an address that a list knows; empty ones and strangers are left out. */
export function pickFilters<Filters extends string>(
  names: readonly Filters[],
  search: ListValues,
): Partial<Record<Filters, string>> {
  const filters: Partial<Record<Filters, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (value !== undefined && value !== '') filters[name] = value;
  }
  return filters;
}

/** An address with changes made: null and '' take a value out. Any change but of the page itself keeps the rest. */
export function changed(search: ListValues, changes: Record<string, string | null | undefined>): ListValues {
  const entries = Object.entries({ ...search, ...changes });
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] => entry[1] !== null && entry[1] !== undefined && entry[1] !== '',
    ),
  );
}

/** Reads an address' search as plain texts: "007" stays "007", and a second value of a name is left aside. */
export function parseSearch(search: string): ListValues {
  const values: ListValues = {};
  for (const [name, value] of new URLSearchParams(search)) values[name] ??= value;
  return values;
}

/** Writes it again, filters before the page's place, so that a link reads well. */
export function stringifySearch(values: Record<string, unknown>): string {
  const names = Object.keys(values).filter((name) => values[name] !== undefined && values[name] !== null);
  const own: readonly string[] = paging;
  names.sort((a, b) => Number(own.includes(a)) - Number(own.includes(b)));
  const search = new URLSearchParams(names.map((name) => [name, String(values[name])])).toString();
  return search && `?${search}`;
}

function sizeOf(text: string | undefined): number {
  const size = Number(text);
  return [10, 20, 50, 100].includes(size) ? size : defaultPageSize;
}
