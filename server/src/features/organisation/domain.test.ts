import { permissions, systemRolePermissions, withImplied } from '@causeway/contract/permission.ts';
import { describe, expect, test } from 'vitest';
import { checkPlace, difference, exceeds, ordered, subtree, type TreeNode, tidyName } from './domain.ts';

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
