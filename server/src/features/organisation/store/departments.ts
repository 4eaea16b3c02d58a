import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

export interface DepartmentRow {
  id: string;
  name: string;
  parentId: string | null;
  position: number;
}

export async function findDepartments(tx: Tx): Promise<DepartmentRow[]> {
  const { rows } = await sql<DepartmentRow>`
    select id, name, parent_id as "parentId", position from department
    where company_id = company_id() order by position, lower(name), id`.execute(tx);
  return rows;
}

export async function isDepartment(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`select from department where company_id = company_id() and id = ${id}`.execute(tx);
  return rows.length === 1;
}

/** @throws a database error of the constraint `department_name` or `department_pkey` when that is taken */
export async function insertDepartment(tx: Tx, made: DepartmentRow): Promise<void> {
  await sql`
    insert into department (company_id, id, name, parent_id, position)
    values (company_id(), ${made.id}, ${made.name}, ${made.parentId}, ${made.position})`.execute(tx);
}

/** @throws a database error of the constraint `department_name` when the name is taken there */
export async function updateDepartmentRow(
  tx: Tx,
  { id, name, parentId }: Omit<DepartmentRow, 'position'>,
): Promise<void> {
  await sql`
    update department set name = ${name}, parent_id = ${parentId}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Numbers departments from 0 in this order. */
export async function updatePositions(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update department d set position = o.position
    from (select id, (n - 1)::integer as position from unnest(${[...ids]}::uuid[]) with ordinality as u (id, n)) o
    where d.company_id = company_id() and d.id = o.id and d.position <> o.position`.execute(tx);
}

/** Waits for what names it at this moment (`holdAffiliations`). */
export async function lockDepartmentRow(tx: Tx, id: string): Promise<void> {
  await sql`select from department where company_id = company_id() and id = ${id} for update`.execute(tx);
}

/** Its name is kept: policies and rules of the past name it. */
export async function deleteDepartmentRow(tx: Tx, id: string): Promise<void> {
  await sql`
    with gone as (delete from department where company_id = company_id() and id = ${id} returning id, name)
    insert into organisation_former (company_id, id, name) select company_id(), id, name from gone
    on conflict (company_id, id) do nothing`.execute(tx);
}
