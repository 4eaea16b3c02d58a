import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** Filters of the list that a member has saved. */
export interface SavedFilterRow {
  id: string;
  name: string;
  filters: Record<string, string>;
}

/** The filters that a member has saved, by name. */
export async function readSavedFilters(tx: Tx, userId: string): Promise<SavedFilterRow[]> {
  const { rows } = await sql<SavedFilterRow>`
    select id, name, filters from transaction_saved_filter
    where company_id = company_id() and user_id = ${userId} order by lower(name), id`.execute(tx);
  return rows;
}

/** @throws the database's error on `transaction_saved_filter_name` when the member has a filter of this name */
export async function insertSavedFilter(tx: Tx, userId: string, filter: SavedFilterRow): Promise<void> {
  await sql`
    insert into transaction_saved_filter (company_id, id, user_id, name, filters)
    values (company_id(), ${filter.id}, ${userId}, ${filter.name}, ${JSON.stringify(filter.filters)}::jsonb)`.execute(
    tx,
  );
}

/** Whether the member had it. */
export async function removeSavedFilter(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from transaction_saved_filter
    where company_id = company_id() and id = ${id} and user_id = ${userId} returning id`.execute(tx);
  return rows.length > 0;
}
