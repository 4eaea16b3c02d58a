import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { addRule, getReviewSetting } from '@causeway/contract/approvals.ts';
import { activate } from '@causeway/contract/identity.ts';
import {
  addDepartment,
  addMember,
  listDepartments,
  listMembers,
  sendActivation,
} from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { encryptPassword, type FrontDoor, request, type SignIn } from './console-client.ts';

export type Colleague = SignIn & { role: 'approver' | 'viewer'; firstName: string; lastName: string; mobile: string };

const PASSWORD = 'Tidal-Ledger-26';
export const COLLEAGUES: readonly Colleague[] = [
  {
    role: 'approver',
    firstName: 'Mei',
    lastName: 'Chan',
    email: 'approver@causeway.example',
    password: PASSWORD,
    mobile: '91234567',
  },
  {
    role: 'viewer',
    firstName: 'Tom',
    lastName: 'Ho',
    email: 'viewer@causeway.example',
    password: PASSWORD,
    mobile: '92345678',
  },
];
const DEPARTMENT = 'Finance';
const RULE = 'Every transfer';
const PATIENCE_MS = 30_000;

/**
 * Gives the demo company an approver, a viewer, and a rule by which the approver decides on every transfer; review itself stays
 * off until a member switches it on. A step that was done before is skipped.
 */
export async function ensureStaff(door: FrontDoor, token: string): Promise<void> {
  const departmentId = await ensureDepartment(door, token);
  for (const colleague of COLLEAGUES) {
    const id = await ensureColleague(door, token, colleague, departmentId);
    if (colleague.role === 'approver') await ensureRule(door, token, id);
  }
}

async function ensureDepartment({ consoleUrl }: FrontDoor, token: string): Promise<string> {
  const { items } = await request(consoleUrl, listDepartments, { token, query: {} });
  const found = items.find(({ name }) => name === DEPARTMENT);
  if (found !== undefined) return found.id;
  return (await request(consoleUrl, addDepartment, { token, body: { name: DEPARTMENT, parentId: null } })).id;
}

/** Returns the member's id; a member who was added and has set no password yet is mailed another link. */
async function ensureColleague(
  door: FrontDoor,
  token: string,
  colleague: Colleague,
  departmentId: string,
): Promise<string> {
  const { consoleUrl, desk } = door;
  const { email, password, role, firstName, lastName, mobile } = colleague;
  const { items } = await request(consoleUrl, listMembers, { token, query: { keyword: email } });
  const known = items.find((member) => member.email === email);
  if (known !== undefined && known.status !== 'invited') return known.id;
  const before = (await desk.mails(email))[0]?.id ?? '';
  const form = { firstName, lastName, email, departmentId, mobileCountryCode: '852', mobile };
  const { id } =
    known === undefined
      ? await request(consoleUrl, addMember, { token, body: { ...form, roleId: systemRoleIds[role] } })
      : await request(consoleUrl, sendActivation, { token, body: { id: known.id } });
  const body = { token: await nextLink(door, email, before), password: await encryptPassword(consoleUrl, password) };
  await request(consoleUrl, activate, { body });
  return id;
}

/** The secret of the link in the first mail that came after the one with this id. */
async function nextLink({ desk }: FrontDoor, email: string, after: string): Promise<string> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const [newest] = await desk.mails(email);
    const [, secret] = /\/activate#([\w-]+)/.exec(newest?.text ?? '') ?? [];
    if (newest !== undefined && newest.id > after && secret !== undefined) return secret;
    await delay(50);
  }
  throw new Error('the mail with the activation link did not arrive');
}

async function ensureRule({ consoleUrl }: FrontDoor, token: string, approverId: string): Promise<void> {
  const { version, rules } = await request(consoleUrl, getReviewSetting, { token, query: {} });
  if (rules.length > 0) return;
  const nodes = [{ approvers: [{ kind: 'person' as const, id: approverId }], needed: 1 }];
  const rule = { name: RULE, lower: '0', upper: null, nodes, active: true };
  await request(consoleUrl, addRule, { token, body: { version, id: randomUUID(), rule } });
}
