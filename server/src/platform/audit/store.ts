import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../database/database.ts';
import { invariant } from '../domain-error.ts';
import type { ChainEvent } from './chain.ts';

/** Reading events as the chain covers them, for the sealer, the signer and the export alike. */

export interface EventRow {
  companyId: string;
  id: string;
  time: string;
  actorKind: string;
  actorId: string;
  action: string;
  subjectKind: string;
  subjectId: string;
  detail: unknown;
  ip: string | null;
  requestId: string | null;
}

/** The columns of `audit_event as e` that make an `EventRow`. */
export const eventColumns: RawBuilder<unknown> = sql`
  e.company_id as "companyId", e.id, to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time,
  e.actor_kind as "actorKind", e.actor_id as "actorId", e.action, e.subject_kind as "subjectKind",
  e.subject_id as "subjectId", e.detail, e.ip, e.request_id as "requestId"`;

/** An event with its place, as it is hashed. */
export function chainEvent(row: EventRow, seq: number): ChainEvent {
  return {
    company: row.companyId,
    seq,
    id: row.id,
    time: row.time,
    actor: { kind: row.actorKind, id: row.actorId },
    action: row.action,
    subject: { kind: row.subjectKind, id: row.subjectId },
    detail: row.detail,
    ip: row.ip,
    requestId: row.requestId,
  };
}

export interface SealedEvent extends EventRow {
  seq: number;
  hash: Buffer;
}

/** A company's sealed events with `after` < seq ≤ `through`, in the order of the chain. */
export async function readSealed(
  tx: PlatformTx,
  companyId: string,
  after: number,
  through: number,
  limit: number,
): Promise<SealedEvent[]> {
  const { rows } = await sql<SealedEvent>`
    select s.seq, s.hash, ${eventColumns}
    from audit_seal s join audit_event e on e.company_id = s.company_id and e.id = s.event_id
    where s.company_id = ${companyId} and s.seq > ${after} and s.seq <= ${through}
    order by s.seq limit ${limit}`.execute(tx);
  return rows;
}

export interface CheckpointRow {
  seq: number;
  hash: Buffer;
  signedAt: string;
  keyId: string;
  signature: Buffer;
}

const checkpointColumns = sql`seq, hash, signed_at as "signedAt", key_id as "keyId", signature`;

/** The first checkpoint at or after a place: the one that covers it; null when there is none yet. */
export async function findCovering(tx: PlatformTx, companyId: string, seq: number): Promise<CheckpointRow | null> {
  const { rows } = await sql<CheckpointRow>`
    select ${checkpointColumns} from audit_checkpoint
    where company_id = ${companyId} and seq >= ${seq} order by seq limit 1`.execute(tx);
  return rows[0] ?? null;
}

export async function findLastCheckpoint(tx: PlatformTx, companyId: string): Promise<CheckpointRow | null> {
  const { rows } = await sql<CheckpointRow>`
    select ${checkpointColumns} from audit_checkpoint
    where company_id = ${companyId} order by seq desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** The checkpoints with `after` < seq ≤ `through`, in order. */
export async function readCheckpoints(
  tx: PlatformTx,
  companyId: string,
  after: number,
  through: number,
): Promise<CheckpointRow[]> {
  const { rows } = await sql<CheckpointRow>`
    select ${checkpointColumns} from audit_checkpoint
    where company_id = ${companyId} and seq > ${after} and seq <= ${through} order by seq`.execute(tx);
  return rows;
}

/** The hash at a place of the chain; null when nothing is sealed there. */
export async function findSealHash(tx: PlatformTx, companyId: string, seq: number): Promise<Buffer | null> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from audit_seal where company_id = ${companyId} and seq = ${seq}`.execute(tx);
  return rows[0]?.hash ?? null;
}

/** The place of an event; null while it waits to be sealed. */
export async function findSeq(tx: PlatformTx, companyId: string, eventId: string): Promise<number | null> {
  const { rows } = await sql<{ seq: number }>`
    select seq from audit_seal where company_id = ${companyId} and event_id = ${eventId}`.execute(tx);
  return rows[0]?.seq ?? null;
}

export interface AuditKeyRow {
  keyId: string;
  publicKey: Buffer;
  since: Date;
}

/** The keys that checkpoints were signed with, newest first. */
export async function findKeys(tx: PlatformTx): Promise<AuditKeyRow[]> {
  const { rows } = await sql<AuditKeyRow>`
    select key_id as "keyId", public_key as "publicKey", since from audit_key order by since desc, key_id`.execute(tx);
  return rows;
}

/** Writes what the signer signed. */
export async function insertCheckpoint(tx: PlatformTx, companyId: string, row: CheckpointRow): Promise<void> {
  const result = await sql`
    insert into audit_checkpoint (company_id, seq, hash, signed_at, key_id, signature)
    values (${companyId}, ${row.seq}, ${row.hash}, ${row.signedAt}, ${row.keyId}, ${row.signature})`.execute(tx);
  invariant(result.numAffectedRows === 1n, 'a checkpoint is written once');
}

export async function insertKey(tx: PlatformTx, keyId: string, publicKey: Buffer): Promise<void> {
  await sql`
    insert into audit_key (key_id, public_key) values (${keyId}, ${publicKey}) on conflict do nothing`.execute(tx);
}
