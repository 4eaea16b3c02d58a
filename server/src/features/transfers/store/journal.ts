import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database.ts';
import type { Link } from '../../../platform/linked-log.ts';
import type { JournalEntry } from '../signing/journal.ts';
import type { Intent } from '../signing/journal-rules.ts';

/** The database's copy of the signer's journal, and what the signer says of the two. */

const columns = sql`
  company_id as "companyId", transfer_id as "transferId", payment_id as "paymentId", kind, chain_id as "chainId",
  from_address as "fromAddress", derivation_index as "derivationIndex", nonce, to_address as "toAddress", coin,
  amount as "amountMinor", gas_limit as "gasLimit", max_fee_per_gas as "maxFeePerGas",
  max_priority_fee_per_gas as "maxPriorityFeePerGas"`;

/** Holds back every other signer until the transaction's end. */
export async function lockJournal(tx: PlatformTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('causeway.signer_journal', 0))`.execute(tx);
}

/** The last entry that the database has; number 0 when it has none. */
export async function storedTip(tx: PlatformTx, start: string): Promise<Link> {
  const { rows } = await sql<Link>`
    select seq, entry_hash as hash from signer_journal where seq is not null order by seq desc limit 1`.execute(tx);
  return rows[0] ?? { seq: 0, hash: start };
}

/** How many entries the database has, with those that are older than the file. */
export async function countStored(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from signer_journal`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Entries after a number, in their order; those older than the file come first and have number 0. */
export async function storedAfter(
  tx: PlatformTx,
  after: { seq: number; id: number },
  limit: number,
): Promise<(JournalEntry & { id: number })[]> {
  const { rows } = await sql<JournalEntry & { id: number }>`
    select id, coalesce(seq, 0) as seq, coalesce(entry_hash, '') as hash, at, ${columns} from signer_journal
    where (coalesce(seq, 0), id) > (${after.seq}, ${after.id}) order by coalesce(seq, 0), id limit ${limit}`.execute(
    tx,
  );
  return rows;
}

/** Stores an entry; `txHash` null where the chain is no longer configured. */
export async function storeEntry(
  tx: PlatformTx,
  entry: JournalEntry,
  { txHash, imported }: { txHash: string | null; imported: boolean },
): Promise<void> {
  await sql`
    insert into signer_journal (seq, entry_hash, at, company_id, transfer_id, payment_id, kind, chain_id, from_address,
      derivation_index, nonce, to_address, coin, amount, gas_limit, max_fee_per_gas, max_priority_fee_per_gas, tx_hash,
      imported)
    values (${entry.seq}, ${entry.hash}, ${entry.at}, ${entry.companyId}, ${entry.transferId}, ${entry.paymentId},
      ${entry.kind}, ${entry.chainId}, ${entry.fromAddress}, ${entry.derivationIndex}, ${entry.nonce},
      ${entry.toAddress}, ${entry.coin}, ${entry.amountMinor.toString()}, ${entry.gasLimit.toString()},
      ${entry.maxFeePerGas.toString()}, ${entry.maxPriorityFeePerGas.toString()}, ${txHash}, ${imported})`.execute(tx);
}

/** An entry as the worker reads it. */
export interface SignedPayment extends Intent {
  txHash: string | null;
}

/** Every entry of the company's transfer and of the advances for it, in the order of signing. */
export async function signedFor(tx: Tx, transferId: string): Promise<SignedPayment[]> {
  const { rows } = await sql<SignedPayment>`
    select ${columns}, tx_hash as "txHash" from signer_journal
    where company_id = company_id() and transfer_id = ${transferId} order by coalesce(seq, 0), id`.execute(tx);
  return rows;
}

