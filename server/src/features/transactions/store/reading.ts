import type { BaseCurrency } from '@causeway/contract/organisation-rules.ts';
import type { Stage, TransactionStatus, TransactionType } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { PlaceNames } from '../../banks/index.ts';

/** A rate as it was kept, from JSON. */
export interface RateThen {
  usd: string;
  source: string;
  /** ISO 8601. */
  at: string;
}

/** A transaction as it is shown; amounts in minor units. */
export interface TransactionRow {
  id: string;
  type: TransactionType;
  status: TransactionStatus;
  stage: Stage;
  stageAt: Date;
  direction: 'in' | 'out';
  walletId: string;
  chainId: string | null;
  /** The chain or the bank of its wallet. */
  place: PlaceNames;
  confirmationsNeeded: number | null;
  blockTimeMs: number | null;
  explorerUrl: string | null;
  coin: string;
  decimals: number;
  quantityMinor: bigint;
  feeMinor: bigint;
  payeeId: string | null;
  payerName: string | null;
  payerAccount: string | null;
  payeeName: string | null;
  payeeAccount: string | null;
  description: string;
  notes: string;
  invoiceNumber: string | null;
  category: string | null;
  hash: string | null;
  blockNumber: number | null;
  confirmations: number | null;
  initiatorId: string | null;
  initiatorName: string | null;
  relatedId: string | null;
  failureReason: string | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
  /** What it was worth when it was written. */
  valueUsdCents: bigint | null;
  /** US dollars for one whole unit of its asset. */
  price: RateThen | null;
  baseCurrency: string | null;
  baseDecimals: number | null;
  baseValueMinor: bigint | null;
  /** US dollars for one unit of the base currency. */
  baseRate: RateThen | null;
  /** The base currency that the company has now, and its last price of the day (UTC) on which the transaction was written. */
  booksIn: { currency: BaseCurrency; decimals: number; dayRate: RateThen | null };
  counterAsset: string | null;
  counterDecimals: number | null;
  counterQuantityMinor: bigint | null;
  /** Whole units of the counter-asset for one whole unit of the asset. */
  rate: string | null;
  rateSource: string | null;
  rateAt: Date | null;
  quoteId: string | null;
  valueDate: string | null;
  bankReference: string | null;
  endToEndId: string | null;
  uetr: string | null;
  /** By which code and words a bank refused it or sent it back; of a refund, what was refunded. */
  bankReason: string | null;
  bankWords: string | null;
  /** Of a refund: why its payment failed or came back, the id of a sentence. */
  refundReason: string | null;
  /** Until when its payee's account counted as changed when it was submitted. */
  payeeChangedUntil: Date | null;
}

/**
 * The company's transactions of these ids, in the order of the ids. Each is looked up by its key (`offset 0` keeps that apart):
 * by the statistics of an average company, the planner would read all rows of a large one and look for the ids in them.
 */
