import { maxCategories } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { newId } from '../../../platform/ids.ts';

/** What transactions are filed under. */
export interface CategoryRow {
  id: string;
  name: string;
}

/** The company's categories by name. */
export async function readCategories(tx: Tx): Promise<CategoryRow[]> {
  const { rows } = await sql<CategoryRow>`
    select id, name from transaction_category where company_id = company_id() order by lower(name), id`.execute(tx);
  return rows;
}

/** Takes a category out of the list; null when it is not in it. */
export async function removeCategory(tx: Tx, id: string): Promise<CategoryRow | null> {
  const { rows } = await sql<CategoryRow>`
    delete from transaction_category where company_id = company_id() and id = ${id} returning id, name`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Adds the categories that a company's list does not have yet, while it has room (`maxCategories`). Issues no statement where there
 * are none.
 */
export function keepCategories(
  tx: CompaniesTx,
  used: readonly { companyId: string; category: string }[],
): Promise<unknown>[] {
  if (used.length === 0) return [];
  return [
    sql`
      insert into transaction_category (company_id, id, name)
      select u.company_id, u.id, u.name
      from unnest(${uuids(used.map(({ companyId }) => companyId))}, ${uuids(used.map(() => newId()))},
        ${used.map(({ category }) => category)}::text[]) as u (company_id, id, name)
      where (select count(*) from transaction_category c where c.company_id = u.company_id) < ${maxCategories}
      on conflict do nothing`.execute(tx),
  ];
}
