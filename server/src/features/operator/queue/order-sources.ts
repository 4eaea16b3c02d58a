import { sql } from 'kysely';
import { mostCauses, type Source } from './cause.ts';

/** Causes about orders to banks: those that a bank does not answer, and answers about nothing of ours. */

/** A bank is as quick as it was with so many orders before; the slowest of them, twice, is waited for, and at least so long. */
const ordersBefore = 20;
const leastMinutes = 30;
/** Where the bank has answered none yet. */
const firstMinutes = 120;

const unanswered: Source = {
  kind: 'bankOrderUnanswered',
  async find(tx) {
    const { rows } = await sql<{
      id: string;
      bank: string;
      file: string;
      since: Date;
      asset: string;
      decimals: number;
      minor: bigint;
      payments: number;
    }>`
      select o.id, o.bank_id as bank, o.file_name as file, o.delivered_at as since, a.id as asset, a.decimals,
        silent.minor, silent.payments
      from (
        select l.order_id, sum(l.amount) as minor, count(*) as payments from bank_order_line l
        where l.state = 'ordered' group by l.order_id
      ) silent
      join bank_order o on o.id = silent.order_id and o.state = 'delivered'
      join asset a on a.id = o.asset_id
      cross join lateral (
        select max(before.took) as took from (
          select (select min(s.created_at) from bank_status s where s.original_message = e.message_id) - e.delivered_at as took
          from bank_order e where e.bank_id = o.bank_id and e.delivered_at is not null and e.made_at < o.made_at
          order by e.made_at desc, e.id desc limit ${ordersBefore}
        ) before
      ) usual
      where o.delivered_at < now() - case when usual.took is null then make_interval(mins => ${firstMinutes})
        else greatest(usual.took * 2, make_interval(mins => ${leastMinutes})) end
      order by o.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, bank, file, since, payments, ...money }) => ({
      subject: id,
      companyId: null,
      since,
      money,
      facts: { bank, file, payments: String(payments) },
    }));
  },
};

/** One item for each file: its page has all of them. */
const unknown: Source = {
  kind: 'bankStatusUnknown',
  async find(tx) {
    const { rows } = await sql<{
      id: string;
      bank: string;
      file: string;
      since: Date;
      message: string;
      reference: string | null;
      status: string | null;
      count: number;
    }>`
      select m.id, m.bank_id as bank, m.name as file, min(s.created_at) as since, min(s.original_message) as message,
        min(coalesce(s.end_to_end, s.uetr::text, s.reference)) as reference, min(s.status) as status, count(*)
      from bank_status s join bank_message m on m.id = s.source_id
      where s.outcome = 'unknown' and not exists (select from operator_item i
        where i.kind = 'bankStatusUnknown' and i.subject = m.id::text and i.state = 'resolved' and i.resolved_by is not null)
      group by m.id order by m.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, since, bank, file, message, reference, status, count }) => ({
      subject: id,
      companyId: null,
      since,
      money: null,
      facts: {
        ...{ bank, file, message, answers: String(count) },
        ...(reference !== null && { reference }),
        ...(status !== null && { status }),
      },
    }));
  },
};

export const orderSources: readonly Source[] = [unanswered, unknown];
