import type { SwitchKind } from '@causeway/contract/operator-prices.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import type { PlaceNames } from '../../banks/index.ts';

/** What the operator has switched off, as rows that end when it is on again. */

export interface OffRow {
  id: string;
  /** Of a chain or of a bank. */
  chainId: string | null;
  bankId: string | null;
  /** What chain or bank is called in English. */
  placeName: string;
  /** A coin on the chain, a currency at the bank; null: the whole chain. */
  coin: string | null;
  what: SwitchKind;
  at: Date;
  by: string;
  reason: string;
}

/** What is off now, the longest first; one, where it is named. */
export async function findAllOff(tx: PlatformTx, id: string | null = null): Promise<OffRow[]> {
  const { rows } = await sql<OffRow>`
    select s.id, s.chain_id as "chainId", s.bank_id as "bankId", coalesce(c.name, b.name) as "placeName", s.coin, s.what, s.off_at as at,
      o.name as by, s.reason
    from operator_switch s left join chain c on c.id = s.chain_id left join bank b on b.id = s.bank_id
    join operator_account o on o.id = s.off_by
    where s.on_at is null and (${id}::uuid is null or s.id = ${id}) order by s.off_at, s.id`.execute(tx);
  return rows;
}

export async function findOff(tx: PlatformTx, id: string): Promise<OffRow | null> {
  return (await findAllOff(tx, id))[0] ?? null;
}

/** False when it is off already. */
export async function insertOff(
  tx: Tx,
  {
    id,
    chain,
    bank,
    coin,
    what,
    by,
    reason,
  }: {
    id: string;
    chain: string | null;
    bank: string | null;
    coin: string | null;
    what: SwitchKind;
    by: string;
    reason: string;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into operator_switch (id, chain_id, bank_id, coin, what, off_by, reason)
    select ${id}, ${chain}, ${bank}, ${coin}, ${what}, ${by}, ${reason}
    where not exists (select from operator_switch s
      where s.chain_id is not distinct from ${chain} and s.bank_id is not distinct from ${bank}
        and s.coin is not distinct from ${coin} and s.what = ${what} and s.on_at is null)`.execute(tx);
  return numAffectedRows === 1n;
}

/** False when it is on already. */
export async function endSwitch(tx: Tx, id: string, proposalId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update operator_switch set on_at = now(), on_proposal = ${proposalId} where id = ${id} and on_at is null`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

export interface ChainCoinRow {
  chain: string;
  name: string;
  chainConfigured: boolean;
  coin: string;
  contract: string | null;
  configured: boolean;
  waiting: number;
}

/** Every coin on every chain, with the transfers that were submitted and not sent. */
export async function findChainCoins(tx: PlatformTx): Promise<ChainCoinRow[]> {
  const { rows } = await sql<ChainCoinRow>`
    select c.id as chain, c.name, c.enabled as "chainConfigured", ca.coin, ca.contract, ca.enabled as configured,
      coalesce(w.count, 0) as waiting
    from chain c join chain_asset ca on ca.chain_id = c.id
    left join (
      select t.chain_id, t.coin, count(*) from transaction t
      where t.status = 'pending' and t.direction = 'out' and t.stage in ('waiting_approval', 'approved', 'waiting_rate')
      group by t.chain_id, t.coin
    ) w on w.chain_id = c.id and w.coin = ca.coin
    order by c.name, c.id, ca.contract is not null, ca.coin`.execute(tx);
  return rows;
}

export interface BankCurrencyRow extends PlaceNames {
  bank: string;
  currency: string;
  configured: boolean;
  payouts: boolean;
  waiting: number;
}

/** Every currency at every bank, with the payments that were submitted and that the bank was not ordered. */
export async function findBankCurrencies(tx: PlatformTx): Promise<BankCurrencyRow[]> {
  const { rows } = await sql<BankCurrencyRow>`
    select b.id as bank, b.name, b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn", ba.asset_id as currency,
      b.enabled and ba.enabled as configured, not ba.payouts_paused as payouts, coalesce(w.count, 0) as waiting
    from bank b join bank_asset ba on ba.bank_id = b.id
    left join (
      select p.bank_id, p.asset_id, count(*) from transaction t
      join payout p on p.company_id = t.company_id and p.transaction_id = t.id and p.message_id is null
      where t.status = 'pending' and t.direction = 'out' and t.stage in ('waiting_approval', 'approved', 'instructed')
      group by 1, 2
    ) w on w.bank_id = ba.bank_id and w.asset_id = ba.asset_id
    order by b.name, b.id, ba.asset_id`.execute(tx);
  return rows;
}
