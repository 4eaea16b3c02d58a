import type { TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** What the worker writes of deposits and refunds. */

/** Of these companies, those that have made a request. */
export async function companiesWithRequests(tx: PlatformTx, companyIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ companyId: string }>`
    select c.id as "companyId" from unnest(${[...companyIds]}::uuid[]) as c (id)
    where exists (select from payment_request q where q.company_id = c.id)`.execute(tx);
  return new Set(rows.map(({ companyId }) => companyId));
}

/** What a transaction is to a request: a deposit at one of its addresses, or a refund; null: neither. */
export interface Touching {
  requestId: string;
  isDeposit: boolean;
  /** It is written down as a payment. */
  isKnown: boolean;
  chainId: string | null;
  coin: string;
  createdAt: Date;
  /** The deposit that it was before a reorganisation. */
  relatedId: string | null;
}

export async function findTouching(tx: Tx, transactionId: string): Promise<Touching | null> {
  const { rows } = await sql<Touching>`
    select coalesce(d.request_id, r.request_id) as "requestId", d.request_id is not null as "isDeposit",
      exists (select from payment_request_payment p where p.company_id = t.company_id and p.transaction_id = t.id) as "isKnown",
      w.chain_id as "chainId", t.coin, t.created_at as "createdAt", t.related_id as "relatedId"
    from transaction t join wallet w on w.company_id = t.company_id and w.id = t.wallet_id
    left join payment_request_address d on t.type = 'chain_deposit' and d.company_id = t.company_id and d.chain_id = w.chain_id
      and d.address = t.payee_account
    left join payment_request_refund r on r.company_id = t.company_id and r.transaction_id = t.id
    where t.company_id = company_id() and t.id = ${transactionId} and (d.request_id is not null or r.request_id is not null)`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** All companies that have made a request. */
export async function allCompaniesWithRequests(tx: PlatformTx): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select distinct company_id as "companyId" from payment_request order by 1`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

/**
 * The company's transactions that reached their stage so many milliseconds ago and that `noteTransaction` has something to do for: deposits of the last
 * thirty days at addresses of requests that are no payments of them, and payments and refunds whose timeline says another state; the oldest first.
 */
export async function findUnnoted(tx: Tx, { olderMs, most }: { olderMs: number; most: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from (
      select d.company_id, d.id from transaction d
      join wallet w on w.company_id = d.company_id and w.id = d.wallet_id
      join payment_request_address a on a.company_id = d.company_id and a.chain_id = w.chain_id and a.address = d.payee_account
      where d.company_id = company_id() and d.type = 'chain_deposit' and d.created_at > now() - interval '30 days'
        and not exists (select from payment_request_payment p where p.company_id = d.company_id and p.transaction_id = d.id)
      union all
      select p.company_id, o.id from payment_request_payment p
      join transaction o on o.company_id = p.company_id and o.id = p.transaction_id
      where p.company_id = company_id() and p.said <> case o.status when 'completed' then 'credited' when 'pending' then 'seen' else 'taken_back' end
      union all
      select r.company_id, o.id from payment_request_refund r
      join transaction o on o.company_id = r.company_id and o.id = r.transaction_id
      where r.company_id = company_id() and r.said <> o.status
    ) found
    join transaction t on t.company_id = found.company_id and t.id = found.id
    where t.stage_at < now() - make_interval(secs => ${olderMs / 1000})
    order by t.stage_at, t.id limit ${most}`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface NewPayment {
  transactionId: string;
  requestId: string;
  arrivedAt: Date;
  isAccepted: boolean;
  rate: { rate: string; at: Date } | null;
  /** Accepted, in a currency, and without a rate yet. */
  awaitsRate: boolean;
}

/** Writes a payment unless it is there. */
export async function insertPayment(tx: Tx, payment: NewPayment): Promise<void> {
  const { transactionId, requestId, arrivedAt, isAccepted, rate, awaitsRate } = payment;
  await sql`
    insert into payment_request_payment (company_id, transaction_id, request_id, arrived_at, is_accepted, rate, rate_at, awaits_rate)
    values (company_id(), ${transactionId}, ${requestId}, ${arrivedAt}, ${isAccepted}, ${rate?.rate ?? null}::numeric, ${rate?.at ?? null}, ${awaitsRate})
    on conflict (company_id, transaction_id) do nothing`.execute(tx);
}

export async function setRate(tx: Tx, transactionId: string, { rate, at }: { rate: string; at: Date }): Promise<void> {
  await sql`
    update payment_request_payment set rate = ${rate}::numeric, rate_at = ${at}, awaits_rate = false
    where company_id = company_id() and transaction_id = ${transactionId} and rate is null`.execute(tx);
}

export async function setPaymentSaid(tx: Tx, transactionId: string, said: string): Promise<void> {
  await sql`
    update payment_request_payment set said = ${said} where company_id = company_id() and transaction_id = ${transactionId}`.execute(
    tx,
  );
}

export async function setRefundSaid(tx: Tx, transactionId: string, said: TransactionStatus): Promise<void> {
  await sql`
    update payment_request_refund set said = ${said} where company_id = company_id() and transaction_id = ${transactionId}`.execute(
    tx,
  );
}

export interface DueRequest {
  companyId: string;
  requestId: string;
}

/** Requests whose addresses are not opened yet, the oldest first. */
export async function findPreparing(tx: PlatformTx, most: number): Promise<DueRequest[]> {
  const { rows } = await sql<DueRequest>`
    select company_id as "companyId", id as "requestId" from payment_request
    where state = 'preparing' order by created_at limit ${most}`.execute(tx);
  return rows;
}

/** Requests whose period has ended since they were last looked at. */
export async function findEnding(tx: PlatformTx, now: Date, most: number): Promise<DueRequest[]> {
  const { rows } = await sql<DueRequest>`
    select company_id as "companyId", id as "requestId" from payment_request
    where not end_judged and state in ('preparing', 'open', 'processing', 'unresolved') and expires_at <= ${now}
    order by expires_at limit ${most}`.execute(tx);
  return rows;
}

/** That a request was looked at since its period ended: most stay as they are, and are not looked at again. */
export async function setEndJudged(tx: Tx, requestId: string, now: Date): Promise<void> {
  await sql`
    update payment_request set end_judged = true
    where company_id = company_id() and id = ${requestId} and expires_at <= ${now}`.execute(tx);
}

/** Requests in a currency that something came to which has no value yet. */
export async function findUnvalued(tx: PlatformTx, most: number): Promise<DueRequest[]> {
  const { rows } = await sql<DueRequest>`
    select distinct p.company_id as "companyId", p.request_id as "requestId" from payment_request_payment p
    where p.awaits_rate limit ${most}`.execute(tx);
  return rows;
}

/** The families of the chains that a request accepts, each with them. */
export async function acceptedFamilies(tx: Tx, requestId: string): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ family: string; chainIds: string[] }>`
    select c.family, array_agg(distinct c.id) as "chainIds" from payment_request_option o join chain c on c.id = o.chain_id
    where o.company_id = company_id() and o.request_id = ${requestId} group by c.family order by c.family`.execute(tx);
  return new Map(rows.map(({ family, chainIds }) => [family, chainIds]));
}

export async function insertAddresses(tx: Tx, requestId: string, opened: ReadonlyMap<string, string>): Promise<void> {
  await sql`
    insert into payment_request_address (company_id, request_id, chain_id, address)
    select company_id(), ${requestId}, o.chain_id, o.address
    from unnest(${[...opened.keys()]}::text[], ${[...opened.values()]}::text[]) as o (chain_id, address)`.execute(tx);
}

export async function setOpened(tx: Tx, requestId: string, at: Date): Promise<void> {
  await sql`update payment_request set opened_at = ${at} where company_id = company_id() and id = ${requestId}`.execute(
    tx,
  );
}
