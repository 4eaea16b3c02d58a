import { sql } from 'kysely';
import type { Database, PlatformTx } from '../database/database.ts';
import { chainStart, linkHash } from './chain.ts';
import { chainEvent, readSealed } from './store.ts';

/**
 * Recomputes the stored audit logs from their events: each link follows from the one before, the end is the one that is kept, and what was
 * signed is still what is there. The export's verifier (`verify.ts`) judges a file off-line; this one judges the database.
 */

const pageSize = 500;

/** @returns how many logs there are, and for each that does not hold what is wrong with it */
export async function verifyAudit(
  database: Database,
  signal?: AbortSignal,
): Promise<{ logs: number; problems: string[] }> {
  const { rows: chains } = await database.withoutCompany((tx) =>
    sql<ChainEnd>`select company_id as "companyId", seq, hash from audit_chain order by company_id`.execute(tx),
  );
  const problems: string[] = [];
  for (const chain of chains) {
    if (signal?.aborted) break;
    const problem = await verifyOne(database, chain);
    if (problem !== null) problems.push(`${chain.companyId}: ${problem}`);
  }
  return { logs: chains.length, problems };
}

interface ChainEnd {
  companyId: string;
  seq: number;
  hash: Buffer;
}

async function verifyOne(database: Database, { companyId, seq: last, hash: end }: ChainEnd): Promise<string | null> {
  const signed = await database.withCompany(companyId, (tx) => findSigned(tx, companyId));
  let hash: Buffer = chainStart;
  for (let seq = 0; seq < last; ) {
    const page = await database.withCompany(companyId, (tx) => readSealed(tx, companyId, seq, last, pageSize));
    for (const row of page) {
      if (row.seq !== seq + 1) return `entry ${seq + 1} is missing`;
      hash = linkHash(hash, chainEvent(row, row.seq));
      if (!hash.equals(row.hash)) return `entry ${row.seq} is not what was sealed`;
      const kept = signed.get(row.seq);
      if (kept !== undefined && !hash.equals(kept)) return `entry ${row.seq} is not what was signed`;
      seq = row.seq;
    }
    if (page.length === 0) return `entry ${seq + 1} is missing`;
  }
  return hash.equals(end) ? null : 'its end is not the one that is kept';
}

async function findSigned(tx: PlatformTx, companyId: string): Promise<Map<number, Buffer>> {
  const { rows } = await sql<{ seq: number; hash: Buffer }>`
    select seq, hash from audit_checkpoint where company_id = ${companyId}`.execute(tx);
  return new Map(rows.map(({ seq, hash }) => [seq, hash]));
}
