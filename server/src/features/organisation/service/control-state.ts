import { systemRoleOf } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { memberName } from '../../identity/index.ts';
import { findMemberRow, type MemberRow } from '../store/members.ts';
import { findPersonRows } from '../store/people.ts';
import { findRoles, type RoleRow } from '../store/roles.ts';
import { quotaText } from './people.ts';
import type { ControlState, Shown } from './second-person.ts';

/** Members and roles before and after a change, for those who consent to it. */

/** A member, or one who is not there yet. `roleIds`: the roles that the change gives, whose content it is consented to with. */
export async function memberState(tx: Tx, id: string, roleIds: readonly string[] = []): Promise<ControlState> {
  const row = await findMemberRow(tx, id);
  const roles = await findRoles(tx);
  const wanted = [...roleIds, ...(row ? [row.roleId] : [])];
  return {
    subject: row && memberName(row),
    subjectId: id,
    fields: row ? fieldsOf(row) : {},
    // Otherwise a person would consent to a member's return without seeing the role.
    always: ['email', 'role'],
    basis: { member: row && basisOf(row), roles: roles.filter((role) => wanted.includes(role.id)).map(roleBasis) },
  };
}

function fieldsOf(row: MemberRow): Record<string, Shown> {
  const deputy = { firstName: row.deputyFirstName, lastName: row.deputyLastName, email: row.deputyEmail };
  return {
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    mobile: row.mobile === null ? null : `+${row.mobileCountryCode} ${row.mobile}`,
    role: roleShown(row.roleId, row.roleName),
    department: row.departmentName,
    status: { text: row.status === 'disabled' ? 'control.value.disabled' : 'control.value.enabled' },
    onLeave: { text: row.onLeave ? 'control.value.yes' : 'control.value.no' },
    deputy:
      row.deputyId === null
        ? null
        : memberName({
            firstName: deputy.firstName ?? '',
            lastName: deputy.lastName ?? '',
            email: deputy.email ?? '',
          }),
  };
}

/** What a change of a member is made against. Signing in or choosing a language changes none of it. */
function basisOf(row: MemberRow) {
  const { id, firstName, lastName, email, mobileCountryCode, mobile, roleId, departmentId, status } = row;
  const { onLeave, deputyId } = row;
  return { id, firstName, lastName, email, mobileCountryCode, mobile, roleId, departmentId, status, onLeave, deputyId };
}

/** A role of the company's own with those who hold it: its change is consented to for them. */
export async function roleState(tx: Tx, id: string): Promise<ControlState> {
  const role = (await findRoles(tx)).find((each) => each.id === id) ?? null;
  const holders = (await findPersonRows(tx, null)).filter(({ roleId }) => roleId === id);
  return {
    subject: role?.name ?? null,
    subjectId: id,
    fields: role
      ? {
          name: role.name,
          permissions: { texts: role.permissions.map((permission) => `permission.${permission}`) },
          quotaUsd: quotaText(role.quotaUsdCents) ?? { text: 'control.value.unlimited' },
          active: { text: role.active ? 'control.value.on' : 'control.value.off' },
        }
      : {},
    basis: { role: role && roleBasis(role), holders: holders.map((row) => ({ id: row.id, status: row.status })) },
  };
}

function roleBasis({ id, name, permissions, quotaUsdCents, active }: RoleRow) {
  return { id, name, permissions, quotaUsdCents, active };
}

function roleShown(roleId: string, ownName: string | null): Shown {
  const system = systemRoleOf(roleId);
  return system ? { text: `role.${system}` } : ownName;
}
