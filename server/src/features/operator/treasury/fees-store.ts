import { listFeePayments, listFeeSources } from '@causeway/contract/operator-treasury.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import type { FeeSource } from './domain.ts';

/** Fees at companies' addresses, and the payments that collect them. Amounts in minor units. */

/** What of a wallet's fees is on its way: its payments that are pending, and those that the worker has yet to take up. */
const underWay: RawBuilder<bigint> = sql`(
  coalesce((select sum(t.quantity) from transaction t where t.company_id = w.company_id and t.wallet_id = w.id
    and t.type = 'fee_withdraw' and t.status = 'pending'), 0)
  + coalesce((select sum(p.amount) from operator_fee_payment p where p.company_id = w.company_id and p.wallet_id = w.id
    and p.refusal is null and not exists (select from transaction t where t.company_id = p.company_id and t.id = p.id)), 0))`;

/** Wallets on chains with what they have of fees; the wallet is `w`, its account `l`. */
const feeWallets: RawBuilder<unknown> = sql`
  ledger_account l join wallet w on w.company_id = l.company_id and w.id = l.owner_id and w.chain_id is not null`;

export interface FeeTotal {
  chainId: string;
  chainName: string;
  coin: string;
  decimals: number;
  feeMinor: bigint;
  underWayMinor: bigint;
  collectedMinor: bigint;
  companies: number;
  proposalId: string | null;
}

export async function findFeeTotals(tx: PlatformTx): Promise<FeeTotal[]> {
  const { rows } = await sql<FeeTotal>`
    with wallets as (
      select w.chain_id, w.asset_id, l.balance as fee, ${underWay} as under_way
      from ${feeWallets} where l.kind = 'fee' and l.balance > 0
    ), held as (
      select chain_id, asset_id, sum(fee) as fee, sum(under_way) as under_way, count(*) as companies from wallets group by 1, 2
    ), gone as (
      select chain_id, coin as asset_id, sum(quantity) as collected from transaction
      where type = 'fee_withdraw' and status = 'completed' group by 1, 2
    )
    select ca.chain_id as "chainId", c.name as "chainName", ca.coin, a.decimals, coalesce(h.fee, 0) as "feeMinor",
      coalesce(h.under_way, 0) as "underWayMinor", coalesce(g.collected, 0) as "collectedMinor",
      coalesce(h.companies, 0)::integer as companies,
      (select p.id from operator_proposal p where p.kind = 'fees.withdraw' and p.subject_id = ca.chain_id || ':' || ca.coin
        and p.state = 'open' and p.expires_at > now()) as "proposalId"
    from chain_asset ca join chain c on c.id = ca.chain_id join asset a on a.id = ca.coin
    left join held h on h.chain_id = ca.chain_id and h.asset_id = ca.coin
    left join gone g on g.chain_id = ca.chain_id and g.asset_id = ca.coin
    where h.fee is not null or g.collected is not null
    order by c.name, ca.chain_id, ca.coin`.execute(tx);
  return rows;
}

export interface SourceRow extends FeeSource {
  companyName: string;
}

const sourceColumns = sql<SourceRow>`
  w.company_id as "companyId", w.id as "walletId", coalesce(y.name, '') as "companyName", l.balance as "feeMinor",
  ${underWay} as "underWayMinor", w.frozen_at is not null or y.frozen_at is not null as frozen`;

