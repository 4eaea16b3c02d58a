import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { changed, pageBefore, pageKey, parseSearch, pickFilters, stringifySearch, tableOf } from './list-state.ts';

describe('a list in the address bar', () => {
  it('reads back exactly what it wrote, whatever was typed', () => {
    const values = fc.dictionary(
      fc.constantFrom('keyword', 'type', 'status', 'page', 'cursor'),
      fc.string({ unit: 'grapheme', minLength: 1 }),
    );
    fc.assert(
      fc.property(values, (search) => {
        const written = Object.fromEntries(Object.entries(search));
        expect(parseSearch(stringifySearch(written).slice(1))).toEqual(written);
      }),
    );
  });

  it('keeps figures as they were typed', () => {
    expect(parseSearch('keyword=007&amount=1e5')).toEqual({ keyword: '007', amount: '1e5' });
  });

  it('leaves out what is empty, unknown or said twice', () => {
    expect(pickFilters(['type', 'keyword'], { type: 'chain_deposit', keyword: '', evil: 'x' })).toEqual({
      type: 'chain_deposit',
    });
    expect(parseSearch('type=a&type=b')).toEqual({ type: 'a' });
  });

  it('goes back to the first page when a filter changes, and keeps the rest', () => {
    const search = { type: 'a', cursor: 'xyz', page: '3', size: '50' };
    expect(changed(search, { type: 'b', cursor: null, page: null })).toEqual({ type: 'b', size: '50' });
    expect(changed(search, { type: '' })).toEqual({ cursor: 'xyz', page: '3', size: '50' });
  });

  it('writes filters before the place in the list', () => {
    expect(stringifySearch({ page: '2', cursor: 'c', type: 'a' })).toBe('?type=a&page=2&cursor=c');
    expect(stringifySearch({})).toBe('');
  });
});

describe('the page before', () => {
  const third = { type: 'a', page: '3', cursor: 'c3' };
  const seen = new Map([[pageKey({ type: 'a', page: '2', cursor: 'c2' }, 2), 'c2']]);

  it('is the one that was seen under the same filters, whatever was opened meanwhile', () => {
    expect(pageBefore(seen, third, 3)).toEqual({ cursor: 'c2', page: '2' });
    expect(pageBefore(seen, { ...third, page: '2', cursor: 'c2' }, 2)).toEqual({ cursor: null, page: null });
  });

  it('is the first where a link led here, or the filters were others', () => {
    expect(pageBefore(new Map(), third, 3)).toEqual({ cursor: null, page: null });
    expect(pageBefore(seen, { ...third, type: 'b' }, 3)).toEqual({ cursor: null, page: null });
    expect(pageBefore(seen, { ...third, size: '50' }, 3)).toEqual({ cursor: null, page: null });
  });
});

describe('what a table shows of a query', () => {
  const list = { page: 2, size: 20, next: vi.fn(), previous: vi.fn(), setSize: vi.fn() };
  const query = { error: null, isPlaceholderData: false, refetch: vi.fn(async () => null) };

  it('is no pager while nothing has been read, and what went wrong', () => {
    const error = new Error('offline');
    const table = tableOf({ ...query, error, data: undefined }, list);
    expect(table).toMatchObject({ rows: undefined, error });
    expect(table).not.toHaveProperty('pager');
    table.onRetry();
    expect(query.refetch).toHaveBeenCalledOnce();
  });

  it('goes on to the page behind the answer’s cursor, and no further than the last', () => {
    const page = { items: ['a', 'b'], total: 22, totalExact: true };
    tableOf({ ...query, data: { ...page, next: null } }, list).pager?.onNext();
    expect(list.next).not.toHaveBeenCalled();
    const { pager } = tableOf({ ...query, data: { ...page, next: 'cursor' } }, list);
    pager?.onNext();
    expect(list.next).toHaveBeenCalledWith('cursor');
    expect(pager).toMatchObject({ page: 2, total: 22, shown: 2, hasNext: true });
  });
});
