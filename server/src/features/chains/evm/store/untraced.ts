import { sql } from 'kysely';
import type { PlatformTx } from '../../../../platform/database/database.ts';
import type { Block, BlockContent, TraceProblem } from '../gateway.ts';

/** The blocks that wait for their trace: `chain_untraced`. */

/** Replaces what waited above a height by those of these blocks that may hide transfers. */
export async function waitForTraces(
  tx: PlatformTx,
  chainId: string,
  aboveHeight: number,
  contents: readonly BlockContent[],
): Promise<void> {
  await sql`delete from chain_untraced where chain_id = ${chainId} and height > ${aboveHeight}`.execute(tx);
  const opaque = contents.filter(({ opaqueTransactions }) => opaqueTransactions > 0);
  if (opaque.length === 0) return;
  await sql`
    insert into chain_untraced (chain_id, height, hash)
    select ${chainId}, b.height, b.hash
    from unnest(${opaque.map(({ block }) => block.height)}::bigint[], ${opaque.map(({ block }) => block.hash)}::text[])
      as b (height, hash)`.execute(tx);
}

export interface UntracedBlock extends Pick<Block, 'height' | 'hash'> {
  attempts: number;
}

/** Those whose turn has come, the newest first: nodes keep the state of the newest blocks only. */
export async function dueTraces(tx: PlatformTx, chainId: string, limit: number): Promise<UntracedBlock[]> {
  const { rows } = await sql<UntracedBlock>`
    select height, hash, attempts from chain_untraced
    where chain_id = ${chainId} and next_try_at <= now() order by height desc limit ${limit}`.execute(tx);
  return rows;
}

/** The block needs no trace any more. */
export async function forgetUntraced(tx: PlatformTx, chainId: string, hash: string): Promise<void> {
  await sql`delete from chain_untraced where chain_id = ${chainId} and hash = ${hash}`.execute(tx);
}

/** Puts a block's next trace off. */
export async function postponeTrace(
  tx: PlatformTx,
  chainId: string,
  hash: string,
  failed: { problem: TraceProblem; retryMs: number },
): Promise<void> {
  await sql`
    update chain_untraced set attempts = attempts + 1, problem = ${failed.problem},
      next_try_at = now() + ${failed.retryMs} * interval '1 millisecond'
    where chain_id = ${chainId} and hash = ${hash}`.execute(tx);
}

/** What waits for traces on one chain: how many blocks, since when, and what kept the latest from being traced. */
export interface UntracedReport {
  chainId: string;
  blocks: number;
  fromHeight: number;
  oldestSeconds: number;
  problem: TraceProblem | null;
}

/** Chains on which nothing waits are left out. */
export async function untracedReport(tx: PlatformTx): Promise<UntracedReport[]> {
  const { rows } = await sql<UntracedReport>`
    select chain_id as "chainId", count(*) as blocks, min(height) as "fromHeight",
      extract(epoch from now() - min(seen_at))::bigint as "oldestSeconds",
      (array_agg(problem order by height desc) filter (where problem is not null))[1] as problem
    from chain_untraced group by chain_id order by chain_id`.execute(tx);
  return rows;
}
