import type { PolicyDefinition, RiskContent } from '@causeway/contract/risk.ts';
import { describe, expect, test } from 'vitest';
import {
  checkDraft,
  definitionOf,
  draftOf,
  fieldsOfContent,
  hasContent,
  type PolicyDraft,
  withBusiness,
} from './policy-draft.ts';
import { policySentence } from './policy-sentence.ts';

const policy: PolicyDefinition = {
  name: 'Nothing large',
  business: 'crypto_withdrawal',
  method: 'forbid',
  result: 'deny',
  window: 'week',
  content: { dimension: 'crypto_quantity', coin: 'USDT', from: '1000', to: null },
};

const contents: [PolicyDefinition['business'], RiskContent][] = [
  ['crypto_withdrawal', { dimension: 'chain', chains: ['ethereum'] }],
  ['crypto_withdrawal', { dimension: 'coin', coins: ['USDT', 'ETH'] }],
  ['crypto_withdrawal', policy.content],
  ['crypto_withdrawal', { dimension: 'crypto_value', from: '0', to: '99.5' }],
  ['crypto_withdrawal', { dimension: 'crypto_frequency', from: '3', to: null }],
  ['payment', { dimension: 'fiat_currency', currencies: ['HKD'] }],
  ['payment', { dimension: 'fiat_amount', currency: 'HKD', from: '1', to: '2' }],
  ['payment', { dimension: 'fiat_frequency', from: '1', to: '2' }],
  ['payment', { dimension: 'payment_region', countries: ['HK', 'SG'] }],
];

describe('the form of a policy', () => {
  test.each(contents)('gives back what it was filled from: %s %o', (business, content) => {
    const window = 'chains' in content || 'coins' in content || 'currencies' in content || 'countries' in content;
    const definition: PolicyDefinition = { ...policy, business, content, window: window ? 'day' : 'week' };
    expect(checkDraft(draftOf(definition))).toEqual({ ok: true, values: definition });
  });

  test('tells what is wrong of the field where it stands', () => {
    const fieldsOf = (checked: ReturnType<typeof checkDraft>) =>
      checked.ok ? [] : checked.problems.map(({ path }) => path[0]);
    expect(fieldsOf(checkDraft({ ...draftOf(policy), name: '', to: '1000' }))).toEqual(['name', 'to']);
    expect(fieldsOf(checkDraft({ ...draftOf(policy), dimension: 'chain' }))).toEqual(['chains']);
    expect(fieldsOf(checkDraft({ ...draftOf(policy), coin: '' }))).toEqual(['coin']);
    expect(fieldsOfContent({ 'content.coin': 'No such coin', name: 'Taken' })).toEqual({
      coin: 'No such coin',
      name: 'Taken',
    });
  });

  test.each(['crypto_quantity', 'crypto_value', 'crypto_frequency'] as const)(
    'asks for the lower end, which may be 0, and never takes an empty one for it: %s',
    (dimension) => {
      const draft: PolicyDraft = { ...draftOf(policy), dimension, from: '', to: '100' };
      const problems = [{ path: ['from'], message: 'field.required' }];
      expect(checkDraft(draft)).toEqual({ ok: false, problems });
      expect(checkDraft({ ...draft, to: '' })).toEqual({ ok: false, problems });
      expect(checkDraft({ ...draft, from: '0' })).toMatchObject({ ok: true, values: { content: { from: '0' } } });
    },
  );

  test('keeps a dimension that fits another business, and takes the first that does otherwise', () => {
    expect(withBusiness(draftOf(policy), 'payment')).toMatchObject({
      business: 'payment',
      dimension: 'crypto_quantity',
    });
    const byChain: PolicyDraft = { ...draftOf(policy), dimension: 'chain' };
    expect(withBusiness(byChain, 'payment')).toMatchObject({ business: 'payment', dimension: 'fiat_currency' });
    expect(withBusiness(byChain, 'crypto_withdrawal').dimension).toBe('chain');
  });

  test('denies what it forbids, whatever was chosen for "allow only" before', () => {
    expect(definitionOf({ ...draftOf(policy), method: 'forbid', result: 'allow' }).result).toBe('deny');
  });
});

test('the sentence names the window, the bounds and the effect', () => {
  const t = (id: string, values?: object) => `${id}(${Object.values(values ?? {}).join(', ')})`;
  const words = { t, tag: 'en-US', chainName: (id: string) => id, nameOf: (id: string) => `name of ${id}` };
  expect(policySentence(policy, words)).toBe(
    'risk.sentence.forbid(risk.businesses.crypto_withdrawal(), risk.condition.sum(week, risk.range.atLeast(1,000 USDT)))',
  );
  const unfinished = definitionOf({ ...draftOf(policy), dimension: 'crypto_frequency', from: '', to: '' });
  expect(policySentence(unfinished, words)).toContain('risk.range.countAtLeast(…)');
  const exempt: PolicyDefinition = { ...policy, method: 'allow_only', result: 'allow' };
  expect(policySentence(exempt, words)).toMatch(/^risk\.sentence\.exempt/);
  expect(policySentence({ ...exempt, result: 'deny' }, words)).toMatch(/^risk\.sentence\.allowOnly/);
  const about = (content: PolicyDefinition['content']) => policySentence({ ...policy, content }, words);
  expect(about({ dimension: 'initiator', members: ['ann', 'bob'] })).toContain('initiator(name of ann or name of bob)');
  expect(about({ dimension: 'department', departments: ['desk'] })).toContain('department(name of desk)');
  expect(about({ dimension: 'role', roles: ['clerk'] })).toContain('role(name of clerk)');
});

test.each([
  ['crypto_value', {}],
  ['crypto_value', { to: '100' }],
  ['crypto_frequency', {}],
  ['crypto_quantity', { from: '5' }],
  ['crypto_quantity', { coin: 'USDT' }],
  ['chain', {}],
  ['payment_region', {}],
  ['initiator', {}],
  ['department', {}],
  ['role', {}],
] as const)('a new draft about %s with %o says nothing of what it would do', (dimension, typed) => {
  const draft: PolicyDraft = { ...draftOf(null), dimension, ...typed };
  expect(hasContent(draft)).toBe(false);
  expect(checkDraft({ ...draft, name: 'A name alone' }).ok).toBe(false);
});

test.each([
  ['crypto_value', { from: '0' }],
  ['crypto_quantity', { from: '5', coin: 'USDT' }],
  ['chain', { chains: ['ethereum'] }],
  ['department', { departments: ['treasury'] }],
] as const)('with its content it does: %s %o', (dimension, typed) => {
  expect(hasContent({ ...draftOf(null), dimension, ...typed })).toBe(true);
});
