import { expect, it } from 'vitest';
import { entryOf, isOffered } from '../shell/menu.ts';
import { menu } from './menu-entries.ts';
import { morePages } from './more-pages.ts';

const entries = [menu.home, ...menu.groups.flatMap((group) => group.entries), ...morePages];

it('holds the groups of the specification for everybody', () => {
  const shown = menu.groups.map(({ key, entries: all }) => [key, all.filter((entry) => isOffered(entry, [])).length]);
  expect(shown).toEqual([
    ['wallet', 7],
    ['approval', 3],
    ['management', 5],
  ]);
});

it('offers what runs the company to those who may', () => {
  const paths = (...permissions: Parameters<typeof isOffered>[1] & object) =>
    entries.filter((entry) => entry.permission && isOffered(entry, permissions)).map(({ path }) => path);
  expect(paths()).toEqual([]);
  expect(paths('rule.manage')).toEqual(['/app/approval']);
  expect(paths('setting.manage', 'audit.view')).toEqual(['/app/company-settings', '/app/webhooks', '/app/audit-log']);
});

it('knows which entry an address belongs to', () => {
  expect(entryOf(menu, '/app/wallet')?.path).toBe('/app/wallet');
  expect(entryOf(menu, '/app/wallet/recharge')?.path).toBe('/app/wallet');
  expect(entryOf(menu, '/app/wallet/credit-card')?.path).toBe('/app/wallet/credit-card');
  expect(entryOf(menu, '/app/wallets')).toBeUndefined();
  expect(entryOf(menu, '/app/payee/add')?.path).toBe('/app/payee');
});

it('names no address twice', () => {
  const paths = entries.map((entry) => entry.path);
  expect(new Set(paths).size).toBe(paths.length);
});