export async function readTransactions(tx: Tx, ids: readonly string[]): Promise<TransactionRow[]> {
  const { rows } = await sql<TransactionRow>`
    select t.id, t.type, t.status, t.stage, t.stage_at as "stageAt", t.direction, t.wallet_id as "walletId",
      t.chain_id as "chainId",
      jsonb_build_object('name', coalesce(c.name, b.name), 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn) as place,
      c.confirmations as "confirmationsNeeded", c.block_time_ms as "blockTimeMs",
      c.explorer_url as "explorerUrl", t.coin, a.decimals, t.quantity as "quantityMinor", t.fee as "feeMinor",
      t.payee_id as "payeeId", t.payer_name as "payerName", t.payer_account as "payerAccount",
      t.payee_name as "payeeName", t.payee_account as "payeeAccount", t.description, t.notes,
      t.invoice_number as "invoiceNumber", t.category, x.hash,
      x.block_number as "blockNumber", x.confirmations, t.initiator_id as "initiatorId",
      t.initiator_name as "initiatorName", t.related_id as "relatedId", t.failure_reason as "failureReason",
      t.created_at as "createdAt", t.updated_at as "updatedAt", t.completed_at as "completedAt",
      t.value_usd_cents as "valueUsdCents", t.base_currency as "baseCurrency", base.decimals as "baseDecimals",
      t.base_value as "baseValueMinor",
      case when t.price_usd is not null then
        jsonb_build_object('usd', t.price_usd::text, 'source', t.price_source, 'at', t.price_at) end as price,
      case when t.base_rate is not null then
        jsonb_build_object('usd', t.base_rate::text, 'source', t.base_rate_source, 'at', t.base_rate_at) end as "baseRate",
      jsonb_build_object('currency', own.id, 'decimals', own.decimals, 'dayRate', case when daily.usd is not null then
        jsonb_build_object('usd', daily.usd::text, 'source', daily.source,
          'at', coalesce(daily.updated_at, daily.day::timestamp at time zone 'UTC')) end) as "booksIn",
      t.counter_asset as "counterAsset", counter.decimals as "counterDecimals",
      t.counter_quantity as "counterQuantityMinor", t.rate::text as rate, t.rate_source as "rateSource",
      t.rate_at as "rateAt", t.quote_id as "quoteId", t.value_date::text as "valueDate", t.bank_reference as "bankReference",
      t.end_to_end as "endToEndId", t.uetr, coalesce(t.bank_reason, refunded.bank_reason) as "bankReason",
      coalesce(t.bank_words, refunded.bank_words) as "bankWords", refunded.failure_reason as "refundReason",
      t.payee_changed_until as "payeeChangedUntil"
    from unnest(${[...ids]}::uuid[]) as wanted (id)
    cross join lateral (select * from transaction r where r.company_id = company_id() and r.id = wanted.id offset 0) t
    join asset a on a.id = t.coin
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id
    left join chain c on c.id = w.chain_id
    left join bank b on b.id = w.bank_id
    left join lateral (select * from transaction_chain r
      where r.company_id = company_id() and r.transaction_id = wanted.id offset 0) x on true
    left join lateral (select bank_reason, bank_words, failure_reason from transaction r
      where t.type = 'failed_refund' and r.company_id = company_id() and r.id = t.related_id offset 0) refunded on true
    left join company_setting setting on setting.company_id = t.company_id
    join asset own on own.id = coalesce(setting.base_currency, 'USD')
    left join rate_daily daily on daily.asset_id = own.id and daily.day = (t.created_at at time zone 'UTC')::date
    left join asset base on base.id = t.base_currency left join asset counter on counter.id = t.counter_asset`.execute(
    tx,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** One step of the timeline; `reason` is the id of a sentence. */
export interface StageRow {
  stage: Stage;
  at: Date;
  actor: string | null;
  hash: string | null;
  reason: string | null;
  confirmations: number | null;
}

export async function readStages(tx: Tx, transactionId: string): Promise<StageRow[]> {
  const { rows } = await sql<StageRow>`
    select stage, at, actor_name as actor, hash, reason, confirmations from transaction_stage
    where company_id = company_id() and transaction_id = ${transactionId} order by at, id`.execute(tx);
  return rows;
}

/** Transfers to a payee: how many, and when the last one was submitted. */
export async function countTransfersTo(tx: Tx, payeeId: string): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*), max(created_at) as "lastAt" from transaction
    where company_id = company_id() and payee_id = ${payeeId}`.execute(tx);
  return rows[0] ?? { count: 0, lastAt: null };
}

/** Addresses that the company has dealt with on a chain and that end as this one. */
export async function findDealtWith(
  tx: Tx,
  chainId: string,
  address: string,
): Promise<{ address: string; name: string | null }[]> {
  const { rows } = await sql<{ address: string; name: string | null }>`
    select address, name from transaction_addresses_ending(${chainId}, ${address}, 500)`.execute(tx);
  return rows;
}

/** Whether it pays a row of a batch. */
export async function isOfBatch(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from payout_batch_entry where company_id = company_id() and transaction_id = ${id}`.execute(tx);
  return rows.length > 0;
}
