import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type {
  addDepartment as addCall,
  addDepartmentMembers,
  Department,
  editDepartment as editCall,
  listDepartments,
} from '@causeway/contract/organisation.ts';
import { systemRoleOf } from '@causeway/contract/permission.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { alikeTo } from '../../../platform/text/names.ts';
import { memberName, updateDepartment } from '../../identity/index.ts';
import { checkPlace, difference, ordered, refusedAt, subtree, tidyName } from '../domain.ts';
import {
  type DepartmentRow,
  deleteDepartmentRow,
  findDepartments,
  insertDepartment,
  lockDepartmentRow,
  updateDepartmentRow,
  updatePositions,
} from '../store/departments.ts';
import { findPersonRows, type PersonRow } from '../store/people.ts';
import { change, type OrganisationContext, record, refuseCardRules, usesOf } from './change.ts';
import { roleNameOf } from './people.ts';

type DepartmentPerson = Department['members'][number];

/**
 * The tree, each department before what is under it. A keyword keeps those that it, or one of their members, is named by, and
 * what they are under.
 */
export async function list(
  tx: Tx,
  { locale }: OrganisationContext,
  query: Query<typeof listDepartments>,
): Promise<OutputInput<typeof listDepartments>> {
  const departments = await readTree(tx, locale);
  const unassigned = (await findPersonRows(tx, null))
    .filter((row) => row.departmentId === null)
    .map((row) => asPerson(row, locale));
  const keyword = query.keyword?.trim().toLowerCase();
  if (!keyword) return { items: departments, unassigned };
  const named = ({ name, email = '' }: { name: string; email?: string }) =>
    `${name}\n${email}`.toLowerCase().includes(keyword);
  const found = departments.filter((each) => named(each) || each.members.some(named));
  const kept = new Set(found.flatMap((each) => pathTo(departments, each.id)));
  return { items: departments.filter(({ id }) => kept.has(id)), unassigned: unassigned.filter(named) };
}

/** @throws DomainError departmentNotFound, departmentExists, departmentTooDeep, idTaken */
export async function add(tx: Tx, context: OrganisationContext, body: Body<typeof addCall>): Promise<Department> {
  return change(tx, context, 'department.manage', async () => {
    const tree = await findDepartments(tx);
    checkPlace(tree, null, body.parentId);
    // Behind the last, not at their number: what was deleted or moved away has left a gap.
    const taken = tree.filter(({ parentId }) => parentId === body.parentId).map(({ position }) => position);
    const position = Math.max(-1, ...taken) + 1;
    const made = { id: body.id ?? newId(), name: tidyName(body.name), parentId: body.parentId, position };
    refuseTakenName(tree, made);
    await named(() => insertDepartment(tx, made));
    await record(
      tx,
      context,
      'addDepartment',
      { kind: 'department', id: made.id },
      { after: { name: made.name, parentId: made.parentId } },
    );
    return readDepartment(tx, made.id, context.locale);
  });
}

/**
 * Renames a department, or moves it with all that is under it.
 * @throws DomainError departmentNotFound, departmentExists, departmentCycle, departmentTooDeep
 */
export async function edit(tx: Tx, context: OrganisationContext, body: Body<typeof editCall>): Promise<Department> {
  return change(tx, context, 'department.manage', async () => {
    const tree = await findDepartments(tx);
    const before = requireDepartment(tree, body.id);
    checkPlace(tree, body.id, body.parentId);
    const after = { id: body.id, name: tidyName(body.name), parentId: body.parentId };
    refuseTakenName(tree, after);
    await named(() => updateDepartmentRow(tx, after));
    await updatePositions(tx, ordered(tree, body.parentId, body.id, body.position));
    const moved = await readDepartment(tx, body.id, context.locale);
    const detail = { name: after.name, ...difference(before, { ...after, position: moved.position }) };
    await record(tx, context, 'editDepartment', { kind: 'department', id: body.id }, detail);
    return moved;
  });
}

/** @throws DomainError departmentNotFound, departmentInUse, departmentNamed, cardRuleNames */
export async function remove(tx: Tx, context: OrganisationContext, { id }: { id: string }): Promise<void> {
  return change(tx, context, 'department.manage', async () => {
    const tree = await findDepartments(tx);
    const before = requireDepartment(tree, id);
    const children = tree.filter(({ parentId }) => parentId === id).length;
    const members = (await findPersonRows(tx, null)).filter(({ departmentId }) => departmentId === id).length;
    if (children + members > 0) throw new DomainError('departmentInUse', { members, children });
    await lockDepartmentRow(tx, id);
    const uses = await usesOf(tx, context, id);
    const { rules, policies } = uses;
    if (rules + policies > 0) throw new DomainError('departmentNamed', { rules, policies });
    refuseCardRules(uses);
    await deleteDepartmentRow(tx, id);
    const { name, parentId } = before;
    await record(tx, context, 'deleteDepartment', { kind: 'department', id }, { before: { name, parentId } });
  });
}

