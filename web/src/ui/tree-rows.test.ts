import { expect, test } from 'vitest';
import { rowsOf } from './tree-rows.ts';

const nodes = [
  { id: 'finance', label: 'Finance', children: [{ id: 'treasury', label: 'Treasury' }] },
  { id: 'sales', label: 'Sales' },
];

test('branches are open unless they are closed', () => {
  const lines = (closed: string[]) => rowsOf(nodes, new Set(closed)).map(({ node, level }) => `${node.id} ${level}`);
  expect(lines([])).toEqual(['finance 1', 'treasury 2', 'sales 1']);
  expect(lines(['finance', 'sales'])).toEqual(['finance 1', 'sales 1']);
});

test('a line knows its place among its siblings', () => {
  expect(rowsOf(nodes, new Set()).map(({ place, siblings }) => [place, siblings])).toEqual([
    [1, 2],
    [1, 1],
    [2, 2],
  ]);
});
