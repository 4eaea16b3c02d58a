import { formatAmount } from '@causeway/contract/money.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { treasuryOwner } from '../../chains/index.ts';

/** What payments pay for a block on Bitcoin's chains, and what the treasury has there to pay with. Rates in thousandths of a satoshi per virtual byte. */

interface FeeRateRow {
  chainId: string;
  economy: number | null;
  normal: number | null;
  urgent: number | null;
  minimum: number | null;
  source: 'nodes' | 'fallback';
  floor: number | null;
  ceiling: number | null;
  publishedAt: Date;
  askedAt: Date;
}

/** One of every chain of the family, also before its nodes were asked. */
export async function findFeeRateRows(tx: PlatformTx): Promise<FeeRateRow[]> {
  const { rows } = await sql<FeeRateRow>`
    select c.id as "chainId", r.economy, r.normal, r.urgent, r.minimum, r.source, r.floor, r.ceiling,
      r.published_at as "publishedAt", r.asked_at as "askedAt"
    from chain c left join bitcoin_fee_rate r on r.chain_id = c.id where c.family = 'bitcoin'`.execute(tx);
  return rows;
}

interface TreasuryOutputsRow {
  chainId: string;
  confirmedMinor: bigint;
  waitingMinor: bigint;
}

/** Outputs of the treasury that nothing spends, by chain. */
export async function findTreasuryOutputs(tx: PlatformTx): Promise<TreasuryOutputsRow[]> {
  const { rows } = await sql<TreasuryOutputsRow>`
    select t.chain_id as "chainId", coalesce(sum(o.amount) filter (where o.block_number is not null), 0) as "confirmedMinor",
      coalesce(sum(o.amount) filter (where o.block_number is null), 0) as "waitingMinor"
    from chain_address t
    left join bitcoin_output o on o.company_id = t.company_id and o.chain_id = t.chain_id and o.spent_by is null and o.spent_block is null
    where t.company_id = ${treasuryOwner}::uuid group by 1`.execute(tx);
  return rows;
}

/** The worker asks every twenty seconds. */
const staleAfterMs = 600_000;

/** Null where the chain is of another family. */
export function shownFees(
  row: FeeRateRow | undefined,
  outputs: TreasuryOutputsRow | undefined,
  { decimals, now }: { decimals: number; now: Date },
) {
  if (row === undefined) return null;
  const { economy, normal, urgent, minimum, source, publishedAt, askedAt } = row;
  const isPublished = economy !== null && normal !== null && urgent !== null && minimum !== null;
  return {
    published: isPublished
      ? {
          economy: rate(economy),
          normal: rate(normal),
          urgent: rate(urgent),
          minimum: rate(minimum),
          floor: row.floor === null ? null : rate(row.floor),
          ceiling: row.ceiling === null ? null : rate(row.ceiling),
          source,
          publishedAt: publishedAt.toISOString(),
          askedAt: askedAt.toISOString(),
          stale: now.getTime() - askedAt.getTime() > staleAfterMs,
        }
      : null,
    treasury: outputs
      ? {
          companyId: treasuryOwner,
          confirmed: formatAmount(outputs.confirmedMinor, decimals),
          waiting: formatAmount(outputs.waitingMinor, decimals),
        }
      : null,
  };
}

const rate = (milli: number): string => formatAmount(BigInt(milli), 3).replace(/\.?0+$/, '');
