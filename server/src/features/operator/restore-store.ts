import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database.ts';

/** What the operator reads of a restore: what the journal signed and the database does not know. */

export interface RestoreCounts {
  /** Signed payments whose transfers are known, and which the worker has not taken over yet. */
  toAdopt: number;
  unexplained: number;
  held: number;
  /** Pending transfers that go out by themselves once sending is on again. */
  waiting: number;
}

/** An entry that came back from the journal and that no payment has. */
const imported = sql`
  select j.payment_id, j.transfer_id, j.company_id, j.chain_id, j.from_address, j.nonce, j.kind from signer_journal j
  where j.imported and not exists (select from chain_send s where s.company_id = j.company_id
    and s.payment_id = j.payment_id and s.nonce = j.nonce and s.gas_limit = j.gas_limit
    and s.max_fee_per_gas = j.max_fee_per_gas and s.max_priority_fee_per_gas = j.max_priority_fee_per_gas
    and (s.hash is not null or j.tx_hash is null))
  and not exists (select from unexplained_payment u where u.chain_id = j.chain_id and u.from_address = j.from_address
    and u.nonce = j.nonce)`;

export async function countForRelease(tx: PlatformTx): Promise<RestoreCounts> {
  const { rows } = await sql<RestoreCounts>`
    select
      (select count(*) from (${imported}) i where exists (select from transaction t
        where t.company_id = i.company_id and t.id = i.transfer_id)) as "toAdopt",
      (select count(*) from unexplained_payment where state = 'open') as unexplained,
      (select count(*) from sender_hold) as held,
      (select count(*) from transaction where type = 'chain_withdraw' and status = 'pending'
        and stage in ('approved', 'signing')) as waiting`.execute(tx);
  return rows[0] ?? { toAdopt: 0, unexplained: 0, held: 0, waiting: 0 };
}

/** How many nonces of each address of a chain are known: given by the worker, or signed. */
export async function findKnownNonces(
  tx: PlatformTx,
  chainId: string,
): Promise<{ address: `0x${string}`; known: number }[]> {
  const { rows } = await sql<{ address: `0x${string}`; known: number }>`
    select a.address, greatest(a.next_nonce, (select max(j.nonce) + 1 from signer_journal j
      where j.chain_id = a.chain_id and j.from_address = a.address)) as known
    from chain_address a where a.chain_id = ${chainId} order by a.address`.execute(tx);
  return rows;
}

/** A payment to a payee that was signed, whose transfer the database has lost, and which no block has. */
export interface LostPayment {
  companyId: string;
  transferId: string;
  chainId: string;
  fromAddress: string;
  nonce: number;
}

export async function findLost(tx: PlatformTx): Promise<LostPayment[]> {
  const { rows } = await sql<LostPayment>`
    select distinct i.company_id as "companyId", i.transfer_id as "transferId", i.chain_id as "chainId", i.from_address as "fromAddress", i.nonce
    from (${imported}) i where i.kind = 'transfer' and not exists (select from transaction t
      where t.company_id = i.company_id and t.id = i.transfer_id)
      and not exists (select from journal_resend r where r.company_id = i.company_id and r.payment_id = i.payment_id)
    order by 3, 4, 5`.execute(tx);
  return rows;
}

/** Writes the decision to offer a lost payment to the nodes again; of a transfer the payment has the id. */
export async function insertResend(tx: Tx, transferId: string, reason: string, by: string): Promise<void> {
  await sql`
    insert into journal_resend (company_id, payment_id, reason, decided_by)
    values (company_id(), ${transferId}, ${reason}, ${by})`.execute(tx);
}
