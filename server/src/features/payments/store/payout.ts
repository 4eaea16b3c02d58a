import type { VerificationAnswer } from '@causeway/contract/bank-payees-rules.ts';
import type { PayoutForm } from '@causeway/contract/payments-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** A payment out of a bank, as its company may see it. */
export interface StoredPayout {
  form: PayoutForm;
  bank: { name: string; nameZhHk: string | null; nameZhCn: string | null };
  versionId: string;
  terms: string;
  /** Of the payee's currency, minor units. */
  asset: string;
  decimals: number;
  amountMinor: bigint;
  feeMinor: bigint;
  uetr: string | null;
  expectedFrom: string;
  expectedTo: string;
  changedUntil: Date | null;
  beforeVersionId: string | null;
  verification: 'match' | 'close' | 'none' | 'impossible' | null;
  verifiedName: string | null;
  verifiedAt: Date | null;
  messageId: string | null;
  fileName: string | null;
  transferId: string | null;
}

export async function findPayout(tx: Tx, id: string): Promise<StoredPayout | null> {
  const { rows } = await sql<StoredPayout>`
    select o.form, jsonb_build_object('name', b.name, 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn) as bank,
      o.version_id as "versionId", o.terms, o.asset_id as asset, a.decimals, coalesce(o.amount, t.quantity) as "amountMinor",
      coalesce(o.fee, t.fee) as "feeMinor", case when b.opens_accounts then null else o.uetr end as uetr, o.expected_from::text as "expectedFrom", o.expected_to::text as "expectedTo",
      o.changed_until as "changedUntil", o.before_version_id as "beforeVersionId", o.verification, o.verified_name as "verifiedName",
      o.verified_at as "verifiedAt",
      o.message_id as "messageId", o.file_name as "fileName", o.transfer_id as "transferId"
    from payout o
    join transaction t on t.company_id = o.company_id and t.id = o.transaction_id
    join asset a on a.id = o.asset_id
    join bank b on b.id = o.bank_id
    where o.company_id = company_id() and o.transaction_id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** What payments out of coins pay and what their bank takes, in the currency that was bought; minor units. */
export async function findBought(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; decimals: number; amountMinor: bigint; feeMinor: bigint }[]> {
  const { rows } = await sql<{ id: string; decimals: number; amountMinor: bigint; feeMinor: bigint }>`
    select wanted.id, a.decimals, o.amount as "amountMinor", o.fee as "feeMinor"
    from unnest(${[...ids]}::uuid[]) as wanted (id)
    cross join lateral (select asset_id, amount, fee from payout r
      where r.company_id = company_id() and r.transaction_id = wanted.id and r.amount is not null offset 0) o
    join asset a on a.id = o.asset_id`.execute(tx);
  return rows;
}

export interface BankAnswer {
  status: string | null;
  reason: string | null;
  words: string | null;
  at: Date;
}

/** What the bank said of it, the earliest first. */
export async function findAnswers(tx: Tx, id: string): Promise<BankAnswer[]> {
  const { rows } = await sql<BankAnswer>`
    select status, reason, words, at from payout_answer
    where company_id = company_id() and transaction_id = ${id} order by number`.execute(tx);
  return rows;
}

/** The currency of a payee's account; null when the company has no such payee at a bank. */
export async function findPayeeCurrency(tx: Tx, payeeId: string): Promise<string | null> {
  const { rows } = await sql<{ currency: string }>`
    select v.currency from bank_payee p join bank_payee_version v on v.company_id = p.company_id and v.id = p.version_id
    where p.company_id = company_id() and p.id = ${payeeId} and p.status <> 'deleted'`.execute(tx);
  return rows[0]?.currency ?? null;
}

/** The account that a payment goes to; null: its bank was asked for this payment before. */
export async function findPaidVersion(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ versionId: string }>`
    select version_id as "versionId" from payout
    where company_id = company_id() and transaction_id = ${id} and verified_at is null`.execute(tx);
  return rows[0]?.versionId ?? null;
}

/** Keeps what the payee's bank said when the payee was paid. */
export async function setPayoutVerification(
  tx: Tx,
  id: string,
  { answer, bankName }: { answer: VerificationAnswer; bankName: string | null },
): Promise<void> {
  await sql`
    update payout set verification = ${answer}, verified_name = ${bankName}, verified_at = now()
    where company_id = company_id() and transaction_id = ${id} and verified_at is null`.execute(tx);
}
