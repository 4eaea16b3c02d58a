import { statusAt, transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { LifeType, Stage } from '@causeway/contract/transactions-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import { type CompaniesTx, type Tx, together } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';

/** A transaction to write; amounts in minor units. Its direction and status follow from its type and stage. */
export interface NewTransaction {
  id: string;
  type: LifeType;
  walletId: string;
  coin: string;
  quantityMinor: bigint;
  feeMinor?: bigint;
  payeeId?: string | null;
  /** Names and accounts as they are now, so that a payee that is deleted later is still named. */
  payeeName?: string | null;
  payeeAccount?: string | null;
  payerName?: string | null;
  payerAccount?: string | null;
  description?: string;
  notes?: string;
  invoiceNumber?: string | null;
  /** As the list of categories has it. */
  category?: string | null;
  initiator?: { id: string; name: string } | null;
  /** The transaction beside it, in either direction. */
  relatedId?: string | null;
  /** SHA-256, hex, of what codes, approvals and signatures are bound to. */
  digest?: string;
  /** Until when the payee's account counts as a changed one; null: it does not. */
  payeeChangedUntil?: Date | null;
  /** US cents; where it is absent, the value by the last price that is at most an hour old, if there is one. */
  valueUsdCents?: bigint | null;
  /** What it is exchanged for, in minor units of that asset. */
  counter?: { asset: string; quantityMinor: bigint };
  /** Whole units of the counter-asset for one of the asset, and the quote that fixed it. */
  rate?: { rate: string; source: string; at: Date; quoteId?: string };
  /** ISO 8601: the day from which it counts. */
  valueDate?: string;
  /** The bank's own name of it. */
  bankReference?: string | null;
  /** The payer's reference, and the number that stays the same from bank to bank. */
  endToEndId?: string | null;
  uetr?: string | null;
  /** The chain of its wallet, and where on it the transaction is. */
  chain?: { chainId: string; hash?: string; blockNumber?: number; blockHash?: string; confirmations?: number };
  /** When it was submitted, where that was in an earlier database transaction, ISO 8601 to the microsecond; absent: now. */
  at?: string;
  /** The timeline so far; it is at the last of these stages. */
  timeline: readonly [NewStage, ...NewStage[]];
}

export interface NewStage {
  stage: Stage;
  actor?: { id: string; name: string };
  hash?: string;
  /** The id of a sentence, `stage.reason.*`. */
  reason?: string;
}

/**
 * Writes transactions with their timelines, and what they are worth now in US dollars and in the company's base currency, as far
 * as prices are known.
 * @throws the database's error on `transaction_pkey` when the company has a transaction of an id
 */
export async function insertTransactions(tx: Tx, transactions: readonly NewTransaction[]): Promise<void> {
  await insertAllTransactions(
    tx,
    transactions.map((transaction) => ({ companyId: tx.companyId, ...transaction })),
  );
}

/** A transaction of one of several companies. */
export type CompanysTransaction = NewTransaction & { companyId: string };

/** The same for several companies. */
export async function insertAllTransactions(
  tx: CompaniesTx,
  transactions: readonly CompanysTransaction[],
): Promise<void> {
  const stages = transactions.flatMap(({ companyId, id, at, timeline }) =>
    timeline.map((stage) => ({ companyId, transactionId: id, at, ...stage })),
  );
  const stageColumn = <T>(of: (stage: (typeof stages)[number]) => T) => stages.map(of);
  // What has no value yet gets it when a price of its day is known (`fillValues`). A value that is given needs no note.
  const noted = transactions.every(({ valueUsdCents }) => valueUsdCents != null)
    ? sql``
    : sql`, noted as (
      insert into transaction_unvalued (company_id, transaction_id)
      select company_id, id from made where value_usd_cents is null
    )`;
  const inserted = sql`
    with price as materialized (
      select asset_id, usd, source, updated_at from rate where updated_at > now() - interval '1 hour'
      union all select 'USD', 1, 'definition', now()
    ), made as (
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, fee,
        payee_id, payer_name, payer_account, payee_name, payee_account, description, notes, invoice_number, category, initiator_id, initiator_name,
        related_id, digest, counter_asset, counter_quantity, rate, rate_source, rate_at, quote_id, value_date, bank_reference,
        end_to_end, uetr, payee_changed_until, value_usd_cents, price_usd, price_source, price_at,
        base_currency, base_value, base_rate, base_rate_source, base_rate_at, completed_at, amount_whole, created_at, stage_at)
      select t.company_id, t.id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, fee,
        payee_id, payer_name, payer_account, payee_name, payee_account, description, notes, invoice_number, category, initiator_id, initiator_name,
        related_id, decode(digest, 'hex'), counter_asset, counter_quantity, rate, rate_source, rate_at, quote_id, value_date, bank_reference,
        end_to_end, uetr, payee_changed_until, round(worth.usd * 100), used.usd, used.source, used.updated_at,
        case when worth.usd is not null and base_price.usd is not null then base.id end,
        round(worth.usd / base_price.usd * ('1e' || base.decimals)::numeric),
        base_price.usd, base_price.source, base_price.updated_at,
        case when status <> 'pending' then now() end, t.quantity * unit.coins, coalesce(t.at, now()), coalesce(t.at, now())
      from (${given(transactions)}) as t
      left join asset a on a.id = t.coin
      -- Exact: a division would be rounded. Unknown for an unknown coin, which the table refuses.
      cross join lateral (select ('1e-' || a.decimals)::numeric) as unit (coins)
      left join price on price.asset_id = t.coin
      -- The value that a decision was based on, where there is one; the price is kept if it is the one that gives it.
      cross join lateral (select coalesce(value_usd_cents / 100, t.quantity * unit.coins * price.usd)) as worth (usd)
      left join price used on used.asset_id = t.coin and round(worth.usd * 100) = round(t.quantity * unit.coins * used.usd * 100)
      left join company_setting s on s.company_id = t.company_id
      left join asset base on base.id = coalesce(s.base_currency, 'USD')
      left join price base_price on base_price.asset_id = base.id
      returning company_id, id, value_usd_cents
    )${noted}
    insert into transaction_stage (company_id, transaction_id, id, stage, at, actor_id, actor_name, hash, reason)
    select company_id, transaction_id, id, stage, coalesce(at, now()), actor_id, actor_name, hash, reason
    from unnest(${uuids(stageColumn(({ companyId }) => companyId))}, ${stageColumn(({ transactionId }) => transactionId)}::uuid[],
      ${stageColumn(() => newId())}::uuid[], ${stageColumn(({ stage }) => stage)}::text[], ${stageColumn(({ actor }) => actor?.id)}::uuid[],
      ${stageColumn(({ actor }) => actor?.name)}::text[], ${stageColumn(({ hash }) => hash)}::text[],
      ${stageColumn(({ reason }) => reason)}::text[], ${stageColumn(({ at }) => at)}::timestamptz[])
      as s (company_id, transaction_id, id, stage, actor_id, actor_name, hash, reason, at)`.execute(tx);
  await together([inserted, ...placed(tx, transactions)]);
}

/** Writes where on a chain those are that have a hash; one statement for all of them. */
function placed(tx: CompaniesTx, transactions: readonly CompanysTransaction[]): Promise<unknown>[] {
  const rows = transactions.flatMap(({ companyId, id, chain }) =>
    chain?.hash === undefined
      ? []
      : [
          {
            company_id: companyId,
            transaction_id: id,
            chain_id: chain.chainId,
            hash: chain.hash,
            block_number: chain.blockNumber,
            block_hash: chain.blockHash,
            confirmations: chain.confirmations,
          },
        ],
  );
  if (rows.length === 0) return [];
  return [
    sql`
      insert into transaction_chain (company_id, transaction_id, chain_id, hash, block_number, block_hash, confirmations)
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (company_id uuid, transaction_id uuid, chain_id text, hash text,
        block_number bigint, block_hash text, confirmations integer)`.execute(tx),
  ];
}

const commonColumns = sql`company_id uuid, type text, status text, stage text, direction text, wallet_id uuid, chain_id text, coin text, fee numeric,
  payer_name text, payer_account text, description text, initiator_id uuid, initiator_name text, counter_asset text, rate numeric,
  rate_source text, rate_at timestamptz, quote_id uuid, value_date date, at timestamptz`;
const ownColumns = sql`id uuid, quantity numeric, payee_id uuid, payee_name text, payee_account text, notes text, invoice_number text, category text,
  related_id uuid, digest text, counter_quantity numeric, bank_reference text, end_to_end text, uetr text,
  payee_changed_until timestamptz, value_usd_cents numeric`;

/** So many sets of what is shared are joined with their rows, by comparing each with each; beyond, most rows share nothing. */
const mostShared = 8;

/**
 * The rows as the database reads them. Transactions that are submitted together have most in common: where they do, what is equal is written and read
 * once, and each row names by its number what it shares.
 */
function given(transactions: readonly CompanysTransaction[]): RawBuilder<unknown> {
  const parts = transactions.map((transaction) => {
    const common = commonOf(transaction);
    return { key: JSON.stringify(common), common, own: ownOf(transaction) };
  });
  const sets = [...new Map(parts.map(({ key, common }) => [key, common]))];
  if (sets.length > mostShared) {
    const rows = parts.map(({ common, own }) => ({ ...common, ...own }));
    return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (${commonColumns}, ${ownColumns})`;
  }
  const numbers = new Map(sets.map(([key], number) => [key, number]));
  const shared = sets.map(([, common], number) => ({ shared: number, ...common }));
  const rows = parts.map(({ key, own }) => ({ shared: numbers.get(key), ...own }));
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as own (shared integer, ${ownColumns})
    join jsonb_to_recordset(${JSON.stringify(shared)}::jsonb) as common (shared integer, ${commonColumns}) using (shared)`;
}

function commonOf(transaction: CompanysTransaction): Record<string, unknown> {
  const { type, timeline, chain, initiator, counter, rate } = transaction;
  const { stage } = timeline[timeline.length - 1] ?? timeline[0];
  assertStageOf(type, stage);
  return {
    company_id: transaction.companyId,
    type,
    status: statusAt(stage),
    stage,
    direction: transactionLives[type].direction,
    wallet_id: transaction.walletId,
    coin: transaction.coin,
    fee: (transaction.feeMinor ?? 0n).toString(),
    payer_name: transaction.payerName,
    payer_account: transaction.payerAccount,
    description: transaction.description ?? '',
    initiator_id: initiator?.id,
    initiator_name: initiator?.name,
    chain_id: chain?.chainId,
    counter_asset: counter?.asset,
    rate: rate?.rate,
    rate_source: rate?.source,
    rate_at: rate?.at.toISOString(),
    quote_id: rate?.quoteId,
    value_date: transaction.valueDate,
    at: transaction.at,
  };
}

function ownOf(transaction: CompanysTransaction): Record<string, unknown> {
  return {
    id: transaction.id,
    quantity: transaction.quantityMinor.toString(),
    payee_id: transaction.payeeId,
    payee_name: transaction.payeeName,
    payee_account: transaction.payeeAccount,
    notes: transaction.notes ?? '',
    invoice_number: transaction.invoiceNumber,
    category: transaction.category,
    related_id: transaction.relatedId,
    digest: transaction.digest,
    value_usd_cents: transaction.valueUsdCents?.toString(),
    counter_quantity: transaction.counter?.quantityMinor.toString(),
    bank_reference: transaction.bankReference,
    end_to_end: transaction.endToEndId,
    uetr: transaction.uetr,
    payee_changed_until: transaction.payeeChangedUntil?.toISOString(),
  };
}

export function assertStageOf(type: LifeType, stage: Stage): void {
  const { road, endsEarly } = transactionLives[type];
  invariant(road.includes(stage) || endsEarly.some((end) => end === stage), `${stage} is a stage of ${type}`);
}
