import { quoteValidMs } from '@causeway/contract/exchange-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, PlatformTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { QuoteContent } from '../domain.ts';

/** A quote as it is written; amounts in minor units. */
export interface NewQuote extends QuoteContent {
  sellAsset: string;
  buyAsset: string;
  spreadBasisPoints: number;
  feeBasisPoints: number;
  /** US dollars for one whole unit, plain decimals. */
  sellUsd: string;
  buyUsd: string;
  sources: readonly string[];
  /** Since when the older of the two prices holds. */
  ratedAt: Date;
  digest: string;
  /** The exchange that it is made and used for at once: at the last approval. */
  usedBy: string | null;
}

/** Writes a quote that lives by the database's clock alone. */
export async function insertQuote(
  tx: Tx,
  quote: NewQuote,
): Promise<{ createdAt: Date; expiresAt: Date; remainingMs: number }> {
  const { rows } = await sql<{ createdAt: Date; expiresAt: Date; remainingMs: number }>`
    insert into exchange_quote (company_id, id, member_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought,
      mid, rate, spread_bp, fee_bp, sell_usd, buy_usd, sources, rated_at, digest, created_at, expires_at, used_by, used_at)
    select company_id(), ${quote.id}, ${quote.memberId}, ${quote.sellWalletId}, ${quote.buyWalletId}, ${quote.sellAsset},
      ${quote.buyAsset}, ${quote.fixed}, ${quote.soldMinor.toString()}::numeric, ${quote.feeMinor.toString()}::numeric,
      ${quote.boughtMinor.toString()}::numeric, ${quote.mid}::numeric, ${quote.rate}::numeric, ${quote.spreadBasisPoints},
      ${quote.feeBasisPoints}, ${quote.sellUsd}::numeric, ${quote.buyUsd}::numeric, ${[...quote.sources]}::text[],
      ${quote.ratedAt}, decode(${quote.digest}, 'hex'), at, at + ${quoteValidMs} * interval '1 millisecond',
      ${quote.usedBy}::uuid, case when ${quote.usedBy}::uuid is not null then at end
    from (select clock_timestamp() as at) as made
    returning created_at as "createdAt", expires_at as "expiresAt",
      greatest(0, floor(extract(epoch from expires_at - clock_timestamp()) * 1000))::integer as "remainingMs"`.execute(
    tx,
  );
  const [row] = rows;
  invariant(row, 'an insert returns its row');
  return row;
}

/** How many open quotes a member has at most: each is a price at which the platform must trade until it expires. */
const mostOpen = 20;

/**
 * Makes room for a further quote of a member: the oldest open ones, beyond all but one of those they may have, are removed. One that an exchange
 * is using at this moment stays its own. A member's quotes are made one after another.
 */
export async function endOldestQuotes(tx: Tx, memberId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('exchange.quotes ' || ${memberId}, 0))`.execute(tx);
  await sql`
    delete from exchange_quote where company_id = company_id() and used_by is null and id in (
      select id from exchange_quote
      where company_id = company_id() and member_id = ${memberId} and used_by is null and otc_request_id is null
        and expires_at > clock_timestamp()
      order by created_at desc offset ${mostOpen - 1} for update skip locked)`.execute(tx);
}

/** A quote as it is used. */
export interface QuoteRow extends QuoteContent {
  /** The request that the operator's desk answered with it; null: of the company's own prices. */
  otcRequestId: string | null;
  spreadBasisPoints: number;
  sellUsd: string;
  sources: string[];
  ratedAt: Date;
  digest: string;
  isUsed: boolean;
  /** By the database's clock, at the moment at which it was locked. */
  isExpired: boolean;
  readAt: Date;
}

/**
 * Locks and reads quotes of several companies, in the order in which they are asked for; null where a company has none of this id. A second
 * use of one waits here, and then sees the first.
 */
export async function lockQuotes(
  tx: CompaniesTx,
  asked: readonly { companyId: string; quoteId: string }[],
): Promise<(QuoteRow | null)[]> {
  const { rows } = await sql<QuoteRow>`
    with locked as materialized (
      select q.* from (
        select distinct company_id, id from unnest(${uuids(asked.map(({ companyId }) => companyId))},
          ${asked.map(({ quoteId }) => quoteId)}::uuid[]) as r (company_id, id) order by company_id, id
      ) r
      join exchange_quote q on q.company_id = r.company_id and q.id = r.id
      for update of q
    )
    select company_id as "companyId", id, member_id as "memberId", sell_wallet_id as "sellWalletId", buy_wallet_id as "buyWalletId",
      otc_request_id as "otcRequestId", fixed, sold as "soldMinor", fee as "feeMinor", bought as "boughtMinor", rate::text, mid::text,
      spread_bp as "spreadBasisPoints", sell_usd::text as "sellUsd", sources, rated_at as "ratedAt", encode(digest, 'hex') as digest,
      used_by is not null as "isUsed", clock_timestamp() as "readAt", expires_at <= clock_timestamp() as "isExpired"
    from locked`.execute(tx);
  const byId = new Map(rows.map((row) => [`${row.companyId} ${row.id}`, row]));
  return asked.map(({ companyId, quoteId }) => byId.get(`${companyId} ${quoteId}`) ?? null);
}

/** Uses up quotes, each for one exchange. @throws where one of them is used or gone: their rows were locked unused */
export async function useQuotes(
  tx: CompaniesTx,
  used: readonly { companyId: string; quoteId: string; exchangeId: string }[],
): Promise<void> {
  if (used.length === 0) return;
  await sql`
    with used as (
      update exchange_quote q set used_by = u.exchange_id, used_at = clock_timestamp()
      from unnest(${uuids(used.map(({ companyId }) => companyId))}, ${used.map(({ quoteId }) => quoteId)}::uuid[],
        ${used.map(({ exchangeId }) => exchangeId)}::uuid[]) as u (company_id, quote_id, exchange_id)
      where q.company_id = u.company_id and q.id = u.quote_id and q.used_by is null
      returning 1
    )
    select exchange_require_used(count(*), ${used.length}) from used`.execute(tx);
}

/** Removes quotes that expired unused more than a day ago; those of the desk end with their requests. @returns how many */
export async function removeExpiredQuotes(tx: PlatformTx, most: number): Promise<number> {
  const { rows } = await sql`
    delete from exchange_quote where (company_id, id) in (
      select company_id, id from exchange_quote
      where used_by is null and otc_request_id is null and expires_at < now() - interval '1 day' order by expires_at limit ${most} for update skip locked
    ) and used_by is null returning 1`.execute(tx);
  return rows.length;
}

/** The database's clock at this moment. */
export async function readClock(tx: PlatformTx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx);
  const [row] = rows;
  invariant(row, 'a statement without a table has one row');
  return row.at;
}
