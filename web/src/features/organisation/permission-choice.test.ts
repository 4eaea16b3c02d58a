import { permissionTree } from '@causeway/contract/permission.ts';
import { expect, it } from 'vitest';
import { leavesOf } from '../../ui/check-tree-model.ts';
import type { MenuGroups } from './api.ts';
import { effective, permissionNodes } from './permission-choice.ts';

const groups: MenuGroups = permissionTree.map(({ menu, entries }) => ({
  menu,
  name: menu,
  entries: entries.map((entry) => ({
    menu: entry.menu,
    name: entry.menu,
    permissions: entry.permissions.map((permission) => ({
      permission,
      name: `may ${permission}`,
      implies: [],
      grantable: permission !== 'audit.view',
    })),
  })),
}));
const reasons = { implied: (by: string) => `comes with ${by}`, beyond: 'not yours' };
const lockOf = (permission: string, chosen: string[]) =>
  permissionNodes(groups, new Set(chosen), reasons)
    .flatMap(leavesOf)
    .find(({ id }) => id === permission)?.locked;

it('what a permission is of no use without comes with it', () => {
  expect(effective(new Set(['transfer.create']))).toEqual([
    'wallet.view',
    'transaction.view',
    'transfer.create',
    'payee.view',
  ]);
  expect(effective(new Set(['notice.view']))).toEqual(['notice.view']);
});

it('what comes with another is locked, and says with which', () => {
  expect(lockOf('payee.view', [])).toBeUndefined();
  expect(lockOf('payee.view', ['payee.manage'])).toBe('comes with may payee.manage');
  expect(lockOf('payee.manage', ['payee.manage'])).toBeUndefined();
});

it('what the reader does not have is locked, and says so', () => {
  expect(lockOf('audit.view', [])).toBe('not yours');
});
