import { expect, test } from 'vitest';
import { plannedOf } from './price-rules.ts';

const planned = (id: string, day: number) => ({ id, value: '2', validFrom: `2026-12-0${day}T00:00:00.000Z` });

test('what is planned for a company and for every company is in the order of its instants', () => {
  const found = plannedOf({ planned: [planned('b', 2)], plannedForAll: [planned('a', 1), planned('c', 3)] });
  expect(found.map(({ id, isOwn }) => [id, isOwn])).toEqual([
    ['a', false],
    ['b', true],
    ['c', false],
  ]);
});
