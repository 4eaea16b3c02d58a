import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { shownActor, tradeJoins } from './shown.ts';

/** Names a company's copy of a trade. */
export interface DueTrade {
  companyId: string;
  id: string;
}

/** Trades of the alias `t` that may wait for the company itself, as far as can be seen of all companies at once: the payments are not. */
const mayWait: RawBuilder<unknown> = sql`case t.side
  when 'seller' then t.status in ('created', 'in_progress') and t.phase = 'agreed'
  else t.state in ('open', 'waiting_approval') or (t.state = 'frozen' and (t.phase in ('inspected', 'closed')
    or t.milestones @> '[{"reached": true}]' or exists (select from trade_release r where r.company_id = t.company_id and r.trade_id = t.id))) end`;

/** Trades of all companies that may wait for them, whose deadline lies between two instants and was not brought to mind; in the order of their names, those after one. */
export async function findDue(
  tx: PlatformTx,
  { from, to, most, after }: { from: Date; to: Date; most: number; after: DueTrade | null },
): Promise<DueTrade[]> {
  const rest = after === null ? sql`` : sql`and (t.company_id, t.id) > (${after.companyId}::uuid, ${after.id}::uuid)`;
  const { rows } = await sql<DueTrade>`
    select t.company_id as "companyId", t.id from trade t
    where t.act_by > ${from} and t.act_by <= ${to} and t.reminded_for is distinct from t.act_by and ${mayWait} ${rest}
    order by t.company_id, t.id limit ${most}`.execute(tx);
  return rows;
}

/** Keeps that its present deadline was brought to mind. @returns false where that is no longer due, was done, or where the trade does not wait for the company */
export async function markReminded(tx: Tx, id: string, { from, to }: { from: Date; to: Date }): Promise<boolean> {
  const { rows } = await sql`
    update trade due set reminded_for = due.act_by
    where due.company_id = company_id() and due.id = ${id} and due.act_by > ${from} and due.act_by <= ${to}
      and due.reminded_for is distinct from due.act_by
      and exists (select from ${tradeJoins} where t.company_id = company_id() and t.id = ${id}
        and ${shownActor} = any (case t.side when 'seller' then array['seller'] else array['buyer', 'approvers'] end))
    returning 1`.execute(tx);
  return rows.length === 1;
}
