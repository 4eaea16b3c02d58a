import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** The company's fees of exchanging these assets, in basis points, in their order; 0 where none is priced. */
export async function findFxFees(tx: Tx, assets: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ points: number }>`
    select coalesce(fx_fee_at(company_id(), a.id, now()), 0)::integer as points
    from unnest(${[...assets]}::text[]) with ordinality as a (id, place) order by a.place`.execute(tx);
  return rows.map(({ points }) => points);
}
