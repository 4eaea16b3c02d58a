import type { VerificationAnswer } from '@causeway/contract/bank-payees-rules.ts';
import type { PayoutForm } from '@causeway/contract/payments-rules.ts';
import type { LifeType } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';

/** What is kept of a payment out of a bank. */
export interface BankPart {
  form: PayoutForm;
  bankId: string;
  versionId: string;
  /** As `writeTerms` wrote it. */
  terms: string;
  /** UUID v4. */
  uetr: string;
  /** ISO 8601 days between which it is expected at the payee's bank. */
  expected: { earliest: string; latest: string };
  /** The account counts as changed until then, and the payee had this one before. */
  changed: { until: Date; beforeVersionId: string | null } | null;
  verification: { answer: VerificationAnswer; bankName: string | null } | null;
  /** What leaves where it is bought for the payment, and the wallet that it leaves from; minor units. */
  bought?: { walletId: string; asset: string; amountMinor: bigint; feeMinor: bigint };
}

/** What a payment has beside its transaction: its attachments, and the authorisation that is verified before anything leaves. */
export interface PaymentParts {
  coin: string;
  bank: BankPart | null;
  companyId: string;
  id: string;
  attachmentIds: readonly string[];
  authorisation: string;
}

export async function insertPaymentParts(tx: CompaniesTx, payments: readonly PaymentParts[]): Promise<void> {
  const attachments = payments.flatMap(({ companyId, id, attachmentIds }) =>
    attachmentIds.map((fileId, position) => ({ companyId, id, fileId, position })),
  );
  const attached = sql`attachments as (
      insert into outgoing_attachment (company_id, transaction_id, file_id, position)
      select * from unnest(${attachments.map(({ companyId }) => companyId)}::uuid[], ${attachments.map(({ id }) => id)}::uuid[],
        ${attachments.map(({ fileId }) => fileId)}::uuid[], ${attachments.map(({ position }) => position)}::integer[])
    )`;
  const payouts = payments.flatMap(({ companyId, id, coin, bank }) =>
    bank ? [payoutRow(companyId, id, coin, bank)] : [],
  );
  const ordered = sql`payouts as (
      insert into payout (company_id, transaction_id, form, bank_id, asset_id, version_id, terms, uetr, expected_from, expected_to,
        changed_until, before_version_id, verification, verified_name, wallet_id, amount, fee)
      select * from jsonb_to_recordset(${JSON.stringify(payouts)}::jsonb) as r (company_id uuid, transaction_id uuid, form text,
        bank_id text, asset_id text, version_id uuid, terms text, uetr uuid, expected_from date, expected_to date,
        changed_until timestamptz, before_version_id uuid, verification text, verified_name text, wallet_id uuid, amount numeric,
        fee numeric)
    )`;
  const beside = [...(attachments.length > 0 ? [attached] : []), ...(payouts.length > 0 ? [ordered] : [])];
  await sql`
    ${beside.length > 0 ? sql`with ${sql.join(beside)}` : sql``}
    insert into outgoing_authorisation (company_id, transaction_id, jws)
    select * from unnest(${payments.map(({ companyId }) => companyId)}::uuid[], ${payments.map(({ id }) => id)}::uuid[],
      ${payments.map(({ authorisation }) => authorisation)}::text[])`.execute(tx);
}

function payoutRow(companyId: string, id: string, asset: string, bank: BankPart): Record<string, unknown> {
  return {
    company_id: companyId,
    transaction_id: id,
    form: bank.form,
    bank_id: bank.bankId,
    asset_id: asset,
    version_id: bank.versionId,
    terms: bank.terms,
    uetr: bank.uetr,
    expected_from: bank.expected.earliest,
    expected_to: bank.expected.latest,
    changed_until: bank.changed?.until ?? null,
    before_version_id: bank.changed?.beforeVersionId ?? null,
    verification: bank.verification?.answer ?? null,
    verified_name: bank.verification?.bankName ?? null,
    wallet_id: bank.bought?.walletId ?? null,
    amount: bank.bought?.amountMinor.toString() ?? null,
    fee: bank.bought?.feeMinor.toString() ?? null,
  };
}

/**
 * Holds back the operator's switches of a chain, or of the banks (null), until the transaction ends: what looks afterwards whether something is
 * switched off sees every switch that has committed, and a later one commits after this transaction.
 */
export async function holdSwitches(tx: Tx, chainId: string | null): Promise<void> {
  const place = chainId === null ? 'banks' : `chain:${chainId}`;
  await sql`select pg_advisory_xact_lock_shared(switch_lock(${place}))`.execute(tx);
}

/** Whether the operator lets nothing leave from a wallet's bank: the bank or its currency is off, or payouts are paused. False of a wallet on a chain. */
export async function isBankClosed(tx: Tx, walletId: string): Promise<boolean> {
  const { rows } = await sql`
    select from wallet w
    left join bank_asset ba on ba.bank_id = w.bank_id and ba.asset_id = w.asset_id
    left join bank b on b.id = w.bank_id
    where w.company_id = company_id() and w.id = ${walletId} and w.bank_id is not null
      and (ba.bank_id is null or ba.payouts_paused or ba.payouts_off or not ba.enabled or not b.enabled)`.execute(tx);
  return rows.length > 0;
}

/** What leaves of a payment whose currency was bought for it; minor units. */
export interface BoughtSide {
  walletId: string;
  coin: string;
  quantityMinor: bigint;
  feeMinor: bigint;
  /** The number of the account that it leaves from. */
  payerAccount: string | null;
}

/** Null where its currency is not bought for it. */
export async function findBoughtSide(tx: Tx, id: string): Promise<BoughtSide | null> {
  const { rows } = await sql<BoughtSide>`
    select p.wallet_id as "walletId", p.asset_id as coin, p.amount as "quantityMinor", p.fee as "feeMinor",
      own.account_number as "payerAccount"
    from payout p
    left join bank_account own on own.company_id = p.company_id and own.bank_id = p.bank_id and own.asset_id = p.asset_id
    where p.company_id = company_id() and p.transaction_id = ${id} and p.wallet_id is not null`.execute(tx);
  return rows[0] ?? null;
}

/** The ids of a payment's attachments in the order in which they were given. */
export async function readAttachmentIds(tx: Tx, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select file_id as id from outgoing_attachment
    where company_id = company_id() and transaction_id = ${id} order by position`.execute(tx);
  return rows.map((row) => row.id);
}

export interface UnsentPayment {
  id: string;
  type: LifeType;
}

/** Payments of these types that no rail has begun to send. */
export async function findUnsent(tx: Tx, types: readonly LifeType[]): Promise<UnsentPayment[]> {
  const { rows } = await sql<UnsentPayment>`
    select id, type from transaction
    where company_id = company_id() and type = any (${[...types]}::text[]) and status = 'pending'
      and stage in ('waiting_approval', 'approved', 'waiting_rate')
    order by id`.execute(tx);
  return rows;
}
