import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { newId } from '../../../../platform/ids.ts';
import { linkLifetimeMs } from '../domain.ts';
import type { AccountRow } from './accounts.ts';

export type LinkPurpose = 'invitation' | 'reset';

/** Keeps the hash of a link's token, and ends the links before it. @returns when it expires */
export async function insertLink(
  tx: PlatformTx,
  operatorId: string,
  purpose: LinkPurpose,
  tokenSha256: Buffer,
): Promise<Date> {
  await endLinks(tx, operatorId);
  const { rows } = await sql<{ expiresAt: Date }>`
    insert into operator_activation (id, operator_id, purpose, token_sha256, expires_at)
    values (${newId()}, ${operatorId}, ${purpose}, ${tokenSha256}, now() + make_interval(secs => ${linkLifetimeMs / 1000}))
    returning expires_at as "expiresAt"`.execute(tx);
  return rows[0]?.expiresAt ?? new Date();
}

/** Links that were not used hold no longer. */
export async function endLinks(tx: PlatformTx, operatorId: string): Promise<void> {
  await sql`
    update operator_activation set replaced_at = now()
    where operator_id = ${operatorId} and used_at is null and replaced_at is null`.execute(tx);
}

export interface LinkRow extends Pick<AccountRow, 'email' | 'name' | 'role' | 'language'> {
  id: string;
  operatorId: string;
  purpose: LinkPurpose;
  expiresAt: Date;
}

/** The link of a token if it holds and its owner waits for it, locked with the account until the transaction's end; null otherwise. */
export async function lockLink(tx: Tx, tokenSha256: Buffer): Promise<LinkRow | null> {
  const { rows } = await sql<LinkRow>`
    select a.id, a.operator_id as "operatorId", a.purpose, a.expires_at as "expiresAt", o.email, o.name, o.role, o.language
    from operator_activation a join operator_account o on o.id = a.operator_id
    where a.token_sha256 = ${tokenSha256} and a.used_at is null and a.replaced_at is null and a.expires_at > now()
      and o.state = 'invited'
    for update`.execute(tx);
  return rows[0] ?? null;
}

export async function useLink(tx: Tx, id: string): Promise<void> {
  await sql`update operator_activation set used_at = now() where id = ${id}`.execute(tx);
}
