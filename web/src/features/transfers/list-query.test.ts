import { describe, expect, it } from 'vitest';
import { amountIgnored, queryOf } from './list-query.ts';

/** Marks what was turned into an instant. */
const instants = ({ from, to }: { from: string; to: string }) => ({
  ...(from !== '' && { from: `${from} begins` }),
  ...(to !== '' && { to: `${to} ends` }),
});

describe('the filters of the address bar', () => {
  it('become the call’s', () => {
    const filters = { type: 'chain_deposit', status: 'pending', coin: 'USDT', amountMin: '1.50', keyword: '0xab' };
    expect(queryOf(filters, instants)).toEqual({
      type: 'chain_deposit',
      status: 'pending',
      coin: 'USDT',
      amountMin: '1.50',
      keyword: '0xab',
    });
  });

  it('take whole days of the reader’s calendar', () => {
    expect(queryOf({ from: '2026-11-20', to: '2026-11-21' }, instants)).toEqual({
      from: '2026-11-20 begins',
      to: '2026-11-21 ends',
    });
  });

  it('leave out what was mistyped', () => {
    const mistyped = {
      type: 'gift',
      status: 'maybe',
      coin: 'usdt',
      walletId: '7',
      from: 'yesterday',
      amountMin: '1,0',
    };
    expect(queryOf(mistyped, instants)).toEqual({});
  });

  it('say when an amount is not in force', () => {
    expect(amountIgnored({ amountMin: '1,0' })).toBe(true);
    expect(amountIgnored({ amountMax: '1e3' })).toBe(true);
    expect(amountIgnored({ amountMin: '10.5' })).toBe(false);
    expect(amountIgnored({})).toBe(false);
  });
});
