import type { AddressCode } from '@causeway/contract/payees.ts';
import type { Stage, TransactionStatus } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** A transfer as risk and its approvers judge it; amounts in minor units, its value in US cents as it was submitted. */
export interface ReviewedTransfer {
  id: string;
  companyId: string;
  status: TransactionStatus;
  stage: Stage;
  walletId: string;
  isFrozen: boolean;
  chainId: string;
  /** Names the chain's `ChainFamily`. */
  family: string;
  coin: string;
  decimals: number;
  quantityMinor: bigint;
  feeMinor: bigint;
  valueUsdCents: bigint | null;
  payeeId: string;
  payeeAccount: string;
  payeeName: string;
  payeeStatus: string | null;
  payeeCode: AddressCode;
  payeeAddedAt: Date | null;
  payeeAddedBy: string | null;
  initiatorId: string;
  notes: string;
  attachmentIds: string[];
  createdAt: Date;
  availableMinor: bigint;
}

export async function readReviewed(tx: Tx, id: string): Promise<ReviewedTransfer | null> {
  const { rows } = await sql<ReviewedTransfer>`
    select t.id, t.company_id as "companyId", t.status, t.stage, t.wallet_id as "walletId",
      w.frozen_at is not null as "isFrozen", t.chain_id as "chainId", c.family, t.coin, a.decimals, t.quantity as "quantityMinor",
      t.fee as "feeMinor", t.value_usd_cents as "valueUsdCents", t.payee_id as "payeeId",
      t.payee_account as "payeeAccount", t.payee_name as "payeeName", p.status as "payeeStatus",
      coalesce(p.code, 'unknown') as "payeeCode",
      p.created_at as "payeeAddedAt", p.created_by_name as "payeeAddedBy", t.initiator_id as "initiatorId",
      t.notes, t.created_at as "createdAt", available.balance as "availableMinor",
      array(select f.file_id::text from outgoing_attachment f
        where f.company_id = t.company_id and f.transaction_id = t.id order by f.position) as "attachmentIds"
    from transaction t
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id
    join chain c on c.id = t.chain_id
    join asset a on a.id = t.coin
    join ledger_account available
      on available.company_id = t.company_id and available.owner_id = t.wallet_id and available.kind = 'available'
    left join crypto_payee p on p.company_id = t.company_id and p.id = t.payee_id
    where t.company_id = company_id() and t.id = ${id} and t.type = 'chain_withdraw'`.execute(tx);
  return rows[0] ?? null;
}

/** Completed transfers to an account before an instant: how many, and when the last one was submitted. */
export async function countPaidTo(
  tx: Tx,
  account: string,
  before: Date,
): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*), max(t.created_at) as "lastAt"
    from crypto_payee p
    join transaction t on t.company_id = p.company_id and t.payee_id = p.id and t.created_at < ${before}
      and t.type = 'chain_withdraw' and t.status = 'completed'
    where p.company_id = company_id() and p.address = ${account}`.execute(tx);
  const [row] = rows;
  invariant(row, 'an aggregate answers a row');
  return row;
}
