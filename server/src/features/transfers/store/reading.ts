import type { Stage, TransactionStatus, TransactionType } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';

/** A transaction as it is shown; amounts in minor units. */
export interface TransactionRow {
  id: string;
  type: TransactionType;
  status: TransactionStatus;
  stage: Stage;
  stageAt: Date;
  direction: 'in' | 'out';
  walletId: string;
  chainId: string | null;
  chainName: string | null;
  confirmationsNeeded: number | null;
  explorerUrl: string | null;
  coin: string;
  decimals: number;
  quantityMinor: bigint;
  feeMinor: bigint;
  payeeId: string | null;
  payerName: string | null;
  payerAccount: string | null;
  payeeName: string | null;
  payeeAccount: string | null;
  description: string;
  notes: string;
  hash: string | null;
  blockNumber: number | null;
  confirmations: number | null;
  initiatorId: string | null;
  initiatorName: string | null;
  relatedId: string | null;
  failureReason: string | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
}

/** The company's transactions of these ids, in the order of the ids. */
export async function readTransactions(tx: Tx, ids: readonly string[]): Promise<TransactionRow[]> {
  const { rows } = await sql<TransactionRow>`
    select t.id, t.type, t.status, t.stage, t.stage_at as "stageAt", t.direction, t.wallet_id as "walletId",
      t.chain_id as "chainId", c.name as "chainName", c.confirmations as "confirmationsNeeded",
      c.explorer_url as "explorerUrl", t.coin, a.decimals, t.quantity as "quantityMinor", t.fee as "feeMinor",
      t.payee_id as "payeeId", t.payer_name as "payerName", t.payer_account as "payerAccount",
      t.payee_name as "payeeName", t.payee_account as "payeeAccount", t.description, t.notes, t.hash,
      t.block_number as "blockNumber", t.confirmations, t.initiator_id as "initiatorId",
      t.initiator_name as "initiatorName", t.related_id as "relatedId", t.failure_reason as "failureReason",
      t.created_at as "createdAt", t.updated_at as "updatedAt", t.completed_at as "completedAt"
    from transaction t join asset a on a.id = t.coin left join chain c on c.id = t.chain_id
    where t.company_id = company_id() and t.id = any (${[...ids]}::uuid[])`.execute(tx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** One step of the timeline; `reason` is the id of a sentence. */
export interface StageRow {
  stage: Stage;
  at: Date;
  actor: string | null;
  hash: string | null;
  reason: string | null;
  confirmations: number | null;
}

export async function readStages(tx: Tx, transactionId: string): Promise<StageRow[]> {
  const { rows } = await sql<StageRow>`
    select stage, at, actor_name as actor, hash, reason, confirmations from transaction_stage
    where company_id = company_id() and transaction_id = ${transactionId} order by at, id`.execute(tx);
  return rows;
}

/** Hashes under which a transfer was broadcast, the newest first. */
export async function readBroadcastHashes(tx: Tx, transferId: string): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hash from chain_send
    where company_id = company_id() and transfer_id = ${transferId} and kind = 'transfer'
      and first_broadcast_at is not null
    order by attempt desc`.execute(tx);
  return rows.map((row) => row.hash);
}

/** The ids of a transfer's attachments in the order in which they were given. */
export async function readAttachmentIds(tx: Tx, transferId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select file_id as id from transfer_attachment
    where company_id = company_id() and transaction_id = ${transferId} order by position`.execute(tx);
  return rows.map((row) => row.id);
}

/** Transfers to a payee: how many, and when the last one was submitted. */
export async function countTransfersTo(tx: Tx, payeeId: string): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*), max(created_at) as "lastAt" from transaction
    where company_id = company_id() and payee_id = ${payeeId}`.execute(tx);
  return rows[0] ?? { count: 0, lastAt: null };
}

/** Addresses that the company has dealt with on a chain, with these first and last four hex characters. */
export async function findDealtWith(
  tx: Tx,
  chainId: string,
  likeness: string,
): Promise<{ address: string; name: string | null }[]> {
  const { rows } = await sql<{ address: string; name: string | null }>`
    select address, name from transaction_addresses_like(${chainId}, ${likeness}, 20)`.execute(tx);
  return rows;
}

/** What keeps a company's pending transfer beyond its stage; `behind` is the transfer whose nonce comes first. */
export interface Obstruction {
  kind: 'superseded' | 'restoring' | 'held' | 'behind';
  behind: string | null;
}

/** Why a pending transfer does not go on although its stage would let it; null when nothing is in its way. */
export async function findObstruction(tx: Tx, transferId: string): Promise<Obstruction | null> {
  const { rows } = await sql<{
    isSuperseded: boolean;
    isRestoring: boolean;
    isHeld: boolean;
    isMined: boolean;
    behind: string | null;
  }>`
    select exists (select from restore_mode where released_at is null) as "isRestoring",
      coalesce(bool_and(s.superseded_at is not null), false) as "isSuperseded",
      exists (select from sender_hold h where h.company_id = company_id() and h.chain_id = t.chain_id) as "isHeld",
      coalesce(bool_or(s.mined_block is not null), false) as "isMined",
      (select o.transfer_id from chain_send o
        where o.company_id = company_id() and o.chain_id = t.chain_id and o.kind = 'transfer' and o.final_at is null
          and o.transfer_id <> t.id and (max(s.nonce) is null or o.nonce < max(s.nonce))
        group by o.transfer_id, o.nonce having not bool_or(o.mined_block is not null)
        order by o.nonce limit 1) as behind
    from transaction t
    left join chain_send s on s.company_id = t.company_id and s.transfer_id = t.id and s.kind = 'transfer'
    where t.company_id = company_id() and t.id = ${transferId} and t.type = 'chain_withdraw'
      and t.stage in ('approved', 'signing', 'broadcast')
    group by t.id, t.chain_id`.execute(tx);
  const row = rows[0];
  if (!row || row.isMined) return null;
  if (row.isSuperseded) return { kind: 'superseded', behind: null };
  if (row.isRestoring) return { kind: 'restoring', behind: null };
  if (row.isHeld) return { kind: 'held', behind: null };
  return row.behind === null ? null : { kind: 'behind', behind: row.behind };
}
