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
