import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database/database.ts';
import { eachPayment, isUnexplained, lacksAttempt } from '../chains/index.ts';

/** What the operator reads of a restore: what the journal signed and the database does not know. */

export interface RestoreCounts {
  /** Signed payments whose transfers are known, and which the worker has not taken over yet. */
  toAdopt: number;
  unexplained: number;
  held: number;
  /** Pending transfers that go out by themselves once sending is on again. */
  waiting: number;
  /** Companies with rows of batches that are held and no transactions yet (docs/adr/0116-…). */
  queued: number;
}

/** An entry that came back from the journal and that no payment has. */
const imported = sql`
  select m.payment_id, m.transfer_id, j.company_id, j.chain_id, j.from_address, j.nonce, j.kind from signer_journal j ${eachPayment}
  where j.imported and ${lacksAttempt} and not ${isUnexplained}`;

export async function countForRelease(tx: PlatformTx): Promise<RestoreCounts> {
  const { rows } = await sql<RestoreCounts>`
    select
      (select count(*) from (${imported}) i where exists (select from transaction t
        where t.company_id = i.company_id and t.id = i.transfer_id)) as "toAdopt",
      (select count(*) from unexplained_payment where state = 'open') as unexplained,
      (select count(*) from sender_hold) as held,
      (select count(*) from transaction where direction = 'out' and chain_id is not null and status = 'pending'
        and stage in ('approved', 'signing')) as waiting,
      (select count(*) from payout_batches_queued()) as queued`.execute(tx);
  return rows[0] ?? { toAdopt: 0, unexplained: 0, held: 0, waiting: 0, queued: 0 };
}

/** An address of ours, and how many of its nonces are known: given by the worker, or signed; 0 on a chain that has none. */
export interface KnownAddress {
  address: string;
  known: number;
}

export async function findKnown(tx: PlatformTx, chainId: string): Promise<KnownAddress[]> {
  const { rows } = await sql<KnownAddress>`
    select o.address, greatest(a.next_nonce, f.next_nonce, (select max(j.nonce) + 1 from signer_journal j
      where j.chain_id = o.chain_id and j.from_address = o.address)) as known
    from chain_own_address o
    left join chain_address a on a.company_id = o.company_id and a.chain_id = o.chain_id and a.address = o.address
    left join chain_further_address f on f.company_id = o.company_id and f.chain_id = o.chain_id and f.address = o.address
    where o.chain_id = ${chainId} order by o.address`.execute(tx);
  return rows.map(({ address, known }) => ({ address, known: known ?? 0 }));
}

/** Those of these transactions that neither an attempt nor the journal has. */
export async function unknownHashes(tx: PlatformTx, chainId: string, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select h.hash from unnest(${[...hashes]}::text[]) h (hash)
    where not exists (select from chain_send s where s.chain_id = ${chainId} and s.hash = h.hash)
      and not exists (select from signer_journal j where j.chain_id = ${chainId} and j.tx_hash = h.hash)`.execute(tx);
  return rows.map(({ hash }) => hash);
}

/** A payment to a payee that was signed, whose transfer the database has lost, and which no block has. */
export interface LostPayment {
  companyId: string;
  transferId: string;
  chainId: string;
  /** Null on a chain whose payments have none. */
  fromAddress: string | null;
  nonce: number | null;
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

/** Addresses that were shown to payers, and whose payment requests the database has lost (docs/adr/0106-…). */
export interface Orphaned {
  addresses: number;
  companies: number;
  /** Deposits that reached them. */
  payments: number;
}

export async function findOrphaned(tx: PlatformTx): Promise<Orphaned> {
  const { rows } = await sql<Orphaned>`
    with orphaned as (
      select f.company_id, f.chain_id, f.address, f.derivation_index from chain_further_address f
      where f.is_apart and not exists (select from payment_request_address d
        where d.company_id = f.company_id and d.chain_id = f.chain_id and d.address = f.address))
    select count(distinct (company_id, derivation_index)) as addresses, count(distinct company_id) as companies,
      (select count(*) from orphaned o join wallet w on w.company_id = o.company_id and w.chain_id = o.chain_id
        join transaction t on t.company_id = w.company_id and t.wallet_id = w.id and t.type = 'chain_deposit'
          and t.payee_account = o.address and t.status <> 'failed') as payments
    from orphaned`.execute(tx);
  return rows[0] ?? { addresses: 0, companies: 0, payments: 0 };
}

/** Writes the decision to offer a lost payment to the nodes again; of a transfer the payment has the id. */
export async function insertResend(tx: Tx, transferId: string, reason: string, by: string): Promise<void> {
  await sql`
    insert into journal_resend (company_id, payment_id, reason, decided_by)
    values (company_id(), ${transferId}, ${reason}, ${by})`.execute(tx);
}
