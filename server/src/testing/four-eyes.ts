import * as approvals from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import { type Permission, systemRoleIds } from '@causeway/contract/permission.ts';
import { newId } from '../platform/ids.ts';
import { credit } from './company.ts';
import type { Answer } from './envelope.ts';
import type { MainApp, Member, OwnRole, Tenant } from './main-app.ts';
import { roleForm } from './organisation.ts';
import { succeed } from './succeed.ts';

/** Companies in the states of docs/FOUR_EYES.md, set up as a company would be: members and rules first, then review. */

export const states = ['new', 'one', 'two', 'held', 'three'] as const;
export type State = (typeof states)[number];

export interface FourEyes {
  world: MainApp;
  tenant: Tenant;
  state: State;
  /** Who tries it. */
  admin: Member;
  /** The other administrators; of `held` the disabled one. */
  others: readonly Member[];
  approver: Member;
  /** A viewer who would help the administrator. */
  friend: Member;
  /** A rule from 0 on for the role Approver, one above it that never matches, and what a row has prepared. */
  rule: string;
  lastRule: string;
  ids: Record<string, string>;
}

/** A row of the first table: what is tried, and how one sees from outside whether it is in force. */
export interface Row {
  /** While the company is new. */
  prepare?(cell: FourEyes): Promise<void>;
  attempt(cell: FourEyes): Promise<Answer>;
  inForce(cell: FourEyes): Promise<boolean>;
}

export const idOf = ({ session }: Member): string => session.userId;

export const ruleFor = (roleId: string, more: object = {}) => ({
  name: 'Usual payments',
  lower: '0',
  upper: null,
  nodes: [{ approvers: [{ kind: 'role', id: roleId }], needed: 1 }],
  active: true,
  ...more,
});

export async function seenVersion(world: MainApp, as: Member): Promise<number> {
  return (await succeed(world, approvals.getReviewSetting, { as })).data.version;
}

export async function switchReview(world: MainApp, as: Member, enabled: boolean) {
  const subject = { kind: 'review', content: { enabled } };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject } });
  const body = { enabled, codeMethod: 'email', code: await world.takeCode() };
  return world.ask(approvals.setReviewEnabled, { as, body });
}

/** A role of the company's own, made by its administrator while no member holds it. */
export async function ownRole(
  { world, admin }: Pick<FourEyes, 'world' | 'admin'>,
  permissions: readonly Permission[],
  more: object = {},
): Promise<OwnRole & { form: object }> {
  const form = { ...roleForm(permissions), quotaUsd: '1000', ...more };
  const { data } = await succeed(world, organisation.addRole, { as: admin, body: form });
  return { id: data.id, permissions: data.permissions, form: { ...form, id: data.id } };
}

/** A member's form with another role. */
export async function inRole({ world, tenant, admin }: FourEyes, member: Member, roleId: string) {
  const query = { id: idOf(member) };
  const [row] = (await succeed(world, organisation.listMembers, { as: admin, query })).data.items;
  const departmentId = row?.department?.id ?? (await newDepartment(world, tenant.admin));
  return {
    id: idOf(member),
    firstName: 'Ada',
    lastName: 'Wong',
    email: member.email,
    mobileCountryCode: '852',
    mobile: '91234567',
    departmentId,
    roleId,
  };
}

export async function newDepartment(world: MainApp, as: Member): Promise<string> {
  const body = { name: `Treasury ${newId()}`, parentId: null };
  return (await succeed(world, organisation.addDepartment, { as, body })).data.id;
}

/** A company in a state. `prepare` is what it set up while it was new. */
export async function companyIn(
  world: MainApp,
  state: State,
  prepare: (cell: FourEyes) => Promise<void>,
): Promise<FourEyes> {
  const tenant = await world.company();
  const { admin } = tenant;
  const [approver, friend] = [await world.member(tenant, 'approver'), await world.member(tenant, 'viewer')];
  const [rule, lastRule] = [newId(), newId()];
  const cell: FourEyes = { world, tenant, state, admin, others: [], approver, friend, rule, lastRule, ids: {} };
  const rules = [
    [rule, ruleFor(systemRoleIds.approver)],
    [lastRule, ruleFor(systemRoleIds.approver, { name: 'Never reached', lower: '1' })],
  ] as const;
  for (const [id, content] of rules) {
    const body = { version: await seenVersion(world, admin), id, rule: content };
    await succeed(world, approvals.addRule, { as: admin, body });
  }
  await prepare(cell);
  if (state === 'new') return cell;
  const { status } = await switchReview(world, admin, true);
  if (status !== 200) throw new Error('review could not be switched on');
  const count = { one: 0, two: 1, held: 1, three: 2 }[state];
  const others: Member[] = [];
  for (let made = 0; made < count; made += 1) others.push(await world.member(tenant, 'administrator'));
  const [other] = others;
  if (state === 'held' && other) {
    await succeed(world, organisation.setMemberStatus, { as: admin, body: { id: idOf(other), enabled: false } });
  }
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
  return { ...cell, others };
}
