import * as approvals from '@causeway/contract/approvals.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { newId } from '../platform/ids.ts';
import type { Answer } from './envelope.ts';
import {
  type FourEyes,
  idOf,
  inRole,
  newDepartment,
  ownRole,
  type Row,
  ruleFor,
  seenVersion,
  switchReview,
} from './four-eyes.ts';
import { cardRows } from './four-eyes-card-rows.ts';
import { riskRows } from './four-eyes-risk-rows.ts';
import type { Member } from './main-app.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';

/** The rows of the first table in docs/FOUR_EYES.md. */

const { approver: approverRole, viewer: viewerRole, administrator: administratorRole } = systemRoleIds;

async function memberOf({ world, admin }: FourEyes, id: string) {
  return (await succeed(world, organisation.listMembers, { as: admin, query: { id } })).data.items[0] ?? null;
}

const roleIs = async (cell: FourEyes, id: string, roleId: string) => (await memberOf(cell, id))?.role.id === roleId;

const edit = async (cell: FourEyes, member: Member, roleId: string) =>
  cell.world.ask(organisation.editMember, { as: cell.admin, body: await inRole(cell, member, roleId) });

async function addMember(cell: FourEyes, roleId: string): Promise<Answer> {
  const { world, tenant, admin, friend } = cell;
  const { email: _email, id: _id, ...form } = await inRole(cell, friend, roleId);
  cell.ids['added'] = newId();
  const departmentId = await newDepartment(world, tenant.admin);
  const body = { ...form, departmentId, id: cell.ids['added'], email: `${newId()}@example.com` };
  return world.ask(organisation.addMember, { as: admin, body });
}

const added = async (cell: FourEyes) => (await memberOf(cell, cell.ids['added'] ?? newId())) !== null;

/** A friend who holds a role of the company's own. */
async function friendIn(cell: FourEyes, ...role: Parameters<typeof ownRole> extends [unknown, ...infer R] ? R : never) {
  const made = await ownRole(cell, ...role);
  cell.ids['role'] = made.id;
  cell.ids['friend'] = idOf(await cell.world.member(cell.tenant, made));
  forms.set(made.id, made.form);
}

const forms = new Map<string, object>();

const editRole = (cell: FourEyes, more: object) =>
  cell.world.ask(organisation.editRole, {
    as: cell.admin,
    body: { ...forms.get(present(cell.ids['role'])), ...more },
  });

async function roleOf(cell: FourEyes) {
  const roles = (await succeed(cell.world, organisation.listRoles, { as: cell.admin })).data;
  return present(roles.find(({ id }: { id: string }) => id === cell.ids['role']));
}

async function settingsOf({ world, admin }: FourEyes) {
  return (await succeed(world, organisation.getCompanySettings, { as: admin })).data;
}

async function setSettings(cell: FourEyes, more: object): Promise<Answer> {
  const { approverCount: _, ...settings } = await settingsOf(cell);
  const body = { ...settings, ...more };
  return cell.world.ask(organisation.setCompanySettings, { as: cell.admin, body });
}

async function reviewOf({ world, admin }: FourEyes) {
  return (await succeed(world, approvals.getReviewSetting, { as: admin })).data;
}

async function changeRule(
  cell: FourEyes,
  call:
    | typeof approvals.addRule
    | typeof approvals.changeRule
    | typeof approvals.deleteRule
    | typeof approvals.orderRules,
  body: object,
): Promise<Answer> {
  const version = await seenVersion(cell.world, cell.admin);
  return cell.world.ask(call, { as: cell.admin, body: { version, ...body } });
}

/** A member invited as an approver, whose link has not been used. */
async function inviteApprover(cell: FourEyes): Promise<void> {
  await addMember(cell, approverRole);
  cell.ids['invited'] = present(cell.ids['added']);
}

const setStatus = (cell: FourEyes, member: Member, enabled: boolean) =>
  cell.world.ask(organisation.setMemberStatus, { as: cell.admin, body: { id: idOf(member), enabled } });

const statusIs = async (cell: FourEyes, member: Member, status: string) =>
  (await memberOf(cell, idOf(member)))?.status === status;

