import { departmentMaxDepth } from '@causeway/contract/organisation-rules.ts';
import { expect, it } from 'vitest';
import type { Department } from './api.ts';
import { departmentOptions, possibleParents, siblingsUnder, treeOf } from './department-tree.ts';

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

const named = (id: string) => departments.find((one) => one.id === id) ?? department(id, null, 0);

it('a department can be moved under every other that is not under it', () => {
  expect(possibleParents(departments, named('finance')).map(({ id }) => id)).toEqual(['sales']);
  expect(possibleParents(departments, named('treasury')).map(({ id }) => id)).toEqual(['sales', 'accounts', 'finance']);
});

it('nothing is moved so deep that what is under it would be too deep', () => {
  const chain = Array.from({ length: departmentMaxDepth }, (_, level) =>
    department(`level${level}`, level === 0 ? null : `level${level - 1}`, 0),
  );
  const pair = [department('upper', null, 1), department('lower', 'upper', 0)];
  const parents = (id: string) =>
    possibleParents([...chain, ...pair], pair.find((one) => one.id === id) ?? department(id, null, 0));
  expect(parents('lower').map(({ id }) => id)).toEqual([
    ...chain.slice(0, departmentMaxDepth - 1).map(({ id }) => id),
    'upper',
  ]);
  expect(parents('upper').map(({ id }) => id)).toEqual(chain.slice(0, departmentMaxDepth - 2).map(({ id }) => id));
});

it('a moved department stands among those already there, in their order', () => {
  expect(siblingsUnder(departments, 'finance', named('treasury')).map(({ id }) => id)).toEqual(['accounts']);
  expect(siblingsUnder(departments, null, named('treasury')).map(({ id }) => id)).toEqual(['finance', 'sales']);
});
