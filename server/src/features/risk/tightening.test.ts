import type { PolicyDefinition, RiskContent } from '@causeway/contract/risk.ts';
import { describe, expect, test } from 'vitest';
import { isAtLeastAsTight, onlyStops } from './tightening.ts';

const forbids = (content: RiskContent, more: Partial<PolicyDefinition> = {}): PolicyDefinition => ({
  name: 'Large transfers',
  business: 'crypto_withdrawal',
  method: 'forbid',
  content,
  result: 'deny',
  window: 'day',
  ...more,
});
const value = (from: string, to: string | null = null): RiskContent => ({ dimension: 'crypto_value', from, to });
const chains = (...names: string[]): RiskContent => ({ dimension: 'chain', chains: names });
const onlyAllows = (content: RiskContent) => forbids(content, { method: 'allow_only' });
const exempts = (content: RiskContent) => forbids(content, { method: 'allow_only', result: 'allow' });

describe('a change of a policy is at least as tight', () => {
  const cases: [string, PolicyDefinition, PolicyDefinition, boolean][] = [
    ['only the name changed', forbids(value('100')), forbids(value('100'), { name: 'Other' }), true],
    ['a forbidden range grew at its start', forbids(value('100')), forbids(value('99.99')), true],
    ['a forbidden range shrank at its start', forbids(value('100')), forbids(value('100.01')), false],
    ['a forbidden range lost its end', forbids(value('100', '200')), forbids(value('100')), true],
    ['a forbidden range got an end', forbids(value('100')), forbids(value('100', '200')), false],
    ['a forbidden range moved', forbids(value('100', '200')), forbids(value('50', '150')), false],
    ['amounts are numbers, not text', forbids(value('100')), forbids(value('20')), true],
    ['a forbidden list grew', forbids(chains('a')), forbids(chains('b', 'a')), true],
    ['a forbidden list lost a name', forbids(chains('a', 'b')), forbids(chains('a')), false],
    ['what alone is allowed shrank', onlyAllows(chains('a', 'b')), onlyAllows(chains('a')), true],
    ['what alone is allowed grew', onlyAllows(chains('a')), onlyAllows(chains('a', 'b')), false],
    ['what is let past the others shrank', exempts(chains('a', 'b')), exempts(chains('a')), false],
    ['another dimension', forbids(value('100')), forbids(chains('a')), false],
    ['another window', forbids(value('100')), forbids(value('100'), { window: 'month' }), false],
    ['another business', forbids(value('100')), forbids(value('100'), { business: 'payment' }), false],
    ['another method', forbids(chains('a')), onlyAllows(chains('a')), false],
    ['another result', onlyAllows(chains('a')), exempts(chains('a')), false],
    [
      'another coin',
      forbids({ dimension: 'crypto_quantity', coin: 'USDT', from: '1', to: null }),
      forbids({ dimension: 'crypto_quantity', coin: 'ETH', from: '1', to: null }),
      false,
    ],
  ];
  test.each(cases)('%s', (_, before, after, tight) => {
    expect(isAtLeastAsTight(before, after)).toBe(tight);
  });
});

test('only what lets nothing past the others can be added anywhere', () => {
  expect([forbids(chains('a')), onlyAllows(chains('a')), exempts(chains('a'))].map(onlyStops)).toEqual([
    true,
    true,
    false,
  ]);
});
