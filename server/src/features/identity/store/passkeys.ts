import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { challengeLifetimeMs } from '../domain.ts';

export interface PasskeyRow {
  id: string;
  name: string;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  synced: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
  suspectedAt: Date | null;
}

const columns = sql`id, name, credential_id as "credentialId", public_key as "publicKey", sign_count as "signCount",
  transports, synced, created_at as "createdAt", last_used_at as "lastUsedAt", suspected_at as "suspectedAt"`;

/** The newest first. */
export async function findPasskeys(tx: Tx, userId: string): Promise<PasskeyRow[]> {
  const { rows } = await sql<PasskeyRow>`
    select ${columns} from passkey where company_id = company_id() and user_id = ${userId} order by id desc`.execute(
    tx,
  );
  return rows;
}

/** Locked until the transaction's end, so that its counter is compared by one answer at a time. */
export async function lockPasskey(tx: Tx, userId: string, credentialId: Buffer): Promise<PasskeyRow | null> {
  const { rows } = await sql<PasskeyRow>`
    select ${columns} from passkey
    where company_id = company_id() and user_id = ${userId} and credential_id = ${credentialId} for update`.execute(tx);
  return rows[0] ?? null;
}

export interface NewPasskey {
  id: string;
  userId: string;
  name: string;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: readonly string[];
  synced: boolean;
}

/** Null when a member of the company has this passkey already. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<PasskeyRow | null> {
  const { rows } = await sql<PasskeyRow>`
    insert into passkey (company_id, id, user_id, name, credential_id, public_key, sign_count, transports, synced)
    values (company_id(), ${passkey.id}, ${passkey.userId}, ${passkey.name}, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.signCount}, ${[...passkey.transports]}::text[], ${passkey.synced})
    on conflict do nothing returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/** The name it had; null when the member has no such passkey. */
export async function updatePasskeyName(tx: Tx, userId: string, id: string, name: string): Promise<string | null> {
  const { rows } = await sql<{ before: string }>`
    update passkey set name = ${name}
    from (select name as before from passkey
      where company_id = company_id() and user_id = ${userId} and id = ${id} for update) as old
    where company_id = company_id() and user_id = ${userId} and id = ${id} returning old.before`.execute(tx);
  return rows[0]?.before ?? null;
}

/** False when the member has no such passkey. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from passkey where company_id = company_id() and user_id = ${userId} and id = ${id}`.execute(tx);
  return numAffectedRows === 1n;
}

export async function updatePasskeyUse(
  tx: Tx,
  id: string,
  { signCount, synced }: { signCount: number; synced: boolean },
): Promise<void> {
  await sql`
    update passkey set sign_count = ${signCount}, synced = ${synced}, last_used_at = now()
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function markPasskeySuspected(tx: Tx, id: string): Promise<void> {
  await sql`update passkey set suspected_at = now() where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Whom and what a challenge serves. `ticketId` with `login` alone. */
export interface ChallengeFor {
  userId: string;
  purpose: 'add' | 'login';
  ticketId: string | null;
}

/** Keeps a challenge; those of this member that have expired go. */
export async function insertChallenge(tx: Tx, held: ChallengeFor, challengeSha256: Buffer): Promise<void> {
  await sql`
    delete from passkey_challenge
    where company_id = company_id() and user_id = ${held.userId} and expires_at < now()`.execute(tx);
  await sql`
    insert into passkey_challenge (company_id, challenge_sha256, user_id, purpose, ticket_id, expires_at)
    values (company_id(), ${challengeSha256}, ${held.userId}, ${held.purpose}, ${held.ticketId},
      now() + make_interval(secs => ${challengeLifetimeMs / 1000}))`.execute(tx);
}

/** Uses a challenge up; false when it was made for something else, has expired, or was used before. */
export async function takeChallenge(tx: Tx, held: ChallengeFor, challengeSha256: Buffer): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    delete from passkey_challenge
    where company_id = company_id() and challenge_sha256 = ${challengeSha256} and user_id = ${held.userId}
      and purpose = ${held.purpose} and ticket_id is not distinct from ${held.ticketId}::uuid
    returning expires_at > now() as holds`.execute(tx);
  return rows[0]?.holds ?? false;
}
