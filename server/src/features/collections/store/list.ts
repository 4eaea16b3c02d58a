import { listPaymentRequests } from '@causeway/contract/payment-requests.ts';
import { type PaymentRequestState, paymentRequestStates } from '@causeway/contract/payment-requests-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import { type RequestRow, requestColumns, requestJoins } from './requests.ts';

/** A row of the list, with what it accepts and what came. */
export interface ListedRow extends RequestRow {
  accepted: { chainId: string; chainName: string; coin: string; decimals: number }[];
  payments: number;
  /** Amounts in minor units, as text. */
  sums: { coin: string; decimals: number; amount: string }[];
}

const extras = sql<Pick<ListedRow, 'accepted' | 'payments' | 'sums'>>`
  (select coalesce(jsonb_agg(jsonb_build_object('chainId', o.chain_id, 'chainName', oc.name, 'coin', o.coin, 'decimals', oa.decimals)
      order by o.coin, oc.name), '[]')
    from payment_request_option o join chain oc on oc.id = o.chain_id join asset oa on oa.id = o.coin
    where o.company_id = q.company_id and o.request_id = q.id) as accepted,
  (select count(*) from payment_request_payment p join transaction t on t.company_id = p.company_id and t.id = p.transaction_id
    where p.company_id = q.company_id and p.request_id = q.id and t.status <> 'failed') as payments,
  (select coalesce(jsonb_agg(jsonb_build_object('coin', s.coin, 'decimals', s.decimals, 'amount', s.amount::text) order by s.coin), '[]') from (
    select t.coin, a.decimals, sum(t.quantity - coalesce((select sum(r.amount) from payment_request_refund r
        join transaction o on o.company_id = r.company_id and o.id = r.transaction_id
        where r.company_id = p.company_id and r.payment_id = p.transaction_id and o.status <> 'failed'), 0)) as amount
    from payment_request_payment p join transaction t on t.company_id = p.company_id and t.id = p.transaction_id join asset a on a.id = t.coin
    where p.company_id = q.company_id and p.request_id = q.id and t.status = 'completed' group by t.coin, a.decimals) s) as sums`;

export const requestList = defineList(listPaymentRequests, {
  from: () => requestJoins,
  where: () => sql`q.company_id = company_id()`,
  filters: {
    state: (state) => sql`q.state = ${state}`,
    cause: (cause) => sql`${cause} = any (q.causes)`,
    kind: (kind) => sql`q.kind = ${kind}`,
    coin: (coin) => accepts(sql`o.coin = ${coin}`),
    chain: (chain) => accepts(sql`o.chain_id = ${chain}`),
    search(words) {
      const sought = words.trim().toLowerCase();
      if (sought === '') return null;
      return sql`strpos(lower(concat_ws(' ', q.title, q.reference, q.payer_name, q.payer_email)), ${sought}) > 0`;
    },
    from: (from) => sql`q.created_at >= ${from}::timestamptz`,
    to: (to) => sql`q.created_at < ${to}::timestamptz`,
    createdBy: (id) => sql`q.created_by = ${id}::uuid`,
  },
  columns: () => sql<ListedRow>`${requestColumns}, ${extras}`,
  orders: { time: { by: sql`q.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`q.id`,
});

function accepts(condition: ReturnType<typeof sql>) {
  return sql`exists (select from payment_request_option o where o.company_id = q.company_id and o.request_id = q.id and ${condition})`;
}

export async function readListed(tx: Tx, id: string): Promise<ListedRow | null> {
  const { rows } = await sql<ListedRow>`
    select ${requestColumns}, ${extras} from ${requestJoins} where q.company_id = company_id() and q.id = ${id}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

export async function countByState(tx: Tx): Promise<Record<PaymentRequestState, number>> {
  const { rows } = await sql<{ state: PaymentRequestState; count: number }>`
    select state, count(*) from payment_request where company_id = company_id() group by state`.execute(tx);
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  return Object.fromEntries(paymentRequestStates.map((state) => [state, counts.get(state) ?? 0])) as Record<
    PaymentRequestState,
    number
  >;
}
