import { sql } from 'kysely';
import type { PlatformTx } from '../platform/database/database.ts';

/** How many rows of each table some work reads, by whatever plan; tables that it does not read are left out. */
export async function readRows(tx: PlatformTx, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await rowsRead(tx);
  await work();
  const after = await rowsRead(tx);
  const read = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(read.filter(([, count]) => count > 0));
}

/** What the transaction's connection has read and not yet reported. */
async function rowsRead(tx: PlatformTx): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; read: number }>`
    select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
    order by relname`.execute(tx);
  return new Map(rows.map(({ name, read }) => [name, read]));
}
