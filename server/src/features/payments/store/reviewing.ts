import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { PaymentContent } from '../../outgoing/index.ts';

/** A payment out of a bank as risk and its approvers judge it; amounts in minor units, its value in US cents as it was submitted. */
export interface ReviewedPayout extends PaymentContent {
  status: TransactionStatus;
  stage: Stage;
  decimals: number;
  feeMinor: bigint;
  valueUsdCents: bigint | null;
  initiatorId: string;
  createdAt: Date;
  availableMinor: bigint;
  payeeName: string;
  payeeStatus: string | null;
  payeeAddedAt: Date | null;
  payeeAddedBy: string | null;
  /** The account that it was submitted with, and that of its payee now. */
  versionId: string;
  currentVersionId: string | null;
  country: string;
  terms: string;
}

export async function readReviewed(tx: Tx, id: string): Promise<ReviewedPayout | null> {
  const { rows } = await sql<ReviewedPayout>`
    select t.id, t.company_id as "companyId", t.status, t.stage, t.wallet_id as "walletId", t.chain_id as "chainId", t.coin, a.decimals,
      t.quantity as "amountMinor", t.fee as "feeMinor", t.value_usd_cents as "valueUsdCents", t.payee_id as "payeeId",
      t.payee_account as "payeeAccount", t.payee_name as "payeeName", t.initiator_id as "initiatorId", t.notes, t.created_at as "createdAt",
      available.balance as "availableMinor", p.status as "payeeStatus", p.created_at as "payeeAddedAt",
      p.created_by_name as "payeeAddedBy", o.version_id as "versionId", p.version_id as "currentVersionId", v.country, o.terms,
      array(select f.file_id::text from outgoing_attachment f
        where f.company_id = t.company_id and f.transaction_id = t.id order by f.position) as "attachmentIds"
    from transaction t
    join payout o on o.company_id = t.company_id and o.transaction_id = t.id
    join bank_payee_version v on v.company_id = o.company_id and v.id = o.version_id
    join asset a on a.id = t.coin
    join ledger_account available
      on available.company_id = t.company_id and available.owner_id = t.wallet_id and available.kind = 'available'
    left join bank_payee p on p.company_id = t.company_id and p.id = t.payee_id
    where t.company_id = company_id() and t.id = ${id} and t.type = 'fiat_payout'`.execute(tx);
  return rows[0] ?? null;
}

/** Payments to a payee that were made before an instant: how many, and when the last one was submitted. */
export async function countPaidTo(
  tx: Tx,
  payeeId: string,
  before: Date,
): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*), max(created_at) as "lastAt" from transaction
    where company_id = company_id() and payee_id = ${payeeId} and created_at < ${before} and type = 'fiat_payout' and status = 'completed'`.execute(
    tx,
  );
  const [row] = rows;
  invariant(row, 'an aggregate answers a row');
  return row;
}

/** Payments to a payee that wait for approval with another account than this one. */
export async function waitingWithOther(tx: Tx, payeeId: string, versionId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from transaction t join payout o on o.company_id = t.company_id and o.transaction_id = t.id
    where t.company_id = company_id() and t.payee_id = ${payeeId} and t.type = 'fiat_payout' and t.stage = 'waiting_approval'
      and o.version_id <> ${versionId} order by t.id`.execute(tx);
  return rows.map(({ id }) => id);
}
