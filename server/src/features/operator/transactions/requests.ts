import type { AuditEvent } from '@causeway/contract/audit.ts';
import type { OperatorTransactionDetail } from '@causeway/contract/operator-transactions.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

type Requests = OperatorTransactionDetail['requests'];

interface RequestRow {
  id: string;
  at: Date;
  call: string;
  ip: string;
  status: number;
  error: string | null;
  durationMs: number;
}

/** The requests that the audit log names, the newest first, as the log of requests has them. */
export async function requestsOf(tx: Tx, events: readonly AuditEvent[]): Promise<Requests> {
  const named = Map.groupBy(
    events.filter(({ requestId }) => requestId !== null && uuid.test(requestId)),
    ({ requestId }) => requestId ?? '',
  );
  if (named.size === 0) return [];
  const { rows } = await sql<RequestRow>`
    select id, at, call, ip, status, error, duration_ms as "durationMs" from request_log
    where id = any (${[...named.keys()]}::uuid[])`.execute(tx);
  const logged = new Map(rows.map((row) => [row.id, row]));
  return [...named].map(([requestId, its]) => {
    const row = logged.get(requestId);
    const [first] = its;
    return {
      requestId,
      call: row?.call ?? null,
      at: row?.at.toISOString() ?? first?.at ?? '',
      status: row?.status ?? null,
      error: row?.error ?? null,
      durationMs: row?.durationMs ?? null,
      ip: row?.ip ?? first?.ip ?? null,
      actor: first?.actor.name ?? null,
      what: its.map(({ what }) => what),
    };
  });
}

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
