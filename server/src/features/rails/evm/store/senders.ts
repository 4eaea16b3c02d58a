import { sql } from 'kysely';
import type { PlatformTx } from '../../../../platform/database/database.ts';
import type { Sender } from '../../store/holds.ts';

/** Nonces of sending addresses. */

export async function setNextNonce(tx: PlatformTx, chainId: string, address: string, nonce: number): Promise<void> {
  for (const table of [sql`chain_address`, sql`chain_further_address`]) {
    await sql`update ${table} set next_nonce = ${nonce} where chain_id = ${chainId} and address = ${address}`.execute(
      tx,
    );
  }
}

/** Every address that may send: accounts, and further addresses, from which sweeps are made. */
const senders = sql`(
  select company_id, chain_id, address, next_nonce from chain_address
  union all select company_id, chain_id, address, next_nonce from chain_further_address)`;

/** Addresses with a payment that no block has yet, or with a hold. */
export async function activeSenders(tx: PlatformTx, chainId: string): Promise<Sender[]> {
  const { rows } = await sql<Sender>`
    select a.company_id as "companyId", a.chain_id as "chainId", a.address, a.next_nonce as "nextNonce"
    from ${senders} a
    where a.chain_id = ${chainId} and a.address in (
      select s.from_address from chain_send s
      where s.chain_id = ${chainId} and s.final_at is null and s.mined_block is null
      union select h.address from sender_hold h where h.chain_id = ${chainId})`.execute(tx);
  return rows;
}

/** Addresses in their order, behind one; for going through all of them in parts. Further ones from which nothing was sent are left out. */
export async function sendersAfter(
  tx: PlatformTx,
  chainId: string,
  after: string | null,
  limit: number,
): Promise<Sender[]> {
  const { rows } = await sql<Sender>`
    select company_id as "companyId", chain_id as "chainId", address, next_nonce as "nextNonce" from (
      select company_id, chain_id, address, next_nonce from chain_address
      union all select company_id, chain_id, address, next_nonce from chain_further_address where next_nonce > 0) a
    where chain_id = ${chainId} and (${after}::text is null or address > ${after}::text)
    order by address limit ${limit}`.execute(tx);
  return rows;
}
