import { sql } from 'kysely';
import type { PlatformTx } from '../database/database.ts';
import { type Signed, type Statement, statementForm } from './statement.ts';

/** Reading and signing reports, for the worker, the signer and both consoles alike. */

export interface StoredReport {
  day: string;
  statement: Statement;
  digest: string;
  /** Null until the signer has signed it. */
  signed: Signed | null;
}

interface ReportRow {
  day: string;
  statement: string;
  digest: Buffer;
  signedDigest: Buffer | null;
  signedAt: string | null;
  keyId: string | null;
  signature: Buffer | null;
  publicKey: Buffer | null;
}

const columns = sql`r.day::text, r.statement, r.digest, s.digest as "signedDigest", s.signed_at as "signedAt", s.key_id as "keyId",
  s.signature, k.public_key as "publicKey"`;
const tables = sql`solvency_report r left join solvency_signature s on s.day = r.day left join audit_key k on k.key_id = s.key_id`;

/** The report of a day; null where there is none. */
export async function findReport(tx: PlatformTx, day: string): Promise<StoredReport | null> {
  const { rows } = await sql<ReportRow>`select ${columns} from ${tables} where r.day = ${day}`.execute(tx);
  return rows[0] ? storedReport(rows[0]) : null;
}

/** Reports of the last days, newest first, before a day (exclusive) where one is given. */
export async function findReports(
  tx: PlatformTx,
  { before = null, most, isSigned = false }: { before?: string | null; most: number; isSigned?: boolean },
): Promise<StoredReport[]> {
  const { rows } = await sql<ReportRow>`
    select ${columns} from ${tables}
    where (${before}::date is null or r.day < ${before}) and (not ${isSigned} or s.day is not null)
    order by r.day desc limit ${most}`.execute(tx);
  return rows.map(storedReport);
}

/** A statement as it is stored. */
export function storedStatement(text: string): Statement {
  return statementForm.parse(JSON.parse(text));
}

function storedReport({ day, statement, digest, ...signature }: ReportRow): StoredReport {
  const { signedDigest, signedAt, keyId, publicKey } = signature;
  const isSigned = signedDigest && signedAt !== null && keyId !== null && signature.signature && publicKey;
  return {
    day,
    statement: storedStatement(statement),
    digest: digest.toString('hex'),
    signed: isSigned
      ? {
          digest: signedDigest.toString('hex'),
          at: signedAt,
          keyId,
          publicKey: publicKey.toString('base64url'),
          signature: signature.signature?.toString('base64url') ?? '',
        }
      : null,
  };
}

export interface LeafRow {
  companyId: string;
  position: number;
  salt: Buffer;
  /** Minor units, as texts. */
  sums: Record<string, string>;
}

/** The leaves of a report that the reader may see, in the order of the tree. */
export async function findLeaves(tx: PlatformTx, day: string): Promise<LeafRow[]> {
  const { rows } = await sql<LeafRow>`
    select company_id as "companyId", position, salt, sums from solvency_leaf where day = ${day} order by position`.execute(
    tx,
  );
  return rows;
}

/** One company's balance of an asset in accounts of one kind, minor units. */
export interface BalanceRow {
  companyId: string;
  asset: string;
  kind: string;
  isAtBank: boolean;
  minor: bigint;
}

/** Every company's balances just before an instant, as the ledger has them. */
export async function balancesOfAll(tx: PlatformTx, at: Date): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    select company_id as "companyId", asset_id as asset, kind, at_bank as "isAtBank", minor
    from solvency_balances(${at})`.execute(tx);
  return rows;
}
