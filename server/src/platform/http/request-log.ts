import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { Counter } from 'prom-client';
import type { Database, PlatformTx } from '../database/database.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import { type Sweep, sweepBatch } from '../jobs/sweeping.ts';
import type { Log } from '../process/log.ts';
import { registry } from '../process/metrics.ts';
import type { AnySession } from '../session.ts';

/**
 * Which request did what, for the operator, who has a request's id from an error or from the audit log: call, caller, time, status, error and
 * duration of every call that writes and has a session, without its body. Noted after the answer and written in batches, so that no request
 * waits for it; what a killed process had not written is in its log alone.
 */

const everyMs = 1000;
const batchRows = 2000;
/** While the database is away, later ones are dropped. */
const mostWaiting = 20_000;
/** As the contract's `requestLogDays`. */
const keptDays = 90;
/** Once a minute of every open page, and says nothing. */
const silentCalls: readonly string[] = ['reportActivity'];

const dropped = new Counter({
  name: 'causeway_request_log_dropped_total',
  help: 'Requests that were not written to the log of requests',
  registers: [registry],
});

interface LoggedRequest {
  id: string;
  at: string;
  call: string;
  companyId: string;
  actorId: string;
  ip: string;
  status: number;
  error: string | null;
  durationMs: number;
}

const callers = new WeakMap<FastifyRequest, AnySession>();
const refusals = new WeakMap<FastifyRequest, string>();

/** Whose request it is. */
export function noteCaller(request: FastifyRequest, session: AnySession): void {
  callers.set(request, session);
}

/** The key of the error that refused it. */
export function noteRefusal(request: FastifyRequest, key: string): void {
  refusals.set(request, key);
}

export interface RequestLog {
  /** Writes what waits; resolves when all is written. */
  flush(): Promise<void>;
  /** Writes every second; stopping writes the rest. */
  start(log: Log): Pick<Loop, 'stop'>;
}

/** Notes the requests of a process from now on. */
export function keepRequestLog(app: FastifyInstance, database: Database): RequestLog {
  let waiting: LoggedRequest[] = [];
  app.addHook('onResponse', (request, reply, done) => {
    const entry = entryOf(request, reply.statusCode, reply.elapsedTime);
    if (entry && waiting.length < mostWaiting) waiting.push(entry);
    else if (entry) dropped.inc();
    done();
  });
  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchRows);
      await database.withoutCompany((tx) => insert(tx, batch));
      waiting = waiting.slice(batch.length);
    }
  }
  return {
    flush,
    start(log) {
      const loop = startLoop({ name: 'platform.requestLog', everyMs, step: flush, log, keepsProcess: false });
      return {
        async stop() {
          await loop.stop();
          await flush().catch((error: unknown) => log.warn({ err: error }, 'the last requests were not written down'));
        },
      };
    },
  };
}

function entryOf(request: FastifyRequest, status: number, elapsedMs: number): LoggedRequest | null {
  const call = request.routeOptions.config.call;
  const session = callers.get(request);
  if (!call || !session || call.method === 'GET' || silentCalls.includes(call.name)) return null;
  return {
    id: request.id,
    at: new Date(Date.now() - elapsedMs).toISOString(),
    call: call.name,
    companyId: session.companyId,
    actorId: session.userId,
    ip: request.ip,
    status,
    error: refusals.get(request) ?? null,
    durationMs: Math.round(elapsedMs),
  };
}

async function insert(tx: PlatformTx, batch: readonly LoggedRequest[]) {
  await sql`
    insert into request_log (id, at, call, company_id, actor_id, ip, status, error, duration_ms)
    select (r ->> 'id')::uuid, (r ->> 'at')::timestamptz, r ->> 'call', (r ->> 'companyId')::uuid, (r ->> 'actorId')::uuid,
      r ->> 'ip', (r ->> 'status')::integer, r ->> 'error', (r ->> 'durationMs')::integer
    from jsonb_array_elements(${JSON.stringify(batch)}::jsonb) as r
    on conflict do nothing`.execute(tx);
}

/** Requests that were kept long enough. */
export const requestLogSweep: Sweep = {
  name: 'platform.requestLog',
  run: (database) =>
    database.withoutCompany(async (tx) => {
      const { numAffectedRows } = await sql`
        delete from request_log where id = any (array(
          select id from request_log where at < now() - make_interval(days => ${keptDays}) order by at limit ${sweepBatch}))`.execute(
        tx,
      );
      return Number(numAffectedRows ?? 0n);
    }),
};
