import type { Permission } from '@causeway/contract/permission.ts';
import type { Approver, People, Rule } from './domain.ts';
import { isFor, type NamedSubmitter, namedSubmitters, type Submitter } from './submitters.ts';

/** Who may submit, by which rules are for them; pure. Findings ask each group, not each member. */

export type Initiator = Approver & { departmentId: string | null };

/** Those for whom the same rules are. */
export interface SubmitterGroup {
  /** In their order. */
  rules: readonly Rule[];
  /** Members who can submit now; none: a person who could be there. */
  members: readonly string[];
}

interface Company {
  people: People<Initiator>;
  /** Of each department, itself and those above it. */
  departments: ReadonlyMap<string, readonly string[]>;
  roles: ReadonlyMap<string, unknown>;
  initiating: readonly Permission[];
}

/**
 * The members who can submit, and who could be there: one whom no rule names; for each role and department that a rule names, one with
 * that alone; the members whom a rule names. For fewer rules than these a person of that kind cannot be, so what these never meet, no one
 * of that kind meets.
 */
export function groupsOf(rules: readonly Rule[], company: Company): SubmitterGroup[] {
  const groups = new Map<string, { rules: readonly Rule[]; members: string[] }>();
  const add = (submitter: Submitter, member: string | null) => {
    const own = rules.filter((rule) => isFor(rule, submitter));
    const key = own.map(({ id }) => id).join();
    const group = groups.get(key) ?? { rules: own, members: [] };
    groups.set(key, group);
    if (member !== null) group.members.push(member);
  };
  add({ id: '', roleId: null, departmentIds: [] }, null);
  for (const named of rules.flatMap(({ submitters }) => (submitters ? namedSubmitters(submitters) : []))) {
    const possible = possibleOf(named, company);
    if (possible) add(possible, null);
  }
  for (const person of company.people.values()) {
    const mayInitiate = company.initiating.some((each) => person.permissions.includes(each));
    if (person.status === 'active' && mayInitiate) add(submitterOf(person, company), person.id);
  }
  return [...groups.values()];
}

/** Whether the company still has whom a rule names. */
export function isThere({ kind, id }: NamedSubmitter, { people, departments, roles }: Company): boolean {
  return { person: people, department: departments, role: roles }[kind].has(id);
}

function possibleOf(named: NamedSubmitter, company: Company): Submitter | null {
  const { kind, id } = named;
  if (!isThere(named, company)) return null;
  if (kind === 'role') return { id: '', roleId: id, departmentIds: [] };
  if (kind === 'department') return { id: '', roleId: null, departmentIds: company.departments.get(id) ?? [] };
  const person = company.people.get(id);
  return person ? submitterOf(person, company) : null;
}

function submitterOf({ id, roleId, departmentId }: Initiator, { departments }: Company): Submitter {
  return { id, roleId, departmentIds: departmentId === null ? [] : (departments.get(departmentId) ?? []) };
}