const reset = (cell: FourEyes, member: Member) =>
  cell.world.ask(organisation.resetMemberPassword, { as: cell.admin, body: { id: idOf(member) } });

/** A reset ends every session. */
const isSignedOut = async (cell: FourEyes, member: Member) =>
  (await cell.world.ask(approvals.listTodo, { as: member })).status === 401;

const other = ({ others }: FourEyes) => present(others[0]);

export const rows: Record<string, Row> = {
  ...riskRows,
  ...cardRows,
  'add-approver': { attempt: (cell) => addMember(cell, approverRole), inForce: added },
  'add-administrator': { attempt: (cell) => addMember(cell, administratorRole), inForce: added },
  promote: {
    attempt: (cell) => edit(cell, cell.friend, approverRole),
    inForce: (cell) => roleIs(cell, idOf(cell.friend), approverRole),
  },
  'other-chain': {
    async prepare(cell) {
      cell.ids['role'] = (await ownRole(cell, ['approval.decide'], { quotaUsd: null })).id;
    },
    attempt: (cell) => edit(cell, cell.approver, present(cell.ids['role'])),
    inForce: (cell) => roleIs(cell, idOf(cell.approver), present(cell.ids['role'])),
  },
  'invitation-mailbox': {
    prepare: inviteApprover,
    async attempt(cell) {
      cell.ids['email'] = `${newId()}@example.com`;
      const { id: _id, ...form } = await inRole(cell, cell.friend, approverRole);
      const body = { ...form, id: present(cell.ids['invited']), email: cell.ids['email'] };
      return cell.world.ask(organisation.editMember, { as: cell.admin, body });
    },
    inForce: async (cell) => (await memberOf(cell, present(cell.ids['invited'])))?.email === cell.ids['email'],
  },
  enable: {
    prepare: async (cell) => void (await setStatus(cell, cell.approver, false)),
    attempt: (cell) => setStatus(cell, cell.approver, true),
    inForce: (cell) => statusIs(cell, cell.approver, 'active'),
  },
  'enable-colleague': {
    attempt: (cell) => setStatus(cell, other(cell), true),
    inForce: (cell) => statusIs(cell, other(cell), 'active'),
  },
  deputy: {
    attempt: (cell) =>
      cell.world.ask(organisation.setMemberLeave, {
        as: cell.admin,
        body: { id: idOf(cell.approver), onLeave: true, deputyId: idOf(cell.friend) },
      }),
    inForce: async (cell) => (await memberOf(cell, idOf(cell.approver)))?.deputy?.id === idOf(cell.friend),
  },
  'reset-approver': {
    attempt: (cell) => reset(cell, cell.approver),
    inForce: (cell) => isSignedOut(cell, cell.approver),
  },
  'reset-colleague': {
    attempt: (cell) => reset(cell, other(cell)),
    inForce: (cell) => isSignedOut(cell, other(cell)),
  },
  'role-gains': {
    prepare: (cell) => friendIn(cell, ['payee.view']),
    attempt: (cell) => editRole(cell, { permissions: ['approval.decide'] }),
    inForce: async (cell) => (await roleOf(cell)).permissions.includes('approval.decide'),
  },
  'role-reactivated': {
    prepare: (cell) => friendIn(cell, ['approval.decide'], { active: false }),
    attempt: (cell) => editRole(cell, { active: true }),
    inForce: async (cell) => (await roleOf(cell)).active,
  },
  'quota-raised': {
    prepare: (cell) => friendIn(cell, ['approval.decide']),
    attempt: (cell) => editRole(cell, { quotaUsd: '1000.01' }),
    inForce: async (cell) => (await roleOf(cell)).quotaUsd === '1000.01',
  },
  'role-then-assign': {
    async attempt(cell) {
      cell.ids['role'] = (await ownRole(cell, ['approval.decide'])).id;
      return edit(cell, cell.friend, cell.ids['role']);
    },
    inForce: (cell) => roleIs(cell, idOf(cell.friend), cell.ids['role'] ?? newId()),
  },
  'rule-added': {
    attempt: (cell) => changeRule(cell, approvals.addRule, { id: newId(), rule: ruleFor(viewerRole) }),
    inForce: async (cell) => (await reviewOf(cell)).rules.length === 3,
  },
  'rule-changed': {
    attempt: (cell) => changeRule(cell, approvals.changeRule, { id: cell.rule, rule: ruleFor(viewerRole) }),
    inForce: async (cell) => (await reviewOf(cell)).rules[0]?.nodes[0]?.approvers[0]?.id === viewerRole,
  },
  'rule-deleted': {
    attempt: (cell) => changeRule(cell, approvals.deleteRule, { id: cell.rule }),
    inForce: async (cell) => (await reviewOf(cell)).rules.length === 1,
  },
  'rules-ordered': {
    attempt: (cell) => changeRule(cell, approvals.orderRules, { ids: [cell.lastRule, cell.rule] }),
    inForce: async (cell) => (await reviewOf(cell)).rules[0]?.id === cell.lastRule,
  },
  'review-off': {
    attempt: (cell) => switchReview(cell.world, cell.admin, false),
    inForce: async (cell) => !(await reviewOf(cell)).enabled,
  },
  'longer-expiry': {
    attempt: ({ world, admin }) =>
      world.ask(approvals.setReviewOptions, { as: admin, body: { expiryDays: 60, reminderHours: 168 } }),
    inForce: async (cell) => (await reviewOf(cell)).expiryDays === 60,
  },
  'code-recipient': {
    attempt: (cell) => setSettings(cell, { codeRecipient: 'administrator' }),
    inForce: async (cell) => (await settingsOf(cell)).codeRecipient === 'administrator',
  },
  'time-zone': {
    attempt: (cell) => setSettings(cell, { timeZone: 'Pacific/Honolulu' }),
    inForce: async (cell) => (await settingsOf(cell)).timeZone === 'Pacific/Honolulu',
  },
  'shorter-wait': {
    attempt: (cell) => setSettings(cell, { waitingHours: 1 }),
    inForce: async (cell) => (await settingsOf(cell)).waitingHours === 1,
  },
  'own-approvers': {
    prepare: async (cell) => void (await setSettings(cell, { forbidOwnApprovers: true })),
    attempt: (cell) => setSettings(cell, { forbidOwnApprovers: false }),
    inForce: async (cell) => !(await settingsOf(cell)).forbidOwnApprovers,
  },
  'payees-unapproved': {
    prepare: async (cell) => void (await setSettings(cell, { approveNewPayees: true })),
    attempt: (cell) => setSettings(cell, { approveNewPayees: false }),
    inForce: async (cell) => !(await settingsOf(cell)).approveNewPayees,
  },
  'changed-payee-days': {
    attempt: (cell) => setSettings(cell, { changedPayeeDays: 1 }),
    inForce: async (cell) => (await settingsOf(cell)).changedPayeeDays === 1,
  },
  'payees-approved': {
    attempt: (cell) => setSettings(cell, { approveNewPayees: true }),
    inForce: async (cell) => (await settingsOf(cell)).approveNewPayees,
  },
  'colleague-disabled': {
    attempt: (cell) => setStatus(cell, cell.approver, false),
    inForce: (cell) => statusIs(cell, cell.approver, 'disabled'),
  },
  'colleague-demoted': {
    attempt: (cell) => edit(cell, cell.approver, viewerRole),
    inForce: (cell) => roleIs(cell, idOf(cell.approver), viewerRole),
  },
  'colleague-deleted': {
    attempt: ({ world, admin, approver }) =>
      world.ask(organisation.deleteMember, { as: admin, body: { id: idOf(approver) } }),
    inForce: async (cell) => (await memberOf(cell, idOf(cell.approver))) === null,
  },
  'quota-lowered': {
    prepare: (cell) => friendIn(cell, ['approval.decide']),
    attempt: (cell) => editRole(cell, { quotaUsd: '999.99' }),
    inForce: async (cell) => (await roleOf(cell)).quotaUsd === '999.99',
  },
  'review-on': {
    attempt: (cell) => switchReview(cell.world, cell.admin, true),
    inForce: async (cell) => (await reviewOf(cell)).enabled,
  },
  'longer-wait': {
    attempt: (cell) => setSettings(cell, { waitingHours: 48 }),
    inForce: async (cell) => (await settingsOf(cell)).waitingHours === 48,
  },
};
