import * as z from 'zod/mini';
import { changedPayeeDaysMax } from './bank-payees-rules.ts';
import { call, nothing } from './call.ts';
import { waitingHoursMax } from './control-rules.ts';
import { effect } from './effect.ts';
import { id, instant, text } from './ids.ts';
import { name } from './names.ts';
import { chosenId, roleRef } from './organisation-parts.ts';
import { baseCurrencies, codeRecipients, isQuota, roleNameMaxLength } from './organisation-rules.ts';
import { permissions } from './permission.ts';

/** Roles, the tree of permissions, and the company's settings. */

export const role = z.extend(roleRef, {
  /** US dollars, exclusive: approves what is less than this. Null: unlimited. */
  quotaUsd: z.nullable(z.string()),
  /** With what they imply. */
  permissions: z.array(z.enum(permissions)),
  memberCount: z.number(),
  /** Null for a system role. */
  createdAt: z.nullable(instant),
});
export type Role = z.output<typeof role>;

const quotaUsd = z.nullable(z.string('field.quota').check(z.refine(isQuota, { error: 'field.quota' })));
const roleForm = {
  name: name(roleNameMaxLength),
  quotaUsd,
  permissions: z.array(z.enum(permissions)).check(z.maxLength(permissions.length, 'field.tooLong')),
  active: z.boolean(),
};

export const listRoles = call({
  name: 'listRoles',
  method: 'GET',
  path: '/web/rbac/roles',
  summary: 'The system roles, then the roles of the company by name.',
  access: 'role.manage',
  query: z.strictObject({ keyword: z.optional(text(128)), active: z.optional(z.enum(['true', 'false'])) }),
  output: z.array(role),
  errors: [],
});

export const addRole = call({
  name: 'addRole',
  method: 'POST',
  path: '/web/rbac/roles',
  summary: 'Makes a role of permissions and an approval authority, none beyond those of its maker.',
  access: 'role.manage',
  body: z.strictObject({ id: z.optional(id), ...roleForm }),
  output: role,
  errors: ['roleExists', 'authorityExceeded', 'idTaken'],
});

export const editRole = call({
  name: 'editRole',
  method: 'PUT',
  path: '/web/rbac/roles',
  summary: 'Changes a role; it takes effect with the next request of its members.',
  access: 'role.manage',
  body: z.strictObject({ id: chosenId, ...roleForm }),
  output: z.extend(role, effect),
  errors: ['approvalRulesHeld', 'roleNotFound', 'roleIsSystem', 'roleExists', 'authorityExceeded'],
});

export const deleteRole = call({
  name: 'deleteRole',
  method: 'DELETE',
  path: '/web/rbac/roles',
  summary: 'Deletes a role that no member holds and no approval rule, risk policy or rule of company cards names.',
  access: 'role.manage',
  body: z.strictObject({ id: chosenId }),
  output: nothing,
  errors: ['roleNotFound', 'roleIsSystem', 'roleInUse', 'cardRuleNames', 'authorityExceeded'],
});

export const copyRole = call({
  name: 'copyRole',
  method: 'POST',
  path: '/web/rbac/roles/copy',
  summary: 'Makes a role of the company like another one, a system role perhaps, under a new name.',
  access: 'role.manage',
  body: z.strictObject({ id: chosenId, newId: z.optional(id), name: name(roleNameMaxLength) }),
  output: role,
  errors: ['roleNotFound', 'roleExists', 'authorityExceeded', 'idTaken'],
});

export const getRoleMenus = call({
  name: 'getRoleMenus',
  method: 'GET',
  path: '/web/rbac/roles/menus',
  summary: 'The permissions of one role.',
  access: 'role.manage',
  query: z.strictObject({ id: chosenId }),
  output: z.object({ roleId: id, permissions: z.array(z.enum(permissions)) }),
  errors: ['roleNotFound'],
});

export const getMenuGroups = call({
  name: 'getMenuGroups',
  method: 'GET',
  path: '/web/rbac/menus/groups',
  summary: 'The permission tree in menu groups, named in the language of the request.',
  access: 'role.manage',
  output: z.array(
    z.object({
      menu: z.string(),
      name: z.string(),
      entries: z.array(
        z.object({
          menu: z.string(),
          name: z.string(),
          permissions: z.array(
            z.object({
              permission: z.enum(permissions),
              name: z.string(),
              /** Given along with it. */
              implies: z.array(z.enum(permissions)),
              /** Whether the reader has it, and so may give it. */
              grantable: z.boolean(),
            }),
          ),
        }),
      ),
    }),
  ),
  errors: [],
});

/** An IANA name such as `Asia/Hong_Kong`; that it is known is asked of the database, which counts days by it. */
const timeZone = text(64).check(
  z.minLength(1, 'field.required'),
  z.regex(/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/, 'field.timeZone'),
);
const companySettings = z.object({
  timeZone: z.string(),
  codeRecipient: z.enum(codeRecipients),
  /** In which the value of each new transaction is kept, beside US dollars. */
  baseCurrency: z.enum(baseCurrencies),
  /** How long a change that widens a control waits where there is no second person. */
  waitingHours: z.number(),
  /** Forbids decisions by an approver to whom the task's initiator gave the right within 30 days before. */
  forbidOwnApprovers: z.boolean(),
  /** A second person approves each payee that is added before anything can be sent to it. */
  approveNewPayees: z.boolean(),
  /** For so many days the changed bank account of a payee is marked wherever it is paid. */
  changedPayeeDays: z.number(),
});

export const getCompanySettings = call({
  name: 'getCompanySettings',
  method: 'GET',
  path: '/web/company/settings',
  summary:
    'The time zone by which days are counted, whom the code of a transfer goes to, and the settings of dual control.',
  access: 'setting.manage',
  output: z.extend(companySettings, {
    /** Active members who may decide approvals: with one, that member cannot add payees that need approval; with none, no one can. */
    approverCount: z.number(),
  }),
  errors: [],
});

export const setCompanySettings = call({
  name: 'setCompanySettings',
  method: 'PUT',
  path: '/web/company/settings',
  summary: 'Changes the time zone, whom the code of a transfer goes to, and the settings of dual control.',
  access: 'setting.manage',
  /** A field that is omitted keeps its value. */
  body: z.strictObject({
    timeZone,
    codeRecipient: z.enum(codeRecipients),
    waitingHours: z.optional(
      z.int('field.invalid').check(z.minimum(1, 'field.invalid'), z.maximum(waitingHoursMax, 'field.invalid')),
    ),
    forbidOwnApprovers: z.optional(z.boolean('field.invalid')),
    approveNewPayees: z.optional(z.boolean('field.invalid')),
    changedPayeeDays: z.optional(
      z.int('field.invalid').check(z.minimum(1, 'field.invalid'), z.maximum(changedPayeeDaysMax, 'field.invalid')),
    ),
    baseCurrency: z.optional(z.enum(baseCurrencies)),
  }),
  output: z.extend(companySettings, effect),
  errors: ['approvalRulesHeld'],
});
