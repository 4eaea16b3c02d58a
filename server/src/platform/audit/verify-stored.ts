import { sql } from 'kysely';
import type { Database, PlatformTx } from '../database/database.ts';
import { chainStart, linkHash } from './chain.ts';
import { chainEvent, readSealed } from './store.ts';

/**
 * Recomputes the stored audit logs from their events: each link follows from the one before, the end is the one that is kept, and what was
 * signed is still what is there. The export's verifier (`verify.ts`) judges a file off-line; this one judges the database.
 */

const pageSize = 500;

/** What does not hold of a log: an entry is missing, is not what was sealed or signed, or the end is another one. */
export interface AuditProblem {
  companyId: string;
  kind: 'missing' | 'sealed' | 'signed' | 'end';
  entry: number;
}

/** @returns how many logs there are, and for each that does not hold what is wrong with it */
export async function verifyAudit(
  database: Database,
  signal?: AbortSignal,
): Promise<{ logs: number; problems: AuditProblem[] }> {
  const { rows: chains } = await database.withoutCompany((tx) =>
    sql<ChainEnd>`select company_id as "companyId", seq, hash from audit_chain order by company_id`.execute(tx),
  );
  const problems: AuditProblem[] = [];
  for (const chain of chains) {
    if (signal?.aborted) break;
    const problem = await verifyOne(database, chain);
    if (problem !== null) problems.push({ companyId: chain.companyId, ...problem });
  }
  return { logs: chains.length, problems };
}

interface ChainEnd {
  companyId: string;
  seq: number;
  hash: Buffer;
}

async function verifyOne(
  database: Database,
  { companyId, seq: last, hash: end }: ChainEnd,
): Promise<Omit<AuditProblem, 'companyId'> | null> {
  const signed = await database.withCompany(companyId, (tx) => findSigned(tx, companyId));
  let hash: Buffer = chainStart;
  for (let seq = 0; seq < last; ) {
    const page = await database.withCompany(companyId, (tx) => readSealed(tx, companyId, seq, last, pageSize));
    for (const row of page) {
      if (row.seq !== seq + 1) return { kind: 'missing', entry: seq + 1 };
      hash = linkHash(hash, chainEvent(row, row.seq));
      if (!hash.equals(row.hash)) return { kind: 'sealed', entry: row.seq };
      const kept = signed.get(row.seq);
      if (kept !== undefined && !hash.equals(kept)) return { kind: 'signed', entry: row.seq };
      seq = row.seq;
    }
    if (page.length === 0) return { kind: 'missing', entry: seq + 1 };
  }
  return hash.equals(end) ? null : { kind: 'end', entry: last };
}

async function findSigned(tx: PlatformTx, companyId: string): Promise<Map<number, Buffer>> {
  const { rows } = await sql<{ seq: number; hash: Buffer }>`
    select seq, hash from audit_checkpoint where company_id = ${companyId}`.execute(tx);
  return new Map(rows.map(({ seq, hash }) => [seq, hash]));
}
