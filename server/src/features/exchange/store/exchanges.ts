import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { PlaceNames } from '../../banks/index.ts';
import type { Limit } from '../domain.ts';

/** What was executed, by which quote; minor units. */
export interface Execution {
  quoteId: string;
  soldMinor: bigint;
  feeMinor: bigint;
  boughtMinor: bigint;
  boughtTransactionId: string;
  at: Date;
}

/** An exchange as it is written; minor units. */
export interface NewExchange {
  companyId: string;
  id: string;
  sellWalletId: string;
  buyWalletId: string;
  sellAsset: string;
  buyAsset: string;
  fixed: ExchangeSide;
  soldMinor: bigint;
  feeMinor: bigint;
  boughtMinor: bigint;
  boundMinor: bigint;
  quoteId: string;
  limit: Limit | null;
  execution: Execution | null;
}

export async function insertExchanges(tx: CompaniesTx, exchanges: readonly NewExchange[]): Promise<void> {
  const rows = exchanges.map(({ execution, limit, ...each }) => ({
    company_id: each.companyId,
    transaction_id: each.id,
    sell_wallet_id: each.sellWalletId,
    buy_wallet_id: each.buyWalletId,
    sell_asset: each.sellAsset,
    buy_asset: each.buyAsset,
    fixed: each.fixed,
    sold: each.soldMinor.toString(),
    fee: each.feeMinor.toString(),
    bought: each.boughtMinor.toString(),
    bound: each.boundMinor.toString(),
    submitted_quote_id: each.quoteId,
    limit_rate: limit?.rate,
    limit_until: limit?.until.toISOString(),
    executed_quote_id: execution?.quoteId,
    executed_sold: execution?.soldMinor.toString(),
    executed_fee: execution?.feeMinor.toString(),
    executed_bought: execution?.boughtMinor.toString(),
    bought_transaction_id: execution?.boughtTransactionId,
    executed_at: execution?.at.toISOString(),
  }));
  await sql`
    insert into exchange (company_id, transaction_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought, bound,
      submitted_quote_id, limit_rate, limit_until, executed_quote_id, executed_sold, executed_fee, executed_bought,
      bought_transaction_id, executed_at)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (company_id uuid, transaction_id uuid, sell_wallet_id uuid,
      buy_wallet_id uuid, sell_asset text, buy_asset text, fixed text, sold numeric, fee numeric, bought numeric, bound numeric,
      submitted_quote_id uuid, limit_rate numeric, limit_until timestamptz, executed_quote_id uuid, executed_sold numeric, executed_fee numeric, executed_bought numeric,
      bought_transaction_id uuid, executed_at timestamptz)`.execute(tx);
}

/** Seals of executed exchanges: settlements are signed against them alone. */
export async function insertSeals(
  tx: CompaniesTx,
  seals: readonly { companyId: string; exchangeId: string; jws: string }[],
): Promise<void> {
  if (seals.length === 0) return;
  await sql`
    insert into exchange_seal (company_id, exchange_id, jws)
    select * from unnest(${seals.map(({ companyId }) => companyId)}::uuid[], ${seals.map(({ exchangeId }) => exchangeId)}::uuid[],
      ${seals.map(({ jws }) => jws)}::text[])`.execute(tx);
}

/** Which of these transactions the companies have, and the transaction's time. */
export async function readTaken(
  tx: CompaniesTx,
  asked: readonly { companyId: string; id: string }[],
): Promise<{ isTaken: boolean; at: Date }[]> {
  const { rows } = await sql<{ isTaken: boolean; at: Date }>`
    select exists (select from transaction t where t.company_id = q.company_id and t.id = q.id) as "isTaken", now() as at
    from unnest(${asked.map(({ companyId }) => companyId)}::uuid[], ${asked.map(({ id }) => id)}::uuid[])
      with ordinality as q (company_id, id, place)
    order by q.place`.execute(tx);
  return rows;
}

