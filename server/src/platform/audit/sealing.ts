import { sql } from 'kysely';
import { Histogram } from 'prom-client';
import type { Database, PlatformTx } from '../database/database.ts';
import { invariant } from '../domain-error.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import type { Log } from '../process/log.ts';
import { registry } from '../process/metrics.ts';
import { chainStart, linkHash } from './chain.ts';
import { chainEvent, type EventRow, eventColumns } from './store.ts';

/**
 * The sealer: takes events that are committed and not yet sealed, and appends them to their companies' chains. Any number
 * may run: an event is taken by one of them (SKIP LOCKED), and a chain's end is locked while it grows. Taking, sealing and
 * moving the end are one commit.
 */

const batchSize = 500;
const idleMs = 150;

const delays = new Histogram({
  name: 'causeway_audit_seal_delay_seconds',
  help: 'From an event of the audit log to its seal',
  buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60],
  registers: [registry],
});

export function startSealing(database: Database, log: Log): Loop {
  return startLoop({
    name: 'audit.seal',
    everyMs: idleMs,
    retry: { firstMs: 1000, mostMs: 1000 },
    log,
    step: async () => ((await hasUnsealed(database)) && (await sealBatch(database)) === batchSize ? 0 : idleMs),
  });
}

/** Whether there is an event to take: a look costs one statement and not a transaction, and a server that is no longer the primary refuses it. */
async function hasUnsealed({ pool }: Database): Promise<boolean> {
  const look = 'select from audit_unsealed order by event_id limit 1 for update skip locked';
  return (await pool.query({ name: 'audit.look', text: look })).rowCount === 1;
}

/** Seals waiting events, at most one batch; returns how many. */
export function sealBatch(database: Database): Promise<number> {
  return database.withoutCompany(async (tx) => {
    const events = await takeUnsealed(tx);
    if (events.length === 0) return 0;
    const ends = await lockEnds(tx, [...new Set(events.map(({ companyId }) => companyId))]);
    const seals = events.map((event) => {
      const end = ends.get(event.companyId);
      invariant(end, `the chain of ${event.companyId} is locked`);
      end.seq += 1;
      end.hash = linkHash(end.hash, chainEvent(event, end.seq));
      return { companyId: event.companyId, seq: end.seq, eventId: event.id, hash: end.hash };
    });
    await insertSeals(tx, seals);
    await moveEnds(tx, ends);
    for (const { time } of events) delays.observe(Math.max(0, (Date.now() - Date.parse(time)) / 1000));
    return events.length;
  });
}

async function takeUnsealed(tx: PlatformTx): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    with taken as (
      delete from audit_unsealed where (company_id, event_id) in (
        select company_id, event_id from audit_unsealed order by event_id limit ${batchSize} for update skip locked
      ) returning company_id, event_id
    )
    select ${eventColumns} from taken t join audit_event e on e.company_id = t.company_id and e.id = t.event_id
    order by e.id`.execute(tx);
  return rows;
}

interface ChainEnd {
  companyId: string;
  seq: number;
  hash: Buffer;
}

/** Locks the ends of these chains, always in one order, so that two sealers cannot wait for each other. */
async function lockEnds(tx: PlatformTx, companyIds: readonly string[]): Promise<Map<string, ChainEnd>> {
  const ids = [...companyIds].sort();
  await sql`
    insert into audit_chain (company_id, seq, hash)
    select id, 0, ${chainStart} from unnest(${ids}::uuid[]) as id order by id
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<ChainEnd>`
    select company_id as "companyId", seq, hash from audit_chain
    where company_id = any (${ids}::uuid[]) order by company_id for update`.execute(tx);
  return new Map(rows.map((row) => [row.companyId, row]));
}

async function insertSeals(
  tx: PlatformTx,
  seals: readonly { companyId: string; seq: number; eventId: string; hash: Buffer }[],
): Promise<void> {
  await sql`
    insert into audit_seal (company_id, seq, event_id, hash)
    select company_id, seq, event_id, decode(hash, 'hex')
    from unnest(${seals.map((seal) => seal.companyId)}::uuid[], ${seals.map((seal) => seal.seq)}::bigint[],
      ${seals.map((seal) => seal.eventId)}::uuid[], ${seals.map((seal) => seal.hash.toString('hex'))}::text[])
      as s (company_id, seq, event_id, hash)`.execute(tx);
}

async function moveEnds(tx: PlatformTx, ends: ReadonlyMap<string, ChainEnd>): Promise<void> {
  const moved = [...ends.values()];
  await sql`
    update audit_chain c set seq = m.seq, hash = decode(m.hash, 'hex')
    from unnest(${moved.map((end) => end.companyId)}::uuid[], ${moved.map((end) => end.seq)}::bigint[],
      ${moved.map((end) => end.hash.toString('hex'))}::text[]) as m (company_id, seq, hash)
    where c.company_id = m.company_id`.execute(tx);
}
