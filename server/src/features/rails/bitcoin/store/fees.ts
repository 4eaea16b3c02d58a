import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';

/** Fee rates as the worker published them, and what transfers were promised. Rates in thousandths of a satoshi per virtual byte. */

export type FeeRates = Record<FeeLevel, number> & { minimum: number };

export interface PublishedRates extends FeeRates {
  publishedAt: Date;
  askedAt: Date;
  /** The nodes were last asked so long ago that a block may cost something else by now: nothing is quoted. */
  isStale: boolean;
}

/** The worker asks several times a minute. */
const staleAfter = '30 minutes';

/** Null until the nodes have said what a block costs. */
export async function findFeeRates(tx: PlatformTx, chainId: string): Promise<PublishedRates | null> {
  const { rows } = await sql<PublishedRates>`
    select economy, normal, urgent, minimum, published_at as "publishedAt", asked_at as "askedAt",
      asked_at < now() - ${staleAfter}::interval as "isStale"
    from bitcoin_fee_rate where chain_id = ${chainId}`.execute(tx);
  return rows[0] ?? null;
}

/** Of what rates come, and the bounds within which they are published, which operators see. */
export interface RateBasis {
  source: 'nodes' | 'fallback';
  floor: number;
  ceiling: number;
}

export async function publishFeeRates(
  tx: PlatformTx,
  chainId: string,
  rates: FeeRates,
  { source, floor, ceiling }: RateBasis,
): Promise<void> {
  const { economy, normal, urgent, minimum } = rates;
  await sql`
    insert into bitcoin_fee_rate (chain_id, economy, normal, urgent, minimum, source, floor, ceiling)
    values (${chainId}, ${economy}, ${normal}, ${urgent}, ${minimum}, ${source}, ${floor}, ${ceiling})
    on conflict (chain_id) do update set economy = excluded.economy, normal = excluded.normal, urgent = excluded.urgent,
      minimum = excluded.minimum, source = excluded.source, floor = excluded.floor, ceiling = excluded.ceiling,
      published_at = now(), asked_at = now()`.execute(tx);
}

/** The nodes were asked, and what is published still holds. */
export async function keepFeeRates(
  tx: PlatformTx,
  chainId: string,
  { source, floor, ceiling }: RateBasis,
): Promise<void> {
  await sql`
    update bitcoin_fee_rate set asked_at = now(), source = ${source}, floor = ${floor}, ceiling = ${ceiling}
    where chain_id = ${chainId}`.execute(tx);
}

/** What a transfer was promised to pay for its block, in satoshis. */
export interface PromisedFee {
  level: FeeLevel;
  networkFeeMinor: bigint;
}

/** Null for what chooses no level: payments of the platform's own. */
export async function findPromisedFee(tx: Tx, transactionId: string): Promise<PromisedFee | null> {
  const { rows } = await sql<PromisedFee>`
    select level, network_fee as "networkFeeMinor" from bitcoin_fee
    where company_id = company_id() and transaction_id = ${transactionId}`.execute(tx);
  const row = rows[0];
  return row ? { ...row, networkFeeMinor: BigInt(row.networkFeeMinor) } : null;
}

export async function setPromisedFee(tx: Tx, transactionId: string, networkFeeMinor: bigint): Promise<void> {
  await sql`
    update bitcoin_fee set network_fee = ${networkFeeMinor.toString()}
    where company_id = company_id() and transaction_id = ${transactionId}`.execute(tx);
}

/** The newest attempts that wait for a block and pay less than they were promised to: members have raised their fees. */
export async function raisedSends(
  tx: PlatformTx,
  chainId: string,
): Promise<{ companyId: string; paymentId: string }[]> {
  const { rows } = await sql<{ companyId: string; paymentId: string }>`
    select s.company_id as "companyId", s.payment_id as "paymentId" from chain_send s
    join bitcoin_fee f on f.company_id = s.company_id and f.transaction_id = s.payment_id
    where s.chain_id = ${chainId} and s.final_at is null and s.raw is not null
      and not exists (select from chain_send o where o.company_id = s.company_id and o.payment_id = s.payment_id
        and (o.attempt > s.attempt or o.mined_block is not null or o.is_empty or o.empty_wanted_at is not null))
      and case when s.plan ? 'joined' then f.raised_to else f.network_fee end 
        > (s.plan ->> 'feeMinor')::bigint + (s.plan ->> 'vsize')::bigint / 1000`.execute(tx);
  return rows;
}