/** Every wallet of a coin with fees. */
export async function findFeeSources(
  tx: PlatformTx,
  chainId: string,
  coin: string,
  walletIds: readonly string[] | null = null,
): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select ${sourceColumns} from ${feeWallets} left join company y on y.company_id = w.company_id
    where l.kind = 'fee' and l.balance > 0 and w.chain_id = ${chainId} and w.asset_id = ${coin}
      and (${walletIds}::uuid[] is null or w.id = any (${walletIds}::uuid[]))`.execute(tx);
  return rows;
}

export interface ListedSource extends SourceRow {
  address: string | null;
}

export const sourceList = defineList(listFeeSources, {
  from: () => sql`${feeWallets} left join company y on y.company_id = w.company_id
    left join chain_address o on o.company_id = w.company_id and o.chain_id = w.chain_id`,
  where: () => sql`l.kind = 'fee' and l.balance > 0`,
  filters: {
    chainId: (chainId) => sql`w.chain_id = ${chainId}`,
    coin: (coin) => sql`w.asset_id = ${coin}`,
  },
  columns: () => sql`${sourceColumns}, o.address` as RawBuilder<ListedSource>,
  // As text of one length: a balance may be beyond what a cursor's numbers hold.
  orders: { amount: { by: sql`lpad(l.balance::text, 78, '0')`, kind: 'text' } },
  first: { sort: 'amount', order: 'desc' },
  id: sql`w.id`,
});

export interface NewFeePayment {
  id: string;
  proposalId: string;
  companyId: string;
  walletId: string;
  chainId: string;
  coin: string;
  amountMinor: bigint;
  addressId: string;
  address: string;
  jws: string;
}

export async function insertFeePayment(tx: Tx, payment: NewFeePayment): Promise<void> {
  await sql`
    insert into operator_fee_payment (id, proposal_id, company_id, wallet_id, chain_id, coin, amount, address_id, address, jws)
    values (${payment.id}, ${payment.proposalId}, ${payment.companyId}, ${payment.walletId}, ${payment.chainId}, ${payment.coin},
      ${payment.amountMinor.toString()}, ${payment.addressId}, ${payment.address}, ${payment.jws})`.execute(tx);
}

export interface FeePaymentRow {
  id: string;
  proposalId: string;
  companyId: string;
  companyName: string;
  chainId: string;
  chainName: string;
  explorerUrl: string | null;
  coin: string;
  decimals: number;
  amountMinor: bigint;
  address: string;
  label: string;
  refusal: string | null;
  stage: string | null;
  hash: string | null;
  failureReason: string | null;
  at: Date;
}

export const paymentList = defineList(listFeePayments, {
  from: () => sql`operator_fee_payment p join chain c on c.id = p.chain_id join asset a on a.id = p.coin
    join operator_treasury_address d on d.id = p.address_id
    left join company y on y.company_id = p.company_id
    left join transaction t on t.company_id = p.company_id and t.id = p.id
    left join transaction_chain x on x.company_id = t.company_id and x.transaction_id = t.id`,
  where: () => sql`true`,
  filters: { proposalId: (proposalId) => sql`p.proposal_id = ${proposalId}` },
  columns: () =>
    sql`p.id, p.proposal_id as "proposalId", p.company_id as "companyId", coalesce(y.name, '') as "companyName",
      p.chain_id as "chainId", c.name as "chainName", c.explorer_url as "explorerUrl", p.coin, a.decimals, p.amount as "amountMinor",
      p.address, d.label, p.refusal, t.stage, x.hash, t.failure_reason as "failureReason", p.created_at as at` as RawBuilder<FeePaymentRow>,
  orders: { time: { by: sql`p.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`p.id`,
});

/** What the worker reads of a payment: what it is to make a transaction of. */
export type DueFeePayment = Omit<NewFeePayment, 'jws'> & { label: string };

export async function findDuePayments(tx: PlatformTx, proposalId: string): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from operator_fee_payment where proposal_id = ${proposalId} and refusal is null order by id`.execute(tx);
  return rows;
}

export async function findFeePayment(tx: PlatformTx, id: string): Promise<Omit<NewFeePayment, 'jws'> | null> {
  const { rows } = await sql<Omit<NewFeePayment, 'jws'>>`
    select id, proposal_id as "proposalId", company_id as "companyId", wallet_id as "walletId", chain_id as "chainId", coin,
      amount as "amountMinor", address_id as "addressId", address
    from operator_fee_payment where id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export async function refuseFeePayment(tx: PlatformTx, id: string, key: string): Promise<void> {
  await sql`update operator_fee_payment set refusal = ${key} where id = ${id} and refusal is null`.execute(tx);
}

/**
 * What of a wallet's fees no other payment takes, read by the worker in the company's transaction. The wallet's collections wait for one
 * another until the transaction ends.
 */
export async function lockFreeFees(tx: Tx, walletId: string): Promise<{ feeMinor: bigint; underWayMinor: bigint }> {
  await sql`select pg_advisory_xact_lock(hashtextextended('fees:' || ${walletId}, 0))`.execute(tx);
  const { rows } = await sql<{ feeMinor: bigint; underWayMinor: bigint }>`
    select l.balance as "feeMinor",
      coalesce((select sum(t.quantity) from transaction t where t.company_id = l.company_id and t.wallet_id = l.owner_id
        and t.type = 'fee_withdraw' and t.status = 'pending'), 0) as "underWayMinor"
    from ledger_account l where l.company_id = company_id() and l.owner_id = ${walletId} and l.kind = 'fee'`.execute(
    tx,
  );
  return rows[0] ?? { feeMinor: 0n, underWayMinor: 0n };
}

/** Whether the address of a payment is not in the book any more. */
export async function isAddressGone(tx: Tx, addressId: string): Promise<boolean> {
  const { rows } = await sql`
    select from operator_treasury_address where id = ${addressId} and removed_at is null`.execute(tx);
  return rows.length === 0;
}

/** Whether a payment has its transaction, or was refused. */
export async function isDone(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from transaction where company_id = company_id() and id = ${id}
    union all select from operator_fee_payment where id = ${id} and refusal is not null`.execute(tx);
  return rows.length > 0;
}
