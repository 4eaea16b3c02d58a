import type { RequestPaymentState } from '@causeway/contract/payment-requests-rules.ts';
import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { Payment } from '../domain.ts';

/** A deposit that reached a request, as its transaction is now; amounts in minor units of its coin. */
export interface PaymentRow extends Payment {
  chainId: string;
  chainName: string;
  coin: string;
  walletId: string;
  hash: string | null;
  confirmations: number | null;
  confirmationsNeeded: number;
  explorerUrl: string | null;
  from: string | null;
  to: string;
  rateAt: Date | null;
  /** What the timeline has said last. */
  said: RequestPaymentState;
}

export async function readPayments(tx: Tx, requestId: string): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select p.transaction_id as id, p.is_accepted as "isAccepted", p.arrived_at as "arrivedAt",
      case t.status when 'completed' then 'credited' when 'pending' then 'seen' else 'taken_back' end as state,
      t.quantity as "quantityMinor", a.decimals, p.rate::text, p.rate_at as "rateAt", p.decided_at is not null as "isDecided", p.said,
      coalesce((select sum(r.amount) from payment_request_refund r
        join transaction o on o.company_id = r.company_id and o.id = r.transaction_id
        where r.company_id = p.company_id and r.payment_id = p.transaction_id and o.status <> 'failed'), 0) as "refundedMinor",
      w.chain_id as "chainId", c.name as "chainName", t.coin, t.wallet_id as "walletId", x.hash, x.confirmations,
      c.confirmations as "confirmationsNeeded", c.explorer_url as "explorerUrl", t.payer_account as "from", t.payee_account as "to"
    from payment_request_payment p
    join transaction t on t.company_id = p.company_id and t.id = p.transaction_id
    join asset a on a.id = t.coin
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id
    join chain c on c.id = w.chain_id
    left join transaction_chain x on x.company_id = t.company_id and x.transaction_id = t.id
    where p.company_id = company_id() and p.request_id = ${requestId} order by p.arrived_at, p.transaction_id`.execute(
    tx,
  );
  return rows;
}

/** A transfer that gives a payment back. */
export interface RefundRow {
  transactionId: string;
  paymentId: string;
  coin: string;
  decimals: number;
  amountMinor: bigint;
  payee: string | null;
  status: TransactionStatus;
  stage: Stage;
  hash: string | null;
  at: Date;
  said: TransactionStatus;
}

export async function readRefunds(tx: Tx, requestId: string): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select r.transaction_id as "transactionId", r.payment_id as "paymentId", t.coin, a.decimals, r.amount as "amountMinor",
      t.payee_name as payee, t.status, t.stage, x.hash, r.at, r.said
    from payment_request_refund r
    join transaction t on t.company_id = r.company_id and t.id = r.transaction_id
    join asset a on a.id = t.coin
    left join transaction_chain x on x.company_id = t.company_id and x.transaction_id = t.id
    where r.company_id = company_id() and r.request_id = ${requestId} order by r.at, r.transaction_id`.execute(tx);
  return rows;
}

/** A request, as a transaction names it. */
interface NamedRequest {
  id: string;
  title: string;
  reference: string;
}

/** The request that a transaction pays, or is a refund of. */
export async function paymentRequestOf(tx: Tx, transactionId: string): Promise<NamedRequest | null> {
  return (await paymentRequestsOf(tx, [transactionId])).get(transactionId) ?? null;
}

/** By the ids of the transactions that pay a request or are refunds of one, the request. */
export async function paymentRequestsOf(
  tx: Tx,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, NamedRequest>> {
  const { rows } = await sql<NamedRequest & { transactionId: string }>`
    select p.transaction_id as "transactionId", q.id, q.title, q.reference
    from (select company_id, transaction_id, request_id from payment_request_payment
      union all select company_id, transaction_id, request_id from payment_request_refund) p
    join payment_request q on q.company_id = p.company_id and q.id = p.request_id
    where p.company_id = company_id() and p.transaction_id = any (${[...transactionIds]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ transactionId, ...request }) => [transactionId, request]));
}