/** One side of an exchange as it is shown. */
export interface ShownSide {
  walletId: string;
  asset: string;
  decimals: number;
  /** Its wallet is on a chain. */
  isCoin: boolean;
  place: PlaceNames;
}

/** An exchange with its transaction; amounts in minor units, by the quote that it was submitted with. */
export interface ExchangeRow {
  id: string;
  companyId: string;
  status: TransactionStatus;
  stage: Stage;
  sell: ShownSide;
  buy: ShownSide;
  buyAccount: string;
  fixed: ExchangeSide;
  soldMinor: bigint;
  feeMinor: bigint;
  boughtMinor: bigint;
  boundMinor: bigint;
  notes: string;
  initiatorId: string;
  initiatorName: string;
  valueUsdCents: bigint | null;
  availableMinor: bigint;
  createdAt: Date;
  /** Rate, middle rate and spread of the quote that it was executed with, else of that it was submitted with. */
  rate: string;
  mid: string;
  spreadBasisPoints: number;
  feeBasisPoints: number;
  sources: string[];
  ratedAt: Date;
  quoteId: string;
  limit: Limit | null;
  /** It waited for its rate as long as it may, by the database's clock. */
  isOver: boolean;
  /** The request that was accepted with it; null: none. */
  otcRequestId: string | null;
  quoteExpiresAt: Date;
  executedSoldMinor: bigint | null;
  executedFeeMinor: bigint | null;
  executedBoughtMinor: bigint | null;
  boughtTransactionId: string | null;
  executedAt: Date | null;
}

/** By the id of either of its two transactions; null when the company has no such exchange. */
export async function readExchange(tx: Tx, transactionId: string): Promise<ExchangeRow | null> {
  const side = (wallet: string, asset: string) => sql`
    jsonb_build_object('walletId', ${sql.raw(wallet)}.id, 'asset', ${sql.raw(asset)}.id, 'decimals', ${sql.raw(asset)}.decimals,
      'isCoin', ${sql.raw(wallet)}.chain_id is not null,
      'place', (select jsonb_build_object('name', coalesce(c.name, b.name), 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn)
        from (select 1) one left join chain c on c.id = ${sql.raw(wallet)}.chain_id left join bank b on b.id = ${sql.raw(wallet)}.bank_id))`;
  const { rows } = await sql<Omit<ExchangeRow, 'limit'> & { limitRate: string | null; limitUntil: Date | null }>`
    select e.transaction_id as id, e.company_id as "companyId", t.status, t.stage, ${side('sw', 'sa')} as sell, ${side('bw', 'ba')} as buy,
      coalesce(own.address, account.account_number, '') as "buyAccount", e.fixed, e.sold as "soldMinor", e.fee as "feeMinor",
      e.bought as "boughtMinor", e.bound as "boundMinor", t.notes, t.initiator_id as "initiatorId", t.initiator_name as "initiatorName",
      t.value_usd_cents as "valueUsdCents", available.balance as "availableMinor", t.created_at as "createdAt",
      q.rate::text, q.mid::text, q.spread_bp as "spreadBasisPoints", q.fee_bp as "feeBasisPoints", q.sources, q.rated_at as "ratedAt",
      q.id as "quoteId", q.otc_request_id as "otcRequestId", q.expires_at as "quoteExpiresAt", e.limit_rate::text as "limitRate",
      e.limit_until as "limitUntil", coalesce(e.limit_until <= clock_timestamp(), false) as "isOver", e.executed_sold as "executedSoldMinor", e.executed_fee as "executedFeeMinor",
      e.executed_bought as "executedBoughtMinor", e.bought_transaction_id as "boughtTransactionId", e.executed_at as "executedAt"
    from transaction asked
    join exchange e on e.company_id = asked.company_id and e.transaction_id in (asked.id, asked.related_id)
    join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
    join wallet sw on sw.company_id = e.company_id and sw.id = e.sell_wallet_id
    join wallet bw on bw.company_id = e.company_id and bw.id = e.buy_wallet_id
    join asset sa on sa.id = e.sell_asset
    join asset ba on ba.id = e.buy_asset
    join exchange_quote q on q.company_id = e.company_id and q.id = coalesce(e.executed_quote_id, e.submitted_quote_id)
    join ledger_account available
      on available.company_id = e.company_id and available.owner_id = e.sell_wallet_id and available.kind = 'available'
    left join chain_address own on own.company_id = bw.company_id and own.chain_id = bw.chain_id
    left join bank_account account
      on account.company_id = bw.company_id and account.bank_id = bw.bank_id and account.asset_id = bw.asset_id
    where asked.company_id = company_id() and asked.id = ${transactionId} and asked.type <> 'failed_refund'`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) return null;
  const { limitRate, limitUntil, ...exchange } = row;
  return {
    ...exchange,
    limit: limitRate === null || limitUntil === null ? null : { rate: limitRate, until: limitUntil },
  };
}

