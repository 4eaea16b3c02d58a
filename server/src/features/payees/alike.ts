import { sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';

/** Many payees against the company's book at once: by the likeness that a payee's own page and form compare. */

export interface AlikePayee {
  payeeId: string;
  /** What of it looks like another's: the address on the same chain, or the name at another bank account. */
  by: 'address' | 'name';
  /** The other payee's. */
  label: string;
}

/** Of these payees, those that look like another one, each with the one that was saved first. */
export async function findAlikeAmong(tx: Tx, payeeIds: readonly string[]): Promise<AlikePayee[]> {
  const ids = [...new Set(payeeIds)];
  const { rows } = await sql<AlikePayee>`
    (select distinct on (p.id) p.id as "payeeId", 'address' as by, o.label
    from crypto_payee p
    join crypto_payee o on o.company_id = p.company_id and o.likeness = p.likeness and o.chain_id = p.chain_id and o.address <> p.address
    where p.company_id = company_id() and p.id = any (${ids}::uuid[])
    order by p.id, o.status = 'deleted', o.created_at)
    union all
    (select distinct on (p.id) p.id, 'name', o.label
    from bank_payee p
    join bank_payee o on o.company_id = p.company_id and o.likeness = p.likeness and o.account_key <> p.account_key and o.deleted_at is null
    where p.company_id = company_id() and p.id = any (${ids}::uuid[])
    order by p.id, o.created_at)`.execute(tx);
  return rows;
}
