import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { gasTankOwner } from '../../chains/index.ts';

/** Gas tanks, nodes and the signer, as the worker reported them and as the books know them. Amounts in minor units. */

export interface TankRow {
  chainId: string;
  address: string;
  balanceMinor: bigint | null;
  balanceAt: Date | null;
  payments: number | null;
  isConfigured: boolean | null;
  spent7Minor: bigint;
  spent30Minor: bigint;
  advances7: number;
  observedDays: number;
}

/** Of final advances: what went to companies, and what the advance itself cost. */
export async function findTanks(tx: PlatformTx): Promise<TankRow[]> {
  const { rows } = await sql<TankRow>`
    select o.chain_id as "chainId", o.address, s.balance as "balanceMinor", s.checked_at as "balanceAt", s.payments,
      s.is_configured as "isConfigured", coalesce(p.spent7, 0) as "spent7Minor", coalesce(p.spent30, 0) as "spent30Minor",
      coalesce(p.advances7, 0)::integer as advances7, coalesce(extract(epoch from now() - p.first) / 86400, 0)::float8 as "observedDays"
    from chain_address o
    left join gas_tank_state s on s.chain_id = o.chain_id
    left join lateral (
      select sum(c.amount + coalesce(c.gas_cost, 0)) filter (where c.final_at > now() - interval '7 days') as spent7,
        sum(c.amount + coalesce(c.gas_cost, 0)) as spent30,
        count(*) filter (where c.final_at > now() - interval '7 days') as advances7, min(c.final_at) as first
      from chain_send c
      where c.chain_id = o.chain_id and c.kind = 'gas' and c.final_at > now() - interval '30 days' and c.gas_cost is not null
    ) p on true
    where o.company_id = ${gasTankOwner}::uuid order by o.chain_id`.execute(tx);
  return rows;
}

export interface RiseRow {
  chainId: string;
  at: Date;
  amountMinor: bigint;
  balanceMinor: bigint;
}

/** The last five of each chain, newest first. */
export async function findRises(tx: PlatformTx): Promise<RiseRow[]> {
  const { rows } = await sql<RiseRow>`
    select c.id as "chainId", r.at, r.amount as "amountMinor", r.balance as "balanceMinor"
    from chain c cross join lateral (
      select at, amount, balance from gas_tank_rise r where r.chain_id = c.id order by at desc limit 5) r
    order by r.at desc`.execute(tx);
  return rows;
}

export interface NodeRow {
  chainId: string;
  node: string;
  checkedAt: Date;
  height: number | null;
  blockAt: Date | null;
  delayMs: number | null;
  behind: number | null;
  disagrees: boolean;
  error: string | null;
}

export async function findNodes(tx: PlatformTx): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select chain_id as "chainId", node, checked_at as "checkedAt", height, block_at as "blockAt", delay_ms as "delayMs", behind,
      disagrees, error
    from node_state order by chain_id, length(node), node`.execute(tx);
  return rows;
}

/** How far each chain was read. */
export async function findCursors(tx: PlatformTx): Promise<{ chainId: string; height: number; at: Date }[]> {
  const { rows } = await sql<{ chainId: string; height: number; at: Date }>`
    select chain_id as "chainId", height, updated_at as at from chain_cursor`.execute(tx);
  return rows;
}

export interface SignerRow {
  isOk: boolean | null;
  since: Date | null;
  checkedAt: Date | null;
  problem: string | null;
  agrees: boolean | null;
  comparedAt: Date | null;
  finding: string | null;
  entries: number;
  lastSignedAt: Date | null;
  auditKeys: string[];
}

export async function findSigner(tx: PlatformTx): Promise<SignerRow | null> {
  const { rows } = await sql<SignerRow>`
    select c.state = 'ok' as "isOk", c.since, c.checked_at as "checkedAt", c.reason as problem, s.agrees,
      s.checked_at as "comparedAt", s.finding, coalesce(s.journal_seq, 0)::bigint as entries,
      (select at from signer_journal order by seq desc limit 1) as "lastSignedAt",
      array(select k.key_id from audit_key k order by k.key_id) as "auditKeys"
    from (select 1) one left join component_state c on c.name = 'signer' left join signer_state s on true`.execute(tx);
  return rows[0] ?? null;
}
