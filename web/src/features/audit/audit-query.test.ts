import { expect, test } from 'vitest';
import { instantsOf } from '../../ui/days.ts';
import { hasMoreThanPeriod, queryOf } from './audit-query.ts';

test('a day goes from its first moment to the first of the next', () => {
  const { from, to } = queryOf({ from: '2026-11-21', to: '2026-11-21' }, instantsOf);
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 3_600_000);
});

test('what is no filter’s value is left out', () => {
  const filters = {
    actor: 'somebody',
    action: 'signIn',
    subjectKind: '',
    subjectId: 'a b',
    from: 'today',
    keyword: '  ',
  };
  expect(queryOf(filters, instantsOf)).toEqual({});
  const good = {
    actor: 'system',
    action: 'payees.add',
    subjectKind: 'payee',
    subjectId: 'USDT/ethereum',
    keyword: 'x',
  };
  expect(queryOf(good, instantsOf)).toEqual(good);
});

test('a verifiable export leaves everything aside but the period', () => {
  expect(hasMoreThanPeriod({ from: '2026-11-21', to: '2026-11-21' })).toBe(false);
  expect(hasMoreThanPeriod({ from: '2026-11-21', action: 'payees.add' })).toBe(true);
});
