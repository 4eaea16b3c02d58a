import { sql } from 'kysely';
import { mostCauses, type Source } from './cause.ts';

/** Causes about batches of payments (docs/adr/0095-…). */

interface TwiceRow {
  id: string;
  companyId: string;
  since: Date;
  asset: string;
  decimals: number;
  minor: bigint;
  payee: string | null;
  batch: string;
  row: number;
  earlier: string;
}

/** Neither came to nothing, nor waits for approval or its turn. */
const paid = (alias: string) =>
  sql`${sql.ref(`${alias}.status`)} <> 'failed' and ${sql.ref(`${alias}.stage`)} not in ('submitted', 'waiting_approval', 'approved')`;

/** A row of a batch that was sent again, and whose earlier payment was made after all. Of a row, each payment beyond the first is a cause. */
const paidTwice: Source = {
  kind: 'batchPaidTwice',
  async find(tx) {
    const { rows } = await sql<TwiceRow>`
      select t.id, t.company_id as "companyId", greatest(t.stage_at, first.stage_at) as since, t.coin as asset, a.decimals,
        t.quantity as minor, t.payee_name as payee, b.name as batch, w.number as row, first.id as earlier
      from payout_batch_run r
      join payout_batch_entry e on e.company_id = r.company_id and e.run_id = r.id
      join transaction t on t.company_id = e.company_id and t.id = e.transaction_id and ${paid('t')}
      join lateral (
        select o.id, o.stage_at from payout_batch_entry before
        join payout_batch_run earlier on earlier.company_id = before.company_id and earlier.id = before.run_id
        join transaction o on o.company_id = before.company_id and o.id = before.transaction_id and ${paid('o')}
        where before.company_id = e.company_id and before.row_id = e.row_id and earlier.number < r.number
        order by earlier.number limit 1
      ) first on true
      join asset a on a.id = t.coin
      join payout_batch b on b.company_id = r.company_id and b.id = r.batch_id
      join payout_batch_row w on w.company_id = e.company_id and w.id = e.row_id
      where r.number > 1 and not exists (select from operator_item i
        where i.kind = 'batchPaidTwice' and i.subject = t.id::text and i.state = 'resolved' and i.resolved_by is not null)
      order by t.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, companyId, since, payee, batch, row, earlier, ...money }) => ({
      subject: id,
      companyId,
      since,
      money,
      facts: { batch, row: String(row), transfer: id, earlier, ...(payee === null ? {} : { payee }) },
    }));
  },
};

export const batchSources: readonly Source[] = [paidTwice];
