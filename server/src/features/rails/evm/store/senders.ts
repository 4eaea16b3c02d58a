import { sql } from 'kysely';
import type { PlatformTx } from '../../../../platform/database/database.ts';
import type { Sender } from '../../store/holds.ts';

/** Nonces of sending addresses. */

export async function setNextNonce(tx: PlatformTx, chainId: string, address: string, nonce: number): Promise<void> {
  await sql`update chain_address set next_nonce = ${nonce} where chain_id = ${chainId} and address = ${address}`.execute(
    tx,
  );
}

/** Addresses with a payment that no block has yet, or with a hold. */
export async function activeSenders(tx: PlatformTx, chainId: string): Promise<Sender[]> {
  const { rows } = await sql<Sender>`
    select a.company_id as "companyId", a.chain_id as "chainId", a.address, a.next_nonce as "nextNonce"
    from chain_address a
    where a.chain_id = ${chainId} and a.address in (
      select s.from_address from chain_send s
      where s.chain_id = ${chainId} and s.final_at is null and s.mined_block is null
      union select h.address from sender_hold h where h.chain_id = ${chainId})`.execute(tx);
  return rows;
}

/** Addresses in the order of their owners, behind one owner; for going through all of them in parts. */
export async function sendersAfter(
  tx: PlatformTx,
  chainId: string,
  companyId: string | null,
  limit: number,
): Promise<Sender[]> {
  const { rows } = await sql<Sender>`
    select company_id as "companyId", chain_id as "chainId", address, next_nonce as "nextNonce" from chain_address
    where chain_id = ${chainId} and (${companyId}::uuid is null or company_id > ${companyId}::uuid)
    order by company_id limit ${limit}`.execute(tx);
  return rows;
}
