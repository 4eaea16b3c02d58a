import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database.ts';

/** What the signer reads for itself, with rights of its own: nothing it is told is believed. */

export interface SigningRecord {
  companyId: string;
  transferId: string;
  type: string;
  status: string;
  walletId: string;
  isFrozen: boolean;
  payeeId: string | null;
  payeeAddress: string | null;
  chainId: string;
  evmChainId: number;
  coin: string;
  /** EIP-55; null for the chain's own coin. */
  contract: string | null;
  amountMinor: bigint;
  notes: string;
  address: string;
  derivationIndex: number | null;
  attachmentIds: string[];
  jws: string | null;
  /** The timeline, which nobody can shorten, says that it was cancelled, refused or has failed. */
  hasEnded: boolean;
}

export async function readSigningRecord(
  tx: PlatformTx,
  companyId: string,
  transferId: string,
): Promise<SigningRecord | null> {
  const { rows } = await sql<SigningRecord>`
    select t.company_id as "companyId", t.id as "transferId", t.type, t.status, t.wallet_id as "walletId",
      w.frozen_at is not null as "isFrozen", t.payee_id as "payeeId", t.payee_account as "payeeAddress",
      t.chain_id as "chainId", c.evm_chain_id as "evmChainId", t.coin, a.contract, t.quantity as "amountMinor",
      t.notes, o.address, o.derivation_index as "derivationIndex", s.jws,
      array(select f.file_id::text from transfer_attachment f
        where f.company_id = t.company_id and f.transaction_id = t.id) as "attachmentIds",
      exists (select from transaction_stage e where e.company_id = t.company_id and e.transaction_id = t.id
        and e.stage in ('cancelled', 'refused', 'failed')) as "hasEnded"
    from transaction t
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id and w.chain_id = t.chain_id and w.coin = t.coin
    join chain c on c.id = t.chain_id
    join chain_asset a on a.chain_id = t.chain_id and a.coin = t.coin
    join chain_address o on o.company_id = t.company_id and o.chain_id = t.chain_id
    left join transfer_authorisation s on s.company_id = t.company_id and s.transfer_id = t.id
    where t.company_id = ${companyId}::uuid and t.id = ${transferId}::uuid`.execute(tx);
  return rows[0] ?? null;
}

/** The sealed decisions of a task; the signer believes their seals, and nothing else of the row. */
export async function readSealedDecisions(tx: PlatformTx, companyId: string, taskId: string): Promise<string[]> {
  const { rows } = await sql<{ jws: string }>`
    select jws from approval_decision where company_id = ${companyId}::uuid and task_id = ${taskId}::uuid`.execute(tx);
  return rows.map((row) => row.jws);
}

/** One intent of the journal: written before signing, never changed. Amount in minor units, fees in wei per gas. */
export interface Intent {
  companyId: string;
  transferId: string;
  paymentId: string;
  kind: 'transfer' | 'gas';
  chainId: string;
  fromAddress: string;
  nonce: number;
  toAddress: string;
  coin: string;
  amountMinor: bigint;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** Every intent that has this payment or this sender and nonce. */
export async function relatedIntents(tx: PlatformTx, intent: Intent): Promise<Intent[]> {
  const { rows } = await sql<Intent>`
    select company_id as "companyId", transfer_id as "transferId", payment_id as "paymentId", kind, chain_id as "chainId",
      from_address as "fromAddress", nonce, to_address as "toAddress", coin, amount as "amountMinor",
      gas_limit as "gasLimit", max_fee_per_gas as "maxFeePerGas", max_priority_fee_per_gas as "maxPriorityFeePerGas"
    from signer_journal
    where payment_id = ${intent.paymentId}::uuid
      or (chain_id = ${intent.chainId} and from_address = ${intent.fromAddress} and nonce = ${intent.nonce})`.execute(
    tx,
  );
  return rows;
}

/** Holds back every other signer until the transaction's end. */
export async function lockJournal(tx: PlatformTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('causeway.signer_journal', 0))`.execute(tx);
}

export async function writeIntent(tx: PlatformTx, intent: Intent): Promise<void> {
  await sql`
    insert into signer_journal (company_id, transfer_id, payment_id, kind, chain_id, from_address, nonce, to_address, coin,
      amount, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
    values (${intent.companyId}, ${intent.transferId}, ${intent.paymentId}, ${intent.kind}, ${intent.chainId},
      ${intent.fromAddress}, ${intent.nonce}, ${intent.toAddress}, ${intent.coin}, ${intent.amountMinor.toString()},
      ${intent.gasLimit.toString()}, ${intent.maxFeePerGas.toString()}, ${intent.maxPriorityFeePerGas.toString()})`.execute(
    tx,
  );
}

/** How many advances the journal has since an instant. */
export async function advancesSince(tx: PlatformTx, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct payment_id) as count from signer_journal where kind = 'gas' and at > ${since}`.execute(tx);
  return rows[0]?.count ?? 0;
}
