import { expect, it } from 'vitest';
import type { Department } from './api.ts';
import { departmentOptions, treeOf } from './department-tree.ts';

function department(id: string, parentId: string | null, position: number, totalCount = 0): Department {
  return { id, name: id, parentId, position, memberCount: 0, totalCount, members: [] };
}

const departments = [
  department('sales', null, 1),
  department('treasury', 'finance', 1),
  department('accounts', 'finance', 0),
  department('finance', null, 0, 7),
];

it('the tree has siblings in their order, and counts', () => {
  const tree = treeOf(departments);
  expect(tree.map(({ id }) => id)).toEqual(['finance', 'sales']);
  expect(tree[0]).toMatchObject({ aside: 7, children: [{ id: 'accounts' }, { id: 'treasury' }] });
});

it('options stand in the order of the tree and name what is above them', () => {
  expect(departmentOptions(departments).map(({ label }) => label)).toEqual([
    'finance',
    'finance / accounts',
    'finance / treasury',
    'sales',
  ]);
});
