import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { NodeReading } from '../../chains/index.ts';

/** What the worker writes for the operator's console, and what it reads for that. */

export async function keepReport(tx: PlatformTx, name: string, report: object): Promise<void> {
  await sql`
    insert into installation_report (name, report) values (${name}, ${JSON.stringify(report)}::jsonb)
    on conflict (name) do update set report = excluded.report, reported_at = now()`.execute(tx);
}

export interface JobCounts {
  name: string;
  waiting: number;
  running: number;
  retrying: number;
  failed: number;
  oldestAt: Date | null;
}

/** Jobs by name, without their payloads; those that are due later wait too. */
export async function countJobs(tx: PlatformTx): Promise<JobCounts[]> {
  const { rows } = await sql<JobCounts>`
    select t.identifier as name,
      count(*) filter (where j.locked_at is null and j.attempts = 0)::integer as waiting,
      count(*) filter (where j.locked_at is not null)::integer as running,
      count(*) filter (where j.locked_at is null and j.attempts > 0 and j.attempts < j.max_attempts)::integer as retrying,
      count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts)::integer as failed,
      min(j.run_at) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now()) as "oldestAt"
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    group by t.identifier order by t.identifier`.execute(tx);
  return rows;
}

export async function countOutbox(tx: PlatformTx): Promise<{ rows: number; oldestAt: Date | null }> {
  const { rows } = await sql<{ rows: number; oldestAt: Date | null }>`
    select count(*)::integer as rows, min(uuid_extract_timestamp(id)) as "oldestAt"
    from (select id from outbox order by id limit 10000) as waiting`.execute(tx);
  return rows[0] ?? { rows: 0, oldestAt: null };
}

/** PostgreSQL's archive of its log; null where archiving is off. */
export async function readArchive(
  tx: PlatformTx,
): Promise<{ lastAt: Date | null; failed: number; lastFailedAt: Date | null } | null> {
  const { rows } = await sql<{ lastAt: Date | null; failed: number; lastFailedAt: Date | null }>`
    select last_archived_time as "lastAt", failed_count as failed, last_failed_time as "lastFailedAt" from pg_stat_archiver
    where current_setting('archive_mode') <> 'off'`.execute(tx);
  return rows[0] ?? null;
}

/** The nodes of a chain as they are now; those that are no longer configured are removed. */
export async function keepNodes(tx: PlatformTx, chainId: string, nodes: readonly NodeReading[]): Promise<void> {
  for (const { node, height, blockAt, delayMs, behind, disagrees, error } of nodes) {
    await sql`
      insert into node_state (chain_id, node, height, block_at, delay_ms, behind, disagrees, error)
      values (${chainId}, ${node}, ${height}, ${blockAt}, ${delayMs}, ${behind}, ${disagrees}, ${error})
      on conflict (chain_id, node) do update set height = excluded.height, block_at = excluded.block_at,
        delay_ms = excluded.delay_ms, behind = excluded.behind, disagrees = excluded.disagrees, error = excluded.error,
        checked_at = now()`.execute(tx);
  }
  await sql`
    delete from node_state where chain_id = ${chainId} and node <> all (${nodes.map(({ node }) => node)}::text[])`.execute(
    tx,
  );
}

export interface TankReading {
  chainId: string;
  address: string;
  balanceMinor: bigint;
  payments: number;
  isConfigured: boolean;
}

/** Keeps the balance; one that has risen since the last report of the same address is noted as a top-up. */
export async function keepTank(tx: PlatformTx, tank: TankReading): Promise<void> {
  const { chainId, address, balanceMinor, payments, isConfigured } = tank;
  const { rows } = await sql<{ balanceMinor: bigint }>`
    select balance as "balanceMinor" from gas_tank_state where chain_id = ${chainId} and address = ${address} for update`.execute(
    tx,
  );
  const before = rows[0]?.balanceMinor;
  if (before !== undefined && balanceMinor > before) {
    await sql`
      insert into gas_tank_rise (id, chain_id, amount, balance)
      values (${newId()}, ${chainId}, ${(balanceMinor - before).toString()}, ${balanceMinor.toString()})`.execute(tx);
  }
  await sql`
    insert into gas_tank_state (chain_id, address, balance, payments, is_configured)
    values (${chainId}, ${address}, ${balanceMinor.toString()}, ${payments}, ${isConfigured})
    on conflict (chain_id) do update set address = excluded.address, balance = excluded.balance, payments = excluded.payments,
      is_configured = excluded.is_configured, checked_at = now()`.execute(tx);
}

/** The sizes of today, once a day; the database's under an empty name. Days older than 90 are removed. */
export async function keepSizes(tx: PlatformTx): Promise<void> {
  await sql`
    insert into storage_day (day, name, bytes, rows)
    select current_date, '', pg_database_size(current_database()), 0
    union all
    select current_date, c.relname, pg_total_relation_size(c.oid), greatest(c.reltuples, 0)::bigint
    from pg_class c where c.relnamespace = 'causeway'::regnamespace and c.relkind in ('r', 'p')
    on conflict do nothing`.execute(tx);
  await sql`delete from storage_day where day < current_date - 90`.execute(tx);
}

export async function keepTreasury(
  tx: PlatformTx,
  { chainId, coin, balanceMinor, height }: { chainId: string; coin: string; balanceMinor: bigint; height: number },
): Promise<void> {
  await sql`
    insert into treasury_balance (chain_id, coin, balance, height) values (${chainId}, ${coin}, ${balanceMinor.toString()}, ${height})
    on conflict (chain_id, coin) do update set balance = excluded.balance, height = excluded.height, read_at = now()`.execute(
    tx,
  );
}
