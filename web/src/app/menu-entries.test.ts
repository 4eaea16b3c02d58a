import { expect, it } from 'vitest';
import { entryOf, menuGroups, morePages } from './menu-entries.ts';

it('holds the groups of the specification', () => {
  expect(menuGroups.map((group) => [group.key, group.entries.length])).toEqual([
    ['wallet', 7],
    ['approval', 3],
    ['management', 5],
  ]);
});

it('knows which entry an address belongs to', () => {
  expect(entryOf('/app/wallet')?.path).toBe('/app/wallet');
  expect(entryOf('/app/wallet/recharge')?.path).toBe('/app/wallet');
  expect(entryOf('/app/wallet/credit-card')?.path).toBe('/app/wallet/credit-card');
  expect(entryOf('/app/wallets')).toBeUndefined();
  expect(entryOf('/app/payee/add')?.path).toBe('/app/payee');
});

it('names no address twice', () => {
  const paths = [...menuGroups.flatMap((group) => group.entries), ...morePages].map((entry) => entry.path);
  expect(new Set(paths).size).toBe(paths.length);
});
