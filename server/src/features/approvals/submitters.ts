import type { SubmitterKind } from '@causeway/contract/approvals-rules.ts';
import type { Affiliation } from '../organisation/index.ts';

/** Whom a rule is for, pure. */

/** By id; a department means it and those below it. */
export interface Submitters {
  people: readonly string[];
  roles: readonly string[];
  departments: readonly string[];
}

/** Who submits: by these a rule applies or not. */
export type Submitter = Affiliation & { id: string };

/** One of those whom a rule is for. */
export interface NamedSubmitter {
  kind: SubmitterKind;
  id: string;
}

/** All of a rule, in the order in which they are shown. */
export function namedSubmitters({ people, roles, departments }: Submitters): NamedSubmitter[] {
  const each = (kind: SubmitterKind, ids: readonly string[]) => ids.map((id) => ({ kind, id }));
  return [...each('person', people), ...each('department', departments), ...each('role', roles)];
}

/** As which of them the submitter is meant: themselves, the nearest department, the role; null: as none. */
export function submitterIn(submitters: Submitters, { id, roleId, departmentIds }: Submitter): NamedSubmitter | null {
  if (submitters.people.includes(id)) return { kind: 'person', id };
  const department = departmentIds.find((each) => submitters.departments.includes(each));
  if (department !== undefined) return { kind: 'department', id: department };
  return roleId !== null && submitters.roles.includes(roleId) ? { kind: 'role', id: roleId } : null;
}

/** Whether what this person submits is the rule's matter, at whatever value. */
export function isFor({ submitters }: { submitters: Submitters | null }, submitter: Submitter): boolean {
  return submitters === null || submitterIn(submitters, submitter) !== null;
}
