import { sql } from 'kysely';
import { Counter } from 'prom-client';
import type { Database, PlatformTx } from '../database/database.ts';
import type { Log } from '../process/log.ts';
import { registry } from '../process/metrics.ts';
import type { JobDefinition } from './jobs.ts';
import { type Loop, startLoop } from './loop.ts';

/**
 * The relay empties the outbox: in one transaction a batch of rows is taken, becomes jobs of the subscribers, and is
 * told to the browsers. Taking and queuing are one commit, so an event is neither lost nor queued twice.
 */

const batchSize = 500;
const idleMs = 40;

/** The channel on which browsers' events travel to the HTTP processes; see live.ts. */
export const liveChannel = 'causeway_live';
/** PostgreSQL refuses a notification of 8000 bytes or more. */
const maxNotificationBytes = 7000;

const relayed = new Counter({
  name: 'causeway_outbox_relayed_total',
  help: 'Outbox rows relayed',
  registers: [registry],
});

interface OutboxRow {
  companyId: string;
  name: string;
  payload: Record<string, unknown>;
}

export function startRelay(database: Database, definitions: readonly JobDefinition[], log: Log): Loop {
  return startLoop({
    name: 'platform.relay',
    everyMs: idleMs,
    // Queued jobs and live pages wait for it.
    retry: { firstMs: 1000, mostMs: 1000 },
    log,
    async step() {
      if (!(await hasRow(database))) return idleMs;
      const count = await database.withoutCompany((tx) => relayBatch(tx, definitions));
      relayed.inc(count);
      return count === batchSize ? 0 : idleMs;
    },
  });
}

/**
 * Whether there is a row to take. An empty outbox, which is looked at 25 times a second, costs one statement and not a transaction; as
 * it would lock the row, a server that is no longer the primary refuses it (25006), and the connection is replaced.
 */
async function hasRow({ pool }: Database): Promise<boolean> {
  const look = 'select from outbox order by id limit 1 for update skip locked';
  return (await pool.query({ name: 'relay.look', text: look })).rowCount === 1;
}

/** Moves one batch; several relays may run, SKIP LOCKED keeps them apart. */
async function relayBatch(tx: PlatformTx, definitions: readonly JobDefinition[]): Promise<number> {
  const { rows } = await sql<OutboxRow>`
    delete from outbox where (company_id, id) in (
      select company_id, id from outbox order by id limit ${batchSize} for update skip locked
    ) returning company_id as "companyId", name, payload`.execute(tx);
  if (rows.length === 0) return 0;
  await queueJobs(tx, rows, definitions);
  await notifyBrowsers(tx, rows);
  return rows.length;
}

async function queueJobs(
  tx: PlatformTx,
  rows: readonly OutboxRow[],
  definitions: readonly JobDefinition[],
): Promise<void> {
  const concerned = await concernedBy(tx, rows, definitions);
  const specs = rows.flatMap((row) =>
    definitions
      .filter(({ name, on }) => on?.includes(row.name) && concerned.get(name)?.has(row.companyId) !== false)
      .map((definition) => ({
        identifier: definition.name,
        payload: { companyId: row.companyId, payload: row.payload },
        max_attempts: definition.maxAttempts ?? 25,
        queue_name: definition.queue?.(row.companyId, row.payload) ?? null,
      })),
  );
  if (specs.length === 0) return;
  await sql`
    select graphile_worker.add_jobs(array(
      select json_populate_record(null::graphile_worker.job_spec, spec) from json_array_elements(${JSON.stringify(specs)}::json) as spec
    ))`.execute(tx);
}

/** By the names of jobs that are not for every company: for which of those with an event they are. */
async function concernedBy(
  tx: PlatformTx,
  rows: readonly OutboxRow[],
  definitions: readonly JobDefinition[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const concerned = new Map<string, ReadonlySet<string>>();
  for (const { name, on, concerns } of definitions) {
    if (!concerns) continue;
    const companyIds = new Set(rows.filter((row) => on?.includes(row.name)).map(({ companyId }) => companyId));
    if (companyIds.size > 0) concerned.set(name, await concerns(tx, [...companyIds]));
  }
  return concerned;
}

async function notifyBrowsers(tx: PlatformTx, rows: readonly OutboxRow[]): Promise<void> {
  const events = rows
    .filter((row) => row.name === 'live')
    .map((row) => [row.companyId, row.payload['topic'], row.payload['id'] ?? null]);
  let chunk: unknown[] = [];
  let bytes = 0;
  const send = async () => {
    if (chunk.length > 0) await sql`select pg_notify(${liveChannel}, ${JSON.stringify(chunk)})`.execute(tx);
    chunk = [];
    bytes = 0;
  };
  for (const event of events) {
    const size = JSON.stringify(event).length + 1;
    if (bytes + size > maxNotificationBytes) await send();
    chunk.push(event);
    bytes += size;
  }
  await send();
}
