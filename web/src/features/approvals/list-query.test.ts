import { describe, expect, it } from 'vitest';
import { queryOf } from './list-query.ts';

/** Marks what was turned into an instant. */
const instants = ({ from, to }: { from: string; to: string }) => ({
  ...(from !== '' && { from: `${from} begins` }),
  ...(to !== '' && { to: `${to} ends` }),
});

describe('the filters of the address bar', () => {
  it('become the call’s, for the list that asks', () => {
    const filters = { keyword: 'Pearl', kind: 'transfer', status: 'approved', amountMin: '1.50', amountMax: '20' };
    expect(queryOf('completed', filters, instants)).toEqual({ view: 'completed', ...filters });
    expect(queryOf('pending', {}, instants)).toEqual({ view: 'pending' });
  });

  it('take whole days of the reader’s calendar', () => {
    expect(queryOf('all', { from: '2026-11-20', to: '2026-11-21' }, instants)).toEqual({
      view: 'all',
      from: '2026-11-20 begins',
      to: '2026-11-21 ends',
    });
    expect(queryOf('all', { to: '2026-11-21' }, instants)).toEqual({ view: 'all', to: '2026-11-21 ends' });
  });

  it('leave out what was mistyped', () => {
    const mistyped = {
      kind: 'gift',
      status: 'maybe',
      from: 'yesterday',
      to: '21/11/2026',
      amountMin: '1,0',
      amountMax: '-5',
    };
    expect(queryOf('all', mistyped, instants)).toEqual({ view: 'all' });
  });

  it('leave out what is empty', () => {
    const empty = { keyword: '', kind: '', status: '', from: '', to: '', amountMin: '', amountMax: '' };
    expect(queryOf('initiated', empty, instants)).toEqual({ view: 'initiated' });
  });

  it('search for no more than the call takes', () => {
    expect(queryOf('all', { keyword: 'x'.repeat(200) }, instants).keyword).toHaveLength(128);
  });
});
