import { describe, expect, it } from 'vitest';
import { addAmounts } from './sums.ts';

type Summed = Parameters<typeof addAmounts>[0][number];

const pearl = { name: 'Pearl River Supplies', account: '0xA1', chainName: 'Ethereum' };

function transfer(change: Partial<Summed>): Summed {
  return { amount: '1', coin: 'USDT', decimals: 6, valueUsd: '1.00', party: pearl, ...change };
}

const ruleChange: Summed = { amount: null, coin: null, decimals: null, valueUsd: null, party: null };

describe('what many applications come to', () => {
  it('is added per coin, each to its last unit', () => {
    const sums = addAmounts([
      transfer({ amount: '9007199254740993.000001' }),
      transfer({ coin: 'ETH', decimals: 18, amount: '0.000000000000000001' }),
      transfer({ amount: '0.000002' }),
      transfer({ coin: 'ETH', decimals: 18, amount: '2' }),
    ]);
    expect(sums.coins).toEqual([
      { coin: 'USDT', amount: '9007199254740993.000003', count: 2 },
      { coin: 'ETH', amount: '2.000000000000000001', count: 2 },
    ]);
  });

  it('is added in US dollars as far as values are known', () => {
    expect(addAmounts([transfer({ valueUsd: '0.10' }), transfer({ valueUsd: '0.20' })]).usd).toBe('0.30');
    expect(addAmounts([transfer({ valueUsd: '12.34' }), transfer({ valueUsd: null })]).usd).toBe('12.34');
  });

  it('has no value in US dollars where none is known: nothing is not zero', () => {
    expect(addAmounts([transfer({ valueUsd: null })]).usd).toBeNull();
    expect(addAmounts([transfer({ valueUsd: '0.00' })]).usd).toBe('0.00');
  });

  it('counts payees by their account, not by their name', () => {
    const renamed = { ...pearl, name: 'Pearl River' };
    const namesake = { ...pearl, account: '0xB2' };
    expect(addAmounts([transfer({}), transfer({ party: renamed })]).payees).toBe(1);
    expect(addAmounts([transfer({}), transfer({ party: namesake })]).payees).toBe(2);
  });

  it('leaves changes of rules out of every sum', () => {
    expect(addAmounts([ruleChange])).toEqual({ coins: [], usd: null, payees: 0 });
    expect(addAmounts([ruleChange, transfer({})]).coins).toEqual([{ coin: 'USDT', amount: '1.000000', count: 1 }]);
  });
});
