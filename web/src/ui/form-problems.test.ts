import { expect, test } from 'vitest';
import { follow, indexAfterMove, outside, pathIn, problemAt, within } from './form-problems.ts';

const said = (text: string) => ({ text, fromServer: true });
const problems = {
  name: said('name'),
  nodes: said('whole'),
  'nodes.0.needed': said('first'),
  'nodes.2.approvers.0.id': said('third'),
  'nodesbeside.1': said('beside'),
};

test('a field shows what is wrong with it, or first in it', () => {
  expect(problemAt(problems, 'nodes')?.text).toBe('whole');
  expect(problemAt(problems, 'nodes.2.approvers')?.text).toBe('third');
  expect(problemAt(problems, 'nodes.1')).toBeUndefined();
  expect(problemAt(problems, 'node')).toBeUndefined();
});

test('a field that is checked again leaves the others as they are', () => {
  expect(Object.keys(within(problems, 'nodes'))).toEqual(['nodes', 'nodes.0.needed', 'nodes.2.approvers.0.id']);
  expect(Object.keys(outside(problems, 'nodes'))).toEqual(['name', 'nodesbeside.1']);
});

test('what is wrong with a row moves with it, and goes with it', () => {
  const withoutFirst = follow(problems, 'nodes', (old) => (old === 0 ? null : old - 1));
  expect(withoutFirst).toEqual({
    name: said('name'),
    nodes: said('whole'),
    'nodes.1.approvers.0.id': said('third'),
    'nodesbeside.1': said('beside'),
  });
  const moved = follow(problems, 'nodes', indexAfterMove(2, 0));
  expect(moved).toMatchObject({ 'nodes.0.approvers.0.id': said('third'), 'nodes.1.needed': said('first') });
});

test('the others close up behind a row that moves, and make room before it', () => {
  const after = (from: number, to: number) => [0, 1, 2, 3].map(indexAfterMove(from, to));
  expect(after(0, 2)).toEqual([2, 0, 1, 3]);
  expect(after(3, 1)).toEqual([0, 2, 3, 1]);
  expect(after(1, 1)).toEqual([0, 1, 2, 3]);
});

test('a path of the server is found in a form that is a part of its input', () => {
  const values = { name: '', nodes: [] };
  expect(pathIn(values, 'nodes.1.needed')).toBe('nodes.1.needed');
  expect(pathIn(values, 'rule.nodes.1.needed')).toBe('nodes.1.needed');
  expect(pathIn(values, 'version')).toBe('version');
});
