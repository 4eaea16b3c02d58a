import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** Trades of the alias `t` that wait for the company itself, as `actorOf` finds it; one that is over may be among them. */
const waitsForCompany: RawBuilder<unknown> = sql`case t.side
  when 'seller' then t.status = 'in_progress' and t.phase = 'agreed'
  else t.state = 'waiting_approval' or (t.state = 'open' and t.status = 'created')
    or (t.state = 'frozen' and t.phase in ('inspected', 'closed')) end`;

/** Trades of any company whose deadline lies between two instants and was not brought to mind. */
export async function findDue(
  tx: PlatformTx,
  { from, to, most }: { from: Date; to: Date; most: number },
): Promise<{ companyId: string; id: string }[]> {
  const { rows } = await sql<{ companyId: string; id: string }>`
    select t.company_id as "companyId", t.id from trade t
    where t.act_by > ${from} and t.act_by <= ${to} and t.reminded_for is distinct from t.act_by and ${waitsForCompany}
    order by t.act_by limit ${most}`.execute(tx);
  return rows;
}

/** Keeps that its present deadline was brought to mind. @returns false where that is no longer due, or was done */
export async function markReminded(tx: Tx, id: string, { from, to }: { from: Date; to: Date }): Promise<boolean> {
  const { rows } = await sql`
    update trade t set reminded_for = t.act_by
    where t.company_id = company_id() and t.id = ${id} and t.act_by > ${from} and t.act_by <= ${to}
      and t.reminded_for is distinct from t.act_by and ${waitsForCompany}
    returning 1`.execute(tx);
  return rows.length === 1;
}
