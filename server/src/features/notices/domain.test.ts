import { type Permission, permissions, type SystemRole, systemRolePermissions } from '@causeway/contract/permission.ts';
import { describe, expect, test } from 'vitest';
import { linkFor } from './domain.ts';

const link = (path: string, role: SystemRole | readonly Permission[]) =>
  linkFor(path, typeof role === 'string' ? systemRolePermissions[role] : role);

describe('the link of a notice', () => {
  test.each<[string, SystemRole | readonly Permission[], string | null]>([
    // An application: beside the list that is the reader's.
    ['/app/approval/7', 'administrator', '/app/approval/7'],
    ['/app/approval/7', 'approver', '/app/pending-approval/7'],
    ['/app/approval/7', 'finance', '/app/i-initiated-approval/7'],
    ['/app/approval/7', ['rule.manage'], null],
    ['/app/pending-approval/7', 'administrator', '/app/pending-approval/7'],
    // Of one who could approve when it was given.
    ['/app/pending-approval/7', 'viewer', '/app/i-initiated-approval/7'],
    ['/app/i-initiated-approval/7', 'approver', '/app/i-initiated-approval/7'],
    ['/app/i-initiated-approval/7', ['transfer.create', 'notice.view'], null],
    ['/app/transaction/7', 'viewer', '/app/transaction/7'],
    ['/app/transaction/7', ['notice.view'], null],
    ['/app/member-management/7', 'administrator', '/app/member-management/7'],
    // The member whom a change concerns.
    ['/app/member-management/7', 'approver', null],
    ['/app/role-management/7', ['member.manage', 'rule.manage'], null],
    ['/app/company-settings', ['department.manage'], null],
    ['/app/company-settings', ['setting.manage'], '/app/company-settings'],
    ['/app/wallet/7', ['wallet.view'], '/app/wallet/7'],
    ['/app/payee/7', ['wallet.view'], null],
    ['/app/payee/7', ['payee.view'], '/app/payee/7'],
    ['/app/home', [], '/app/home'],
    ['/app/structure-management', ['department.manage'], '/app/structure-management'],
    ['/app/risk-setting/whitelist', ['rule.manage', 'rule.view'], null],
    ['/app/risk-setting', ['rule.manage', 'rule.view'], '/app/risk-setting'],
    ['/app/account', [], '/app/account'],
  ])('%s leads %j to %j', (path, role, target) => {
    expect(link(path, role)).toBe(target);
  });

  test('is none where there is none, and none to a page that is not known', () => {
    expect(linkFor(null, permissions)).toBeNull();
    expect(linkFor('/app/elsewhere', permissions)).toBeNull();
  });
});
