import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { treasuryOwner } from '../../chains/index.ts';
import { lyingApart } from '../sweeps/store.ts';
import type { Leg, SettlementDirection } from './domain.ts';

/** Settlements, their legs, and the payments that wait for them. Amounts in minor units. */

/** A wallet on a chain, as its settlements need it. */
export interface SettledWallet {
  walletId: string;
  chainId: string;
  coin: string;
  decimals: number;
  /** The company's address there, and the treasury's; null before it is opened. */
  address: string;
  treasury: string | null;
}

export async function findSettledWallet(tx: Tx, walletId: string): Promise<SettledWallet | null> {
  const { rows } = await sql<SettledWallet>`
    select w.id as "walletId", w.chain_id as "chainId", w.asset_id as coin, a.decimals, o.address,
      (select t.address from chain_address t where t.company_id = ${treasuryOwner}::uuid and t.chain_id = w.chain_id) as treasury
    from wallet w join asset a on a.id = w.asset_id join chain_address o on o.company_id = w.company_id and o.chain_id = w.chain_id
    where w.company_id = company_id() and w.id = ${walletId}`.execute(tx);
  return rows[0] ?? null;
}

export async function treasuryAddress(tx: PlatformTx, chainId: string): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`
    select address from chain_address where company_id = ${treasuryOwner}::uuid and chain_id = ${chainId}`.execute(tx);
  return rows[0]?.address ?? null;
}