/** By which quotes these transactions were exchanged, those that are a side of an exchange. */
export async function readPrices(
  tx: Tx,
  transactionIds: readonly string[],
): Promise<{ id: string; isSold: boolean; mid: string; spreadBasisPoints: number }[]> {
  const { rows } = await sql<{ id: string; isSold: boolean; mid: string; spreadBasisPoints: number }>`
    select asked.id, e.transaction_id = asked.id as "isSold", q.mid::text, q.spread_bp as "spreadBasisPoints"
    from unnest(${[...transactionIds]}::uuid[]) as wanted (id)
    cross join lateral (select id, related_id from transaction r
      where r.company_id = company_id() and r.id = wanted.id and r.type <> 'failed_refund' offset 0) asked
    cross join lateral (select transaction_id, coalesce(executed_quote_id, submitted_quote_id) as quote_id from exchange r
      where r.company_id = company_id() and r.transaction_id in (asked.id, asked.related_id) offset 0) e
    cross join lateral (select mid, spread_bp from exchange_quote r
      where r.company_id = company_id() and r.id = e.quote_id offset 0) q`.execute(tx);
  return rows;
}

/**
 * Writes the execution of an exchange that waited for approval: what its own transaction says follows the new quote, and both transactions
 * point to each other. Its transaction is locked, and at `waiting_approval` or `waiting_rate`.
 */
export async function writeExecution(
  tx: Tx,
  id: string,
  {
    quoteId,
    soldMinor,
    feeMinor,
    boughtMinor,
    boughtTransactionId,
    at,
  }: Omit<Execution, 'boughtTransactionId'> & {
    /** Null: what is bought leaves under the same transaction. */
    boughtTransactionId: string | null;
  },
  rate: { rate: string; source: string; at: Date },
): Promise<void> {
  const { rows } = await sql`
    update exchange set executed_quote_id = ${quoteId}, executed_sold = ${soldMinor.toString()}::numeric,
      executed_fee = ${feeMinor.toString()}::numeric, executed_bought = ${boughtMinor.toString()}::numeric,
      bought_transaction_id = ${boughtTransactionId ?? id}, executed_at = ${at}
    where company_id = company_id() and transaction_id = ${id} and executed_at is null returning 1`.execute(tx);
  invariant(rows.length === 1, `exchange ${id} is executed once`);
  await sql`
    update transaction t set quantity = ${soldMinor.toString()}::numeric, fee = ${feeMinor.toString()}::numeric,
      amount_whole = ${soldMinor.toString()}::numeric * ('1e-' || a.decimals)::numeric,
      counter_quantity = ${boughtMinor.toString()}::numeric, rate = ${rate.rate}::numeric, rate_source = ${rate.source},
      rate_at = ${rate.at}, quote_id = ${quoteId}, related_id = ${boughtTransactionId}::uuid, updated_at = now()
    from asset a where a.id = t.coin and t.company_id = company_id() and t.id = ${id}`.execute(tx);
}
