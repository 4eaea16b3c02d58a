import type { Body } from '@causeway/contract/call.ts';
import { addRole, type editRole } from '@causeway/contract/organisation.ts';
import { byContract } from '../../ui/by-contract.ts';
import type { Checked } from '../../ui/form-state.ts';
import type { Role } from './api.ts';
import { effective } from './permission-choice.ts';

/** What the form of a role holds. */
export interface RoleValues {
  id: string;
  name: string;
  authority: 'limited' | 'unlimited';
  /** US dollars; what counts only while the authority is limited. */
  quotaUsd: string;
  /** What was ticked; what that implies is added on the way out. */
  permissions: ReadonlySet<string>;
  active: boolean;
}

type RoleBody = Body<typeof addRole> & Body<typeof editRole>;

export function newRole(id: string): RoleValues {
  return { id, name: '', authority: 'limited', quotaUsd: '', permissions: new Set(), active: true };
}

export function roleValuesOf({ id, name, quotaUsd, permissions, active }: Role): RoleValues {
  return {
    id,
    name,
    authority: quotaUsd === null ? 'unlimited' : 'limited',
    quotaUsd: quotaUsd ?? '',
    permissions: new Set(permissions),
    active,
  };
}

const check = byContract(addRole.body);

/** By the contract, in which an unlimited authority has no amount (decisions, "Amount rules"). */
export function checkRole({ authority, permissions, ...values }: RoleValues): Checked<RoleBody> {
  const quotaUsd = authority === 'unlimited' ? null : values.quotaUsd;
  const checked = check({ ...values, quotaUsd, permissions: effective(permissions) });
  return checked.ok ? { ok: true, values: { ...checked.values, id: values.id } } : checked;
}
