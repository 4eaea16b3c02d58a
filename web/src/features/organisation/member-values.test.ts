import { expect, it } from 'vitest';
import { namesakeOf } from './member-values.ts';

const people = [
  { id: 'm1', name: 'Tai Man Chan' },
  { id: 'm2', name: '陳大文' },
];

it.each([
  ['m3', 'Tai Man', 'Chan', 'Tai Man Chan'],
  ['m3', ' tai  man', 'CHAN ', 'Tai Man Chan'],
  ['m3', 'Chan', 'Tai Man', 'Tai Man Chan'],
  ['m3', '大文', '陳', '陳大文'],
])('%s named %s %s has a namesake', (id, firstName, lastName, name) => {
  expect(namesakeOf({ id, firstName, lastName }, people)).toBe(name);
});

it.each([
  ['m1', 'Tai Man', 'Chan'],
  ['m3', 'Tai Man', ''],
  ['m3', '', ''],
  ['m3', 'Siu Ming', 'Chan'],
])('%s named %s %s has none', (id, firstName, lastName) => {
  expect(namesakeOf({ id, firstName, lastName }, people)).toBeNull();
});