/** Settlements of one wallet are made one after another, until the transaction ends. */
export async function lockSettling(tx: Tx, walletId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('settlement:' || ${walletId}, 0))`.execute(tx);
}

/**
 * Whether a leg is due: neither a settlement has it nor an entry of the signer's journal whose settlement a restored database has lost. The signer
 * signs no other payment of such a leg, which would keep the rest of its settlement from being paid.
 */
function isDue(companyId: RawBuilder<unknown>, exchangeId: RawBuilder<unknown>, side: RawBuilder<unknown>) {
  // Two conditions, not the negation of one: so both are anti-joins.
  return sql`${hasNoSettlement(companyId, exchangeId, side)} and not exists (select from signer_journal j
      where j.company_id = ${companyId} and j.legs is not null and j.legs ? (${exchangeId}::text || '/' || ${side}))`;
}

function hasNoSettlement(companyId: RawBuilder<unknown>, exchangeId: RawBuilder<unknown>, side: RawBuilder<unknown>) {
  return sql`not exists (select from settlement_leg l
      where l.company_id = ${companyId} and l.exchange_id = ${exchangeId} and l.side = ${side})`;
}

/** The legs of executed exchanges in a wallet that are not settled, the oldest first. */
export async function findDueLegs(tx: Tx, walletId: string, most: number): Promise<Leg[]> {
  const { rows } = await sql<Leg>`
    select d.exchange_id as "exchangeId", d.side, d.amount as "amountMinor" from (${dueOf(walletId)}) d
    order by d.executed_at, d.exchange_id limit ${most}`.execute(tx);
  return rows;
}

/** What all legs of a wallet that are not settled come to; positive: owed to the platform. */
export async function findDueNet(tx: Tx, walletId: string): Promise<bigint> {
  const { rows } = await sql<{ netMinor: bigint }>`
    select coalesce(sum(case d.side when 'sold' then d.amount else -d.amount end), 0) as "netMinor"
    from (${dueOf(walletId)}) d`.execute(tx);
  return rows[0]?.netMinor ?? 0n;
}

/** Whether the database has no settlement of some leg of a wallet, be it due or signed and lost by a restore. */
export async function lacksSettlements(tx: Tx, walletId: string): Promise<boolean> {
  const { rows } = await sql`select from (${dueOf(walletId, hasNoSettlement)}) d limit 1`.execute(tx);
  return rows.length > 0;
}

function dueOf(walletId: string, condition = isDue) {
  return sql`
    select e.* from (
      select e.transaction_id as exchange_id, 'sold' as side, e.executed_sold as amount, e.executed_at from exchange e
      where e.company_id = company_id() and e.sell_wallet_id = ${walletId} and e.executed_at is not null
      union all
      select e.transaction_id, 'bought', e.executed_bought, e.executed_at from exchange e
      where e.company_id = company_id() and e.buy_wallet_id = ${walletId} and e.executed_at is not null
    ) e
    where ${condition(sql`company_id()`, sql`e.exchange_id`, sql`e.side`)}`;
}

export interface NewSettlement {
  id: string;
  wallet: SettledWallet;
  direction: SettlementDirection;
  amountMinor: bigint;
  cause: 'payment' | 'nightly' | 'threshold' | 'restored';
  legs: readonly Leg[];
}

export async function insertSettlement(tx: Tx, settlement: NewSettlement): Promise<void> {
  const { id, wallet, direction, amountMinor, cause, legs } = settlement;
  await sql`
    insert into settlement (company_id, id, wallet_id, chain_id, coin, direction, amount, cause)
    values (company_id(), ${id}, ${wallet.walletId}, ${wallet.chainId}, ${wallet.coin}, ${direction}, ${amountMinor.toString()},
      ${cause})`.execute(tx);
  await sql`
    insert into settlement_leg (company_id, exchange_id, side, settlement_id, amount)
    select company_id(), l.* from unnest(${legs.map(({ exchangeId }) => exchangeId)}::uuid[], ${legs.map(({ side }) => side)}::text[],
      ${legs.map(() => id)}::uuid[], ${legs.map(({ amountMinor: minor }) => minor.toString())}::numeric[]) as l`.execute(
    tx,
  );
}

/** What of a wallet's coins a payment that was not begun may take. */
export interface Coverage {
  /** Booked as held at the company's account, less what arrives and may vanish, network fees advanced, and what other payments take. */
  freeMinor: bigint;
  /** Credited at further addresses of the company, and not swept for good: no part of `freeMinor`. */
  apartMinor: bigint;
  /** A settlement of the wallet is under way. */
  isSettling: boolean;
  /** The payment is among those that wait for coins. */
  isWaiting: boolean;
}

/** In one statement: a payment that becomes final moves between two of these figures. */
export async function coverageOf(tx: Tx, transfer: { id: string; walletId: string }): Promise<Coverage> {
  const { rows } = await sql<Coverage>`
    select -coalesce(sum(a.balance) filter (where a.kind in ('chain', 'gas', 'inbound')), 0) - coalesce((
        select sum(o.amount) from (
          -- By the address, whose open payments are few however many it has made.
          select distinct s.payment_id, s.amount from wallet w
          join chain_address c on c.company_id = w.company_id and c.chain_id = w.chain_id
          join chain_send s on s.chain_id = c.chain_id and s.from_address = c.address and s.kind = 'transfer' and s.final_at is null
          join transaction t on t.company_id = s.company_id and t.id = s.transfer_id and t.wallet_id = w.id
          where w.company_id = company_id() and w.id = ${transfer.walletId} and s.company_id = w.company_id and t.id <> ${transfer.id}) o), 0)
        - ${lyingApart(transfer.walletId)} as "freeMinor",
      ${lyingApart(transfer.walletId)} as "apartMinor",
      exists (select from transaction t where t.company_id = company_id() and t.wallet_id = ${transfer.walletId}
        and t.type in ('fx_settlement_in', 'fx_settlement_out') and t.status = 'pending' and t.id <> ${transfer.id}) as "isSettling",
      exists (select from settlement_wait w where w.company_id = company_id() and w.transaction_id = ${transfer.id}) as "isWaiting"
    from ledger_account a where a.company_id = company_id() and a.owner_id = ${transfer.walletId}`.execute(tx);
  return rows[0] ?? { freeMinor: 0n, apartMinor: 0n, isSettling: false, isWaiting: false };
}

/** What a payment waits for: coins that the platform owes, or coins at further addresses of the company. */
export type WaitCause = 'exchanged' | 'swept';

/** @returns whether the payment did not wait for this before */
export async function insertWait(tx: Tx, transactionId: string, walletId: string, cause: WaitCause): Promise<boolean> {
  const { rows } = await sql`
    insert into settlement_wait as w (company_id, transaction_id, wallet_id, cause)
    values (company_id(), ${transactionId}, ${walletId}, ${cause})
    on conflict (company_id, transaction_id) do update set cause = excluded.cause where w.cause <> excluded.cause
    returning 1`.execute(tx);
  return rows.length > 0;
}

export async function deleteWait(tx: Tx, transactionId: string): Promise<void> {
  await sql`delete from settlement_wait where company_id = company_id() and transaction_id = ${transactionId}`.execute(
    tx,
  );
}

/** The payments that wait for coins of a wallet, the oldest first; those that have ended are forgotten. */
export async function takeWaiting(tx: Tx, walletId: string): Promise<string[]> {
  await sql`
    delete from settlement_wait w where w.company_id = company_id() and w.wallet_id = ${walletId} and not exists (
      select from transaction t where t.company_id = w.company_id and t.id = w.transaction_id and t.status = 'pending')`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string }>`
    select transaction_id as id from settlement_wait where company_id = company_id() and wallet_id = ${walletId}
    order by since, transaction_id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** A wallet on a chain with legs that are not settled, all of them or those of the last days. */
export interface DueWallet {
  companyId: string;
  walletId: string;
  coin: string;
  decimals: number;
  /** Positive: owed to the platform. */
  netMinor: bigint;
}

export async function findDueWallets(tx: PlatformTx, withinDays: number | null): Promise<DueWallet[]> {
  const executed =
    withinDays === null
      ? sql`executed_at is not null`
      : sql`executed_at > now() - make_interval(days => ${withinDays})`;
  const { rows } = await sql<DueWallet>`
    select d.company_id as "companyId", d.wallet_id as "walletId", d.asset as coin, a.decimals, sum(d.amount) as "netMinor" from (
      select company_id, transaction_id, 'sold' as side, sell_wallet_id as wallet_id, sell_asset as asset, executed_sold as amount
      from exchange where ${executed}
      union all
      select company_id, transaction_id, 'bought', buy_wallet_id, buy_asset, -executed_bought from exchange where ${executed}
    ) d
    join asset a on a.id = d.asset and exists (select from chain_asset c where c.coin = a.id)
    where ${isDue(sql`d.company_id`, sql`d.transaction_id`, sql`d.side`)}
    group by 1, 2, 3, 4 order by 1, 2`.execute(tx);
  return rows;
}
