import { sql } from 'kysely';
import type { PlatformTx } from '../../../../platform/database/database.ts';

/** What the signer's journal says of nonces. */

/** The nonce after the highest that was ever signed for an address; 0 when there is none. */
export async function nonceAfterJournal(tx: PlatformTx, chainId: string, address: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(nonce) + 1, 0) as next from signer_journal
    where chain_id = ${chainId} and from_address = ${address}`.execute(tx);
  return rows[0]?.next ?? 0;
}

/** Moves the next nonce of every address of a chain past what the journal has signed. */
export async function passJournaledNonces(tx: PlatformTx, chainId: string): Promise<void> {
  for (const table of [sql`chain_address`, sql`chain_further_address`]) {
    await sql`
      update ${table} a set next_nonce = j.next
      from (select from_address, max(nonce) + 1 as next from signer_journal
        where imported and chain_id = ${chainId} group by from_address) j
      where a.chain_id = ${chainId} and a.address = j.from_address and a.next_nonce < j.next`.execute(tx);
  }
}
