import type { PolicyDefinition, RiskContent } from '@causeway/contract/risk.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { riskSubject } from '../../testing/risk.ts';
import { compile, factsOf, judgePolicies, windowsAt } from './domain.ts';
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
const members = (...ids: string[]): RiskContent => ({ dimension: 'initiator', members: ids });
const departments = (...ids: string[]): RiskContent => ({ dimension: 'department', departments: ids });
const roles = (...ids: string[]): RiskContent => ({ dimension: 'role', roles: ids });
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
    ['forbidden departments grew', forbids(departments('a')), forbids(departments('a', 'b')), true],
    ['a member was taken off what is forbidden', forbids(members('a', 'b')), forbids(members('b')), false],
    ['a role joined what alone is allowed', onlyAllows(roles('a')), onlyAllows(roles('a', 'b')), false],
    ['departments instead of roles', forbids(departments('a')), forbids(roles('a')), false],
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

const ids = ['ann', 'bob', 'cy', 'treasury', 'desk', 'clerk'];
const about: fc.Arbitrary<RiskContent> = fc
  .tuple(fc.constantFrom('initiator', 'department', 'role', 'chain'), fc.subarray(ids, { minLength: 1 }))
  .map(([dimension, named]): RiskContent => {
    if (dimension === 'initiator') return { dimension, members: named };
    if (dimension === 'department') return { dimension, departments: named };
    return dimension === 'role' ? { dimension, roles: named } : { dimension: 'chain', chains: named };
  });
const policy = fc
  .tuple(about, fc.constantFrom(forbids, onlyAllows, exempts))
  .map(([content, make]): PolicyDefinition => make(content));

/** Persons of every kind: with these ids as member, role and chain, and in departments of which one lies in another. */
const everyone = ids.flatMap((initiatorId) =>
  ids.flatMap((roleId) =>
    [[], ['treasury'], ['desk', 'treasury'], ['ann']].map((departmentIds) => ({ initiatorId, roleId, departmentIds })),
  ),
);

test('no change that takes effect at once lets anyone through whom the policy stopped', () => {
  const outcomes = { tight: 0, loose: 0 };
  const windows = windowsAt('2026-11-23', [], null);
  fc.assert(
    fc.property(policy, policy, (before, after) => {
      // What follows stops everything: so a policy that exempts can be seen to let through.
      const last = forbids(value('0'));
      const judged = (first: PolicyDefinition) => {
        const ruleset = compile(
          [first, last].map((definition, i) => ({ id: String(i), version: 1, position: i + 1, definition })),
        );
        return everyone.map(({ initiatorId, ...affiliation }) => {
          const subject = riskSubject({ initiatorId, chainId: affiliation.roleId });
          const { subjectId } = judgePolicies(ruleset, factsOf({ subject, affiliation, windows }));
          return { stops: subjectId === '0', allows: subjectId === null };
        });
      };
      if (!isAtLeastAsTight(before, after)) {
        outcomes.loose += 1;
        return;
      }
      outcomes.tight += 1;
      const [was, is] = [judged(before), judged(after)];
      was.forEach((outcome, i) => {
        if (outcome.stops) expect(is[i]?.stops).toBe(true);
        if (is[i]?.allows) expect(outcome.allows).toBe(true);
      });
    }),
    { numRuns: 1500, seed: 11 },
  );
  expect(outcomes.tight).toBeGreaterThan(30);
  expect(outcomes.loose).toBeGreaterThan(30);
});

test('only what lets nothing past the others can be added anywhere', () => {
  expect([forbids(chains('a')), onlyAllows(chains('a')), exempts(chains('a'))].map(onlyStops)).toEqual([
    true,
    true,
    false,
  ]);
});
