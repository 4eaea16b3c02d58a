import { permissions, systemRolePermissions, withImplied } from '@causeway/contract/permission.ts';
import { describe, expect, test } from 'vitest';
import { checkPlace, difference, exceeds, ordered, ruleHold, subtree, type TreeNode, tidyName } from './domain.ts';

const unlimited = { permissions, quotaUsdCents: null };
const clerk = { permissions: withImplied(['member.manage', 'approval.decide']), quotaUsdCents: 100_000n };

describe('nobody gives more than they have', () => {
  test('an administrator has everything', () => {
    expect(exceeds(unlimited, unlimited)).toBe(false);
    expect(exceeds(unlimited, clerk)).toBe(false);
  });

  test('a permission beyond their own is too much, the same or fewer are not', () => {
    expect(exceeds(clerk, clerk)).toBe(false);
    expect(exceeds(clerk, { ...clerk, permissions: ['approval.view'] })).toBe(false);
    expect(exceeds(clerk, { ...clerk, permissions: [...clerk.permissions, 'role.manage'] })).toBe(true);
  });

  test('so is an approval amount above their own, met exactly it is not', () => {
    expect(exceeds(clerk, { ...clerk, quotaUsdCents: 100_000n })).toBe(false);
    expect(exceeds(clerk, { ...clerk, quotaUsdCents: 100_001n })).toBe(true);
    expect(exceeds(clerk, { ...clerk, quotaUsdCents: null })).toBe(true);
  });

  test('an approval amount is of no account without the permission to decide', () => {
    expect(exceeds(clerk, { permissions: ['approval.view'], quotaUsdCents: null })).toBe(false);
  });
});

test('what a permission is of no use without comes with it, and unknown names do not', () => {
  expect(withImplied(['transfer.create', 'everything'])).toEqual([
    'wallet.view',
    'transaction.view',
    'transfer.create',
    'payee.view',
  ]);
  for (const role of Object.values(systemRolePermissions)) {
    expect([...withImplied(role)].sort()).toEqual([...role].sort());
  }
});

/** a ─ b ─ c, and d beside a. */
const tree: TreeNode[] = [
  { id: 'd', parentId: null, position: 1 },
  { id: 'a', parentId: null, position: 0 },
  { id: 'c', parentId: 'b', position: 0 },
  { id: 'b', parentId: 'a', position: 0 },
];
const chain = (length: number): TreeNode[] =>
  Array.from({ length }, (_, i) => ({ id: `n${i + 1}`, parentId: i === 0 ? null : `n${i}`, position: 0 }));

describe('the tree of departments', () => {
  test('lists parents before children, siblings by position', () => {
    expect(subtree(tree, null).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(subtree(tree, 'b').map(({ id }) => id)).toEqual(['b', 'c']);
  });

  test('has no cycle: nothing is moved under itself', () => {
    expect(() => checkPlace(tree, 'a', 'a')).toThrow('departmentCycle');
    expect(() => checkPlace(tree, 'a', 'c')).toThrow('departmentCycle');
    expect(() => checkPlace(tree, 'c', 'a')).not.toThrow();
    expect(() => checkPlace(tree, 'a', 'd')).not.toThrow();
    expect(() => checkPlace(tree, 'a', null)).not.toThrow();
  });

  test('knows no parent that is not there', () => {
    expect(() => checkPlace(tree, null, 'x')).toThrow('departmentNotFound');
  });

  test('is at most eight levels deep, also for what comes along with a move', () => {
    expect(() => checkPlace(chain(7), null, 'n7')).not.toThrow();
    expect(() => checkPlace(chain(8), null, 'n8')).toThrow('departmentTooDeep');
    const both = [...chain(6), ...tree];
    expect(() => checkPlace(both, 'b', 'n6')).not.toThrow();
    expect(() => checkPlace(both, 'a', 'n6')).toThrow('departmentTooDeep');
    expect(() => checkPlace(both, 'a', 'n5')).not.toThrow();
  });

  test('orders siblings: first, between, past the end, from elsewhere, and where it was', () => {
    const flat = ['x', 'y', 'z'].map((id, position) => ({ id, parentId: null, position }));
    expect(ordered(flat, null, 'z', 0)).toEqual(['z', 'x', 'y']);
    expect(ordered(flat, null, 'x', 1)).toEqual(['y', 'x', 'z']);
    expect(ordered(flat, null, 'x', 99)).toEqual(['y', 'z', 'x']);
    expect(ordered(flat, null, 'y', undefined)).toEqual(['x', 'y', 'z']);
    expect(ordered(flat, null, 'new', undefined)).toEqual(['x', 'y', 'z', 'new']);
  });
});

test('a name is kept in one composition of its characters, with single spaces', () => {
  expect(tidyName('  Jose\u0301   Mari\u0301a ')).toBe('Jos\u00e9 Mar\u00eda');
});

test('the audit trail says what changed and nothing else', () => {
  expect(difference({ a: 1, b: ['x'], c: null }, { a: 2, b: ['x'], c: null })).toEqual({
    before: { a: 1 },
    after: { a: 2 },
  });
});

describe('whom the right to change rules was taken from', () => {
  const day = (count: number) => new Date(Date.UTC(2026, 10, count, 12));
  const row = (memberId: string, since: Date | null, takenAt: Date | null = null) => ({ memberId, since, takenAt });

  test('counts for seven days, to the millisecond', () => {
    const rows = [row('a', null, day(2)), row('b', day(1), day(4))];
    expect(ruleHold(rows, day(5))).toEqual({ until: day(11), taken: new Set('ab'), newcomers: new Set() });
    expect(ruleHold(rows, new Date(day(9).getTime() - 1)).taken).toEqual(new Set('ab'));
    expect(ruleHold(rows, day(9)).taken).toEqual(new Set('b'));
    expect(ruleHold(rows, day(11))).toEqual({ until: null, taken: new Set(), newcomers: new Set() });
  });

  test('makes newcomers of those who came after the first of them, and of nobody else', () => {
    const rows = [
      row('a', null, day(2)),
      row('c', day(1)),
      row('d', day(2)),
      row('e', day(3)),
      row('f', day(5), day(6)),
    ];
    expect(ruleHold(rows, day(7)).newcomers).toEqual(new Set('de'));
    // The one of day 2 is over: what was then taken later counts from its own day.
    expect(ruleHold(rows, day(10)).newcomers).toEqual(new Set());
    expect(ruleHold(rows.slice(1, 4), day(4)).newcomers).toEqual(new Set());
  });
});
