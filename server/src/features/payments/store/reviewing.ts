import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { PaymentContent } from '../../outgoing/index.ts';

/** A payment out of a bank as risk and its approvers judge it; amounts in minor units, its value in US cents as it was submitted. */
export interface ReviewedPayout extends PaymentContent {
  type: 'fiat_payout' | 'crypto_payout';
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
  /** What pays it where its currency is bought: as it was submitted, until it is carried out. */
  coins: { asset: string; decimals: number; quantityMinor: bigint; feeMinor: bigint } | null;
}

/** With the coin side as its columns. */
interface Flat extends Omit<ReviewedPayout, 'coins' | 'boughtWith'> {
  payingWalletId: string;
  payingAsset: string;
  payingDecimals: number;
  payingMinor: bigint;
  payingFeeMinor: bigint;
  boundMinor: bigint | null;
}

export async function readReviewed(tx: Tx, id: string): Promise<ReviewedPayout | null> {
  const { rows } = await sql<Flat>`
    select t.id, t.company_id as "companyId", t.type, t.status, t.stage, coalesce(o.wallet_id, t.wallet_id) as "walletId",
      null as "chainId", o.asset_id as coin, a.decimals, coalesce(o.amount, t.quantity) as "amountMinor",
      coalesce(o.fee, t.fee) as "feeMinor", t.wallet_id as "payingWalletId", t.coin as "payingAsset", paying.decimals as "payingDecimals",
      t.quantity as "payingMinor", t.fee as "payingFeeMinor", e.bound as "boundMinor", t.value_usd_cents as "valueUsdCents", t.payee_id as "payeeId",
      t.payee_account as "payeeAccount", t.payee_name as "payeeName", t.initiator_id as "initiatorId", t.notes, t.created_at as "createdAt",
      available.balance as "availableMinor", p.status as "payeeStatus", p.created_at as "payeeAddedAt",
      p.created_by_name as "payeeAddedBy", o.version_id as "versionId", p.version_id as "currentVersionId", v.country, o.terms,
      array(select f.file_id::text from outgoing_attachment f
        where f.company_id = t.company_id and f.transaction_id = t.id order by f.position) as "attachmentIds"
    from transaction t
    join payout o on o.company_id = t.company_id and o.transaction_id = t.id
    join bank_payee_version v on v.company_id = o.company_id and v.id = o.version_id
    join asset a on a.id = o.asset_id
    join asset paying on paying.id = t.coin
    left join exchange e on e.company_id = t.company_id and e.transaction_id = t.id
    join ledger_account available
      on available.company_id = t.company_id and available.owner_id = t.wallet_id and available.kind = 'available'
    left join bank_payee p on p.company_id = t.company_id and p.id = t.payee_id
    where t.company_id = company_id() and t.id = ${id}`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const {
    payingWalletId,
    payingAsset: asset,
    payingDecimals: decimals,
    payingMinor,
    payingFeeMinor,
    boundMinor,
    ...payout
  } = row;
  if (boundMinor === null) return { ...payout, coins: null, boughtWith: null };
  const coins = { asset, decimals, quantityMinor: payingMinor, feeMinor: payingFeeMinor };
  return { ...payout, coins, boughtWith: { walletId: payingWalletId, boundMinor } };
}

/** Payments to a payee that were made before an instant: how many, and when the last one was submitted. */
export async function countPaidTo(
  tx: Tx,
  payeeId: string,
  before: Date,
): Promise<{ count: number; lastAt: Date | null }> {
  const { rows } = await sql<{ count: number; lastAt: Date | null }>`
    select count(*), max(created_at) as "lastAt" from transaction
    where company_id = company_id() and payee_id = ${payeeId} and created_at < ${before} and type in ('fiat_payout', 'crypto_payout') and status = 'completed'`.execute(
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
    where t.company_id = company_id() and t.payee_id = ${payeeId} and t.stage = 'waiting_approval'
      and o.version_id <> ${versionId} order by t.id`.execute(tx);
  return rows.map(({ id }) => id);
}
