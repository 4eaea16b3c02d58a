import type { Call, Output } from '@causeway/contract/call.ts';
import type { Input } from './client.ts';
import type { LightCall } from './light-call.ts';
import { type Filters, isIgnored, queryOf } from './list-query.ts';
import { type ListState, type Sort, useListState } from './list-state.ts';
import { useCall } from './queries.ts';

/** A row of a call that returns pages, or all rows at once. */
export type RowOf<C extends Call> =
  Output<C> extends { items: readonly (infer R)[] } ? R : Output<C> extends readonly (infer R)[] ? R : never;

/** How a list is read: the part of its declaration that no drawing needs. */
export interface ListSource<C extends Call> {
  call: LightCall<C>;
  /** The names of its filters in the address; stable. */
  names: readonly string[];
  /** For a filter that its call knows by another name, or by several. */
  sends?: Readonly<Record<string, (value: string) => Filters>>;
  /** The order before a person chooses one. */
  order?: Sort;
  /** How soon rows like these have to be read again, in milliseconds; null: not before something changes. */
  again_ms?: (rows: readonly RowOf<C>[]) => number | null;
}

export interface ListRead<C extends Call> {
  state: ListState<string>;
  /** What the server was asked, its page left out: what an export takes. */
  asked: Record<string, string>;
  answer: ReturnType<typeof useCall<C>>;
}

/** Reads the page of a list that the address names; `fixed` is what this page of the console always asks. */
export function useList<C extends Call>(list: ListSource<C>, fixed?: Filters): ListRead<C> {
  const state = useListState(list.names);
  const asked = { ...(fixed as Record<string, string>), ...askedOf(list, state) };
  const page = { size: String(state.size), ...(state.cursor !== null && { cursor: state.cursor }) };
  const query = { ...asked, ...('cursor' in (list.call.query ?? {}) && page) };
  const { again_ms } = list;
  const answer = useCall(list.call, { query } as Input<C>, {
    quiet: true,
    keepPrevious: true,
    ...(again_ms && { again_ms: (data) => again_ms(rowsOf<C>(data) ?? []) }),
  });
  return { state, asked, answer };
}

/** The rows of an answer; undefined while there is none. */
export function rowsOf<C extends Call>(data: Output<C> | undefined): readonly RowOf<C>[] | undefined {
  if (data === undefined || Array.isArray(data)) return data as readonly RowOf<C>[] | undefined;
  return (data as { items: readonly RowOf<C>[] }).items;
}

/** The filters and the order of an address as the call takes them. */
export function askedOf(
  { call, sends = {}, order }: Pick<ListSource<Call>, 'sends' | 'order'> & { call: Pick<LightCall, 'query'> },
  { filters, sort }: Pick<ListState<string>, 'filters' | 'sort'>,
): Record<string, string> {
  const query = call.query ?? {};
  const parts = Object.entries(filters).map(([name, value = '']) => sends[name]?.(value) ?? { [name]: value });
  // A call without `sort` has one order, which can be turned around; one with it refuses an order of nothing.
  const canSort = sort !== null && ('sort' in query ? !isIgnored(query['sort'], sort.by) : sort.by === order?.by);
  return queryOf(query, Object.assign({}, ...parts, canSort && { sort: sort.by, order: sort.order }));
}