/**
 * Puts members into a department: only those who have none (decisions, "Members, roles and departments").
 * @throws DomainError departmentNotFound, memberNotFound, memberHasDepartment
 */
export async function addMembers(
  tx: Tx,
  context: OrganisationContext,
  { departmentId, memberIds }: Body<typeof addDepartmentMembers>,
): Promise<void> {
  return change(tx, context, 'department.manage', async () => {
    const { name } = requireDepartment(await findDepartments(tx), departmentId);
    const people = await requirePeople(tx, memberIds);
    if (people.some((person) => person.departmentId !== null)) throw refusedAt('memberIds', 'memberHasDepartment');
    await updateDepartment(tx, memberIds, departmentId);
    const detail = { name, members: people.map(memberName), memberIds };
    await record(tx, context, 'addDepartmentMembers', { kind: 'department', id: departmentId }, detail);
  });
}

/** @throws DomainError departmentNotFound, memberNotFound (not of this department) */
export async function removeMembers(
  tx: Tx,
  context: OrganisationContext,
  { departmentId, memberIds }: Body<typeof addDepartmentMembers>,
): Promise<void> {
  return change(tx, context, 'department.manage', async () => {
    const { name } = requireDepartment(await findDepartments(tx), departmentId);
    const people = await requirePeople(tx, memberIds);
    if (people.some((person) => person.departmentId !== departmentId)) throw refusedAt('memberIds', 'memberNotFound');
    await updateDepartment(tx, memberIds, null);
    const detail = { name, members: people.map(memberName), memberIds };
    await record(tx, context, 'removeDepartmentMembers', { kind: 'department', id: departmentId }, detail);
  });
}

/** A department must not pass for another under the same parent. @throws DomainError departmentExists */
function refuseTakenName(
  tree: readonly DepartmentRow[],
  { id, name, parentId }: Pick<DepartmentRow, 'id' | 'name' | 'parentId'>,
): void {
  const siblings = tree.filter((node) => node.parentId === parentId && node.id !== id).map((node) => node.name);
  if (siblings.some(alikeTo(name))) throw refusedAt('name', 'departmentExists');
}

/** Runs a write that the database refuses when the name or the id is taken. */
async function named(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === 'department_name') throw refusedAt('name', 'departmentExists');
    if (constraint === 'department_pkey') throw new DomainError('idTaken');
    throw error;
  }
}

function requireDepartment(tree: readonly DepartmentRow[], id: string): DepartmentRow {
  const found = tree.find((node) => node.id === id);
  if (!found) throw new DomainError('departmentNotFound');
  return found;
}

async function requirePeople(tx: Tx, ids: readonly string[]): Promise<PersonRow[]> {
  const people = await findPersonRows(tx, ids);
  if (people.length !== new Set(ids).size) throw refusedAt('memberIds', 'memberNotFound');
  return people;
}

async function readDepartment(tx: Tx, id: string, locale: Locale): Promise<Department> {
  const found = (await readTree(tx, locale)).find((department) => department.id === id);
  if (!found) throw new DomainError('departmentNotFound');
  return found;
}

async function readTree(tx: Tx, locale: Locale): Promise<Department[]> {
  const tree = await findDepartments(tx);
  const people = await findPersonRows(tx, null);
  const membersOf = (id: string) => people.filter(({ departmentId }) => departmentId === id);
  return subtree(tree, null).map((node) => {
    const members = membersOf(node.id);
    const under = subtree(tree, node.id).reduce((sum, { id }) => sum + membersOf(id).length, 0);
    return {
      ...node,
      memberCount: members.length,
      totalCount: under,
      members: members.map((row) => asPerson(row, locale)),
    };
  });
}

/** A department and those it is under. */
function pathTo(departments: readonly Department[], id: string): string[] {
  const parent = departments.find((department) => department.id === id)?.parentId ?? null;
  return parent === null ? [id] : [id, ...pathTo(departments, parent)];
}

function asPerson(row: PersonRow, locale: Locale): DepartmentPerson {
  const { id, email, status, onLeave, roleId } = row;
  const role = {
    id: roleId,
    name: roleNameOf(roleId, row.roleName, locale),
    system: systemRoleOf(roleId),
    active: row.roleActive ?? true,
  };
  return { id, name: memberName(row), email, role, status, onLeave };
}
