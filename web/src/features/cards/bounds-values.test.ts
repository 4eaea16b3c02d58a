import { cardBoundsShape } from '@causeway/contract/cards-limits.ts';
import { expect, test } from 'vitest';
import { type BoundsValues, boundsOf, boundsValues, checkBounds, openBounds } from './bounds-values.ts';

test('what a form says is what the contract takes, and reads back the same', () => {
  const values: BoundsValues = {
    ...openBounds,
    ...{ each: '500', month: '2000.50', categoryMode: 'deny', groups: ['gambling', 'cash'] },
    ...{ countryMode: 'allow', codes: ['HK', 'CN'], online: false },
  };
  const bounds = boundsOf(values);
  expect(cardBoundsShape.parse(bounds)).toEqual({
    limits: { each: '500', day: null, month: '2000.50', total: null },
    categories: { mode: 'deny', groups: ['gambling', 'cash'] },
    countries: { mode: 'allow', codes: ['HK', 'CN'] },
    online: false,
  });
  expect(boundsValues(bounds)).toEqual(values);
  expect(boundsValues(boundsOf(openBounds))).toEqual(openBounds);
});

test('a list without entries and a limit of zero are refused before anything is sent; a choice of everything keeps no list', () => {
  expect(checkBounds(openBounds)).toEqual([]);
  const wrong: BoundsValues = { ...openBounds, day: '0.00', categoryMode: 'allow', countryMode: 'deny' };
  expect(checkBounds(wrong).map(({ path }) => path[0])).toEqual(['day', 'groups', 'codes']);
  expect(boundsOf({ ...openBounds, groups: ['cash'], codes: ['HK'] })).toMatchObject({
    categories: null,
    countries: null,
  });
});
