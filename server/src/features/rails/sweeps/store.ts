import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import type { UnsweptAddress } from './domain.ts';

/** Coins at further addresses of companies, and the sweeps that move them. Amounts in minor units. */

/** A wallet on a chain, as its sweeps need it. */
export interface SweptWallet {
  walletId: string;
  chainId: string;
  coin: string;
  decimals: number;
  /** The company's account. */
  account: string;
}

export async function findSweptWallet(tx: Tx, walletId: string): Promise<SweptWallet | null> {
  const { rows } = await sql<SweptWallet>`
    select w.id as "walletId", w.chain_id as "chainId", w.asset_id as coin, a.decimals, o.address as account
    from wallet w join asset a on a.id = w.asset_id
    join chain_address o on o.company_id = w.company_id and o.chain_id = w.chain_id
    where w.company_id = company_id() and w.id = ${walletId}`.execute(tx);
  return rows[0] ?? null;
}

/** Sweeps of one wallet are made one after another, until the transaction ends. */
export async function lockSweeping(tx: Tx, walletId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sweep:' || ${walletId}, 0))`.execute(tx);
}

/**
 * Notes where deposits that are credited now lie, if that is at further addresses of a chain whose payments leave from one account. What
 * reaches a further address of Bitcoin is spent from there.
 */
export async function noteUnswept(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  await sql`
    insert into chain_unswept (company_id, wallet_id, address)
    select distinct t.company_id, t.wallet_id, f.address from transaction t
    join chain c on c.id = t.chain_id and c.family = 'evm'
    join chain_further_address f on f.company_id = t.company_id and f.chain_id = t.chain_id and f.address = t.payee_account
    where t.company_id = company_id() and t.id = any (${[...transactionIds]}::uuid[])
    on conflict do nothing`.execute(tx);
}

/** A sweep that was final is not any more: what it moved lies where it was. */
export async function noteUnsweptAgain(tx: Tx, walletId: string, address: string): Promise<void> {
  await sql`
    insert into chain_unswept (company_id, wallet_id, address) values (company_id(), ${walletId}, ${address})
    on conflict do nothing`.execute(tx);
}

/** What lies at an address `u` of the list: completed deposits less completed sweeps. */
const lying: RawBuilder<bigint> = sql`(
  coalesce((select sum(t.quantity) from transaction t where t.company_id = u.company_id
    and address_likeness(t.payee_account) = address_likeness(u.address) and t.payee_account = u.address
    and t.wallet_id = u.wallet_id and t.type = 'chain_deposit' and t.status = 'completed'), 0)
  - coalesce((select sum(t.quantity) from transaction t where t.company_id = u.company_id and t.wallet_id = u.wallet_id
    and t.payer_account = u.address and t.type = 'chain_sweep' and t.status = 'completed'), 0))`;

/** What of a wallet's coins lies at further addresses by the books: a payment from the company's account does not find it there. */
export const lyingApart = (walletId: string): RawBuilder<bigint> => sql`(
  select coalesce(sum(greatest(${lying}, 0)), 0) from chain_unswept u
  where u.company_id = company_id() and u.wallet_id = ${walletId})`;

/** How long an address rests after a sweep of it has failed. */
const restMinutes = 10;

export async function unsweptAddresses(tx: Tx, walletId: string): Promise<UnsweptAddress[]> {
  const { rows } = await sql<UnsweptAddress>`
    select u.address, ${lying} as "lyingMinor",
      coalesce((select sum(t.quantity) from transaction t where t.company_id = u.company_id and t.wallet_id = u.wallet_id
        and t.payer_account = u.address and t.type = 'chain_sweep' and t.status = 'pending'), 0) as "underWayMinor",
      exists (select from transaction t where t.company_id = u.company_id and t.wallet_id = u.wallet_id
        and t.payer_account = u.address and t.type = 'chain_sweep' and t.status = 'failed'
        and t.stage_at > now() - make_interval(mins => ${restMinutes})) as rests
    from chain_unswept u where u.company_id = company_id() and u.wallet_id = ${walletId} order by u.since, u.address`.execute(
    tx,
  );
  return rows;
}

/** Forgets addresses of a wallet at which nothing lies any more. */
export async function forgetSwept(tx: Tx, walletId: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await sql`
    delete from chain_unswept where company_id = company_id() and wallet_id = ${walletId}
      and address = any (${[...addresses]}::text[])`.execute(tx);
}

/** What of a sweep's address no other sweep takes and is credited: whether it can still be paid from there. */
export async function isStillLying(
  tx: Tx,
  sweep: { id: string; walletId: string; address: string; amountMinor: bigint },
): Promise<boolean> {
  const { rows } = await sql<{ lyingMinor: bigint }>`
    select ${lying} as "lyingMinor" from (
      select company_id() as company_id, ${sweep.walletId}::uuid as wallet_id, ${sweep.address}::text as address) u`.execute(
    tx,
  );
  return (rows[0]?.lyingMinor ?? 0n) >= sweep.amountMinor;
}

/** The wallets of all companies with something in the list. */
export async function findUnsweptWallets(tx: PlatformTx): Promise<{ companyId: string; walletId: string }[]> {
  const { rows } = await sql<{ companyId: string; walletId: string }>`
    select distinct company_id as "companyId", wallet_id as "walletId" from chain_unswept order by 1, 2`.execute(tx);
  return rows;
}

/**
 * Books what a payment of a sweep did to the gas at its further address, or takes it back: the tank's advance, or the network fee of the
 * attempt that is final. Called while the payment is final.
 */
export async function moveGas(tx: Tx, paymentId: string, direction: 'done' | 'undone'): Promise<void> {
  await sql`
    update chain_further_address f set gas = f.gas + ${direction === 'done' ? 1 : -1} * m.wei
    from (
      select t.chain_id, t.payer_account as address, case s.kind when 'gas' then s.amount else -s.gas_cost end as wei
      from chain_send s join transaction t on t.company_id = s.company_id and t.id = s.transfer_id and t.type = 'chain_sweep'
      where s.company_id = company_id() and s.payment_id = ${paymentId} and s.final_at is not null and s.gas_cost is not null
    ) m
    where f.company_id = company_id() and f.chain_id = m.chain_id and f.address = m.address`.execute(tx);
}

/**
 * Takes from the gas of a further address what a transaction that was no payment of ours has spent there, or gives it back: the next advance makes it
 * good. Any other address has none of its own.
 */
export async function chargeGas(tx: Tx, chainId: string, address: string, wei: bigint): Promise<void> {
  await sql`
    update chain_further_address set gas = gas - ${wei.toString()}::numeric
    where company_id = company_id() and chain_id = ${chainId} and address = ${address}`.execute(tx);
}

/** A sweep that the signer's journal has, as its entry says it. */
export interface SignedSweep {
  walletId: string;
  amountMinor: bigint;
  address: string;
}

export async function findSignedSweep(tx: Tx, id: string): Promise<SignedSweep | null> {
  const { rows } = await sql<SignedSweep>`
    select w.id as "walletId", j.amount as "amountMinor", j.from_address as address
    from signer_journal j join wallet w on w.company_id = j.company_id and w.chain_id = j.chain_id and w.asset_id = j.coin
    join chain_further_address f on f.company_id = j.company_id and f.chain_id = j.chain_id and f.address = j.from_address
    where j.company_id = company_id() and j.transfer_id = ${id} and j.kind = 'transfer' and j.ordinal is not null limit 1`.execute(
    tx,
  );
  return rows[0] ?? null;
}
