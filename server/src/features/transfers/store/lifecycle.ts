import type { Stage, TransactionStatus, TransactionType } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';

/** A transaction as its lifecycle needs it; amounts in minor units. */
export interface LifecycleRow {
  id: string;
  type: TransactionType;
  status: TransactionStatus;
  stage: Stage;
  walletId: string;
  chainId: string;
  coin: string;
  quantityMinor: bigint;
  feeMinor: bigint;
  payeeId: string | null;
  payeeName: string | null;
  payeeAccount: string | null;
  payerName: string | null;
  payerAccount: string | null;
  initiatorId: string | null;
  initiatorName: string | null;
  digest: Buffer | null;
  hash: string | null;
  createdAt: Date;
}

/** Reads one transaction and locks it until the transaction's end; null when the company has none of this id. */
export async function lockTransaction(tx: Tx, id: string): Promise<LifecycleRow | null> {
  const { rows } = await sql<LifecycleRow>`
    select id, type, status, stage, wallet_id as "walletId", chain_id as "chainId", coin, quantity as "quantityMinor",
      fee as "feeMinor", payee_id as "payeeId", payee_name as "payeeName", payee_account as "payeeAccount",
      payer_name as "payerName", payer_account as "payerAccount", initiator_id as "initiatorId",
      initiator_name as "initiatorName", digest, hash, created_at as "createdAt"
    from transaction where company_id = company_id() and id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

export interface StageChange {
  stage: Stage;
  status?: TransactionStatus;
  actor?: { id: string; name: string };
  hash?: string;
  /** The id of a sentence, `stage.reason.*`. */
  reason?: string;
  confirmations?: number;
}

/**
 * Moves a transaction to a stage and writes it into the timeline, if it still stands at one of `from`.
 * @returns whether it did; of two that race, exactly one.
 */
export async function changeStage(tx: Tx, id: string, from: readonly Stage[], change: StageChange): Promise<boolean> {
  const { rows } = await sql`
    with moved as (
      update transaction set stage = ${change.stage}, stage_at = now(), updated_at = now(),
        status = coalesce(${change.status ?? null}, status),
        completed_at = case when ${change.status ?? null}::text in ('completed', 'failed') then now() else completed_at end,
        hash = coalesce(${change.hash ?? null}, hash),
        failure_reason = coalesce(${change.status === 'failed' ? (change.reason ?? null) : null}, failure_reason)
      where company_id = company_id() and id = ${id} and stage = any (${[...from]}::text[])
      returning company_id, id
    )
    insert into transaction_stage (company_id, transaction_id, id, stage, actor_id, actor_name, hash, reason, confirmations)
    select company_id, id, ${newId()}, ${change.stage}, ${change.actor?.id ?? null}::uuid, ${change.actor?.name ?? null},
      ${change.hash ?? null}, ${change.reason ?? null}, ${change.confirmations ?? null}::integer
    from moved returning 1`.execute(tx);
  return rows.length === 1;
}

/** Writes the refund that gives a failed or cancelled transfer's hold back, and links the two rows. */
export async function insertRefund(tx: Tx, transfer: LifecycleRow, refundId: string): Promise<void> {
  await sql`
    with refund as (
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, fee,
        payee_name, payee_account, payer_name, payer_account, initiator_id, initiator_name, related_id, completed_at)
      values (company_id(), ${refundId}, 'failed_refund', 'completed', 'completed', 'in', ${transfer.walletId},
        ${transfer.chainId}, ${transfer.coin}, ${(transfer.quantityMinor + transfer.feeMinor).toString()}, 0,
        ${transfer.payerName}, ${transfer.payerAccount}, ${transfer.payerName}, ${transfer.payerAccount},
        ${transfer.initiatorId}, ${transfer.initiatorName}, ${transfer.id}, now())
      returning company_id, id
    ), linked as (
      update transaction set related_id = ${refundId}, updated_at = now()
      where company_id = company_id() and id = ${transfer.id}
    )
    insert into transaction_stage (company_id, transaction_id, id, stage)
    select company_id, id, ${newId()}, 'refunded' from refund`.execute(tx);
}

export interface BookedPayment {
  transactionId: string;
  walletId: string;
  chainId: string;
  coin: string;
  amountMinor: bigint;
  fromAddress: string;
  toAddress: string | null;
  hash: string;
  blockNumber: number;
  blockHash: string;
  /** The operator's words. */
  reason: string | null;
}

/** Writes a payment that was found on the chain as a completed transaction of the company, with the operator's reason. */
export async function insertBooked(tx: Tx, booked: BookedPayment): Promise<void> {
  await sql`
    with made as (
      insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity,
        payer_account, payee_account, description, hash, block_number, block_hash, completed_at)
      values (company_id(), ${booked.transactionId}, 'chain_withdraw', 'completed', 'completed', 'out',
        ${booked.walletId}, ${booked.chainId}, ${booked.coin}, ${booked.amountMinor.toString()}, ${booked.fromAddress},
        ${booked.toAddress}, ${booked.reason ?? ''}, ${booked.hash}, ${booked.blockNumber}, ${booked.blockHash}, now())
      returning company_id, id
    )
    insert into transaction_stage (company_id, transaction_id, id, stage, hash, reason)
    select company_id, id, ${newId()}, 'completed', ${booked.hash}, 'stage.reason.booked' from made`.execute(tx);
}

/** Adds a line to the timeline of a transaction that stays at its stage, such as a replacement's hash. */
export async function noteStage(tx: Tx, id: string, note: { stage: Stage; hash?: string; reason?: string }) {
  await sql`
    insert into transaction_stage (company_id, transaction_id, id, stage, hash, reason)
    values (company_id(), ${id}, ${newId()}, ${note.stage}, ${note.hash ?? null}, ${note.reason ?? null})`.execute(tx);
}

/** Writes where on the chain a transaction stands; null when it is in no block. */
export async function placeTransaction(
  tx: Tx,
  id: string,
  hash: string,
  block: { height: number; hash: string } | null,
): Promise<void> {
  await sql`
    update transaction set hash = ${hash}, block_number = ${block?.height ?? null}, block_hash = ${block?.hash ?? null},
      confirmations = ${block ? 0 : null}::integer, updated_at = now()
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Opens a completed transfer again, after a reorganisation deeper than the chain's depth. */
export async function reopenTransaction(tx: Tx, id: string, reason: string): Promise<void> {
  await sql`
    with opened as (
      update transaction set status = 'pending', stage = 'broadcast', stage_at = now(), completed_at = null,
        updated_at = now()
      where company_id = company_id() and id = ${id} and status = 'completed'
      returning company_id, id
    )
    insert into transaction_stage (company_id, transaction_id, id, stage, reason)
    select company_id, id, ${newId()}, 'broadcast', ${reason} from opened`.execute(tx);
}
