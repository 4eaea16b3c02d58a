import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { challengeLifetimeMs } from '../../../identity/index.ts';

export interface PasskeyRow {
  id: string;
  name: string;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  suspectedAt: Date | null;
}

const columns: RawBuilder<PasskeyRow> = sql`id, name, credential_id as "credentialId", public_key as "publicKey",
  sign_count as "signCount", transports, created_at as "createdAt", last_used_at as "lastUsedAt", suspected_at as "suspectedAt"`;

/** The newest first. */
export async function findPasskeys(tx: Tx, operatorId: string): Promise<PasskeyRow[]> {
  const { rows } = await sql<PasskeyRow>`
    select ${columns} from operator_passkey where operator_id = ${operatorId} order by id desc`.execute(tx);
  return rows;
}

/** Locked until the transaction's end, so that its counter is compared by one answer at a time. */
export async function lockPasskey(tx: Tx, operatorId: string, credentialId: Buffer): Promise<PasskeyRow | null> {
  const { rows } = await sql<PasskeyRow>`
    select ${columns} from operator_passkey
    where operator_id = ${operatorId} and credential_id = ${credentialId} for update`.execute(tx);
  return rows[0] ?? null;
}

export interface NewPasskey {
  id: string;
  operatorId: string;
  name: string;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: readonly string[];
  synced: boolean;
}

/** Null when an operator has this passkey already. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<PasskeyRow | null> {
  const { rows } = await sql<PasskeyRow>`
    insert into operator_passkey (id, operator_id, name, credential_id, public_key, sign_count, transports, synced)
    values (${passkey.id}, ${passkey.operatorId}, ${passkey.name}, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.signCount}, ${[...passkey.transports]}::text[], ${passkey.synced})
    on conflict do nothing returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/** Removes one, or all. @returns how many there were */
export async function deletePasskeys(tx: PlatformTx, operatorId: string, id: string | null): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from operator_passkey where operator_id = ${operatorId} and (${id}::uuid is null or id = ${id}::uuid)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

export async function updateUse(tx: Tx, id: string, seen: { signCount: number; synced: boolean }): Promise<void> {
  await sql`
    update operator_passkey set sign_count = ${seen.signCount}, synced = ${seen.synced}, last_used_at = now()
    where id = ${id}`.execute(tx);
}

export async function markSuspected(tx: Tx, id: string): Promise<void> {
  await sql`update operator_passkey set suspected_at = now() where id = ${id}`.execute(tx);
}

/** Whom and what a challenge serves; `ticketId` with `login` alone. */
export interface ChallengeFor {
  operatorId: string;
  purpose: 'add' | 'login';
  ticketId: string | null;
}

/** Keeps a challenge; those that have expired go. */
export async function insertChallenge(tx: Tx, held: ChallengeFor, challengeSha256: Buffer): Promise<void> {
  await sql`delete from operator_challenge where expires_at < now()`.execute(tx);
  await sql`
    insert into operator_challenge (challenge_sha256, operator_id, purpose, ticket_id, expires_at)
    values (${challengeSha256}, ${held.operatorId}, ${held.purpose}, ${held.ticketId},
      now() + make_interval(secs => ${challengeLifetimeMs / 1000}))`.execute(tx);
}

/** Uses a challenge up; false when it was made for something else, has expired, or was used before. */
export async function takeChallenge(tx: Tx, held: ChallengeFor, challengeSha256: Buffer): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    delete from operator_challenge
    where challenge_sha256 = ${challengeSha256} and operator_id = ${held.operatorId} and purpose = ${held.purpose}
      and ticket_id is not distinct from ${held.ticketId}::uuid
    returning expires_at > now() as holds`.execute(tx);
  return rows[0]?.holds ?? false;
}