/** The nonce after the highest that was ever signed for an address; 0 when there is none. */
export async function nonceAfterJournal(tx: PlatformTx, chainId: string, address: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(nonce) + 1, 0) as next from signer_journal
    where chain_id = ${chainId} and from_address = ${address}`.execute(tx);
  return rows[0]?.next ?? 0;
}

/**
 * Transfers of whose signed payments the database lacks one: its entry was lost and brought back, or its bytes were never
 * stored. By company.
 */
export async function transfersToAdopt(tx: PlatformTx, chainId: string): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ companyId: string; transferIds: string[] }>`
    select company_id as "companyId", array_agg(distinct transfer_id::text) as "transferIds" from (
      select j.company_id, j.transfer_id from signer_journal j
      where j.imported and j.chain_id = ${chainId} and not exists (
        select from chain_send s where s.company_id = j.company_id and s.payment_id = j.payment_id and s.nonce = j.nonce
          and s.gas_limit = j.gas_limit and s.max_fee_per_gas = j.max_fee_per_gas
          and s.max_priority_fee_per_gas = j.max_priority_fee_per_gas and (s.hash is not null or j.tx_hash is null))
      union all
      select s.company_id, s.transfer_id from chain_send s
      where s.chain_id = ${chainId} and s.final_at is null and s.hash is null and exists (
        select from signer_journal j where j.payment_id = s.payment_id and j.tx_hash is not null)
    ) lacking group by company_id`.execute(tx);
  return new Map(rows.map(({ companyId, transferIds }) => [companyId, transferIds]));
}

/** A payment that was signed, that a restored database has lost, and that is to be offered to the nodes again. */
export interface ResentPayment {
  companyId: string;
  transferId: string;
  paymentId: string;
  fromAddress: string;
  nonce: number;
}

/** Those of a chain: advances of the gas tank, and payments that the operator decided to send. */
export async function paymentsToResend(tx: PlatformTx, chainId: string): Promise<ResentPayment[]> {
  const { rows } = await sql<ResentPayment>`
    select distinct j.company_id as "companyId", j.transfer_id as "transferId", j.payment_id as "paymentId",
      j.from_address as "fromAddress", j.nonce
    from signer_journal j
    where j.imported and j.chain_id = ${chainId}
      and (j.kind = 'gas' or exists (select from journal_resend r
        where r.company_id = j.company_id and r.payment_id = j.payment_id))
      and not exists (select from chain_send s where s.company_id = j.company_id and s.payment_id = j.payment_id)
      and not exists (select from unexplained_payment u where u.chain_id = j.chain_id
        and u.from_address = j.from_address and u.nonce = j.nonce)
    order by 4, 5`.execute(tx);
  return rows;
}

/** Moves the next nonce of every address of a chain past what the journal has signed. */
export async function passJournaledNonces(tx: PlatformTx, chainId: string): Promise<void> {
  await sql`
    update chain_address a set next_nonce = j.next
    from (select from_address, max(nonce) + 1 as next from signer_journal
      where imported and chain_id = ${chainId} group by from_address) j
    where a.chain_id = ${chainId} and a.address = j.from_address and a.next_nonce < j.next`.execute(tx);
}

export interface SignerState extends Link {
  agrees: boolean;
  /** One sentence: what the signer found. */
  finding: string;
}

export async function saveSignerState(tx: PlatformTx, { seq, hash, agrees, finding }: SignerState): Promise<void> {
  await sql`
    insert into signer_state (journal_seq, journal_hash, agrees, finding) values (${seq}, ${hash}, ${agrees}, ${finding})
    on conflict (one) do update set journal_seq = excluded.journal_seq, journal_hash = excluded.journal_hash,
      agrees = excluded.agrees, finding = excluded.finding, checked_at = now()`.execute(tx);
}

/** What the signer said last, and how many seconds ago; null when it never did. */
export async function findSignerState(tx: PlatformTx): Promise<(SignerState & { ageSeconds: number }) | null> {
  const { rows } = await sql<SignerState & { ageSeconds: number }>`
    select journal_seq as seq, journal_hash as hash, agrees, finding,
      extract(epoch from now() - checked_at)::int as "ageSeconds" from signer_state`.execute(tx);
  return rows[0] ?? null;
}
