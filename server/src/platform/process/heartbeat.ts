import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ProcessName } from '@causeway/contract/operator-health-rules.ts';
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Database, PlatformTx } from '../database/database.ts';
import { newId } from '../ids.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import type { Log } from './log.ts';
import { registry } from './metrics.ts';

/** Each process says every half minute that it runs, and as which version: the operator's console lists them. */

const everyMs = 30_000;
const forgottenAfterHours = 24;

const info = new Gauge({
  name: 'causeway_process_info',
  help: '1, with the process, its version and the commit that it was built from',
  labelNames: ['process', 'version', 'commit'],
  registers: [registry],
});

export interface ProcessInfo {
  id: string;
  name: ProcessName;
  version: string;
  /** From CAUSEWAY_COMMIT, which the image's build sets; null where it is not set. */
  commit: string | null;
  host: string;
  pid: number;
  startedAt: Date;
}

export function describeProcess(name: ProcessName): ProcessInfo {
  const file = join(import.meta.dirname, '../../../package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  const commit = process.env['CAUSEWAY_COMMIT'] || null;
  const startedAt = new Date(Date.now() - process.uptime() * 1000);
  return { id: newId(), name, version, commit, host: hostname(), pid: process.pid, startedAt };
}

export function startHeartbeat(database: Database, name: ProcessName, log: Log): Loop {
  const self = describeProcess(name);
  info.set({ process: name, version: self.version, commit: self.commit ?? '' }, 1);
  return startLoop({
    name: 'platform.heartbeat',
    everyMs,
    log,
    step: () => database.withoutCompany((tx) => beat(tx, self)),
  });
}

/** Writes that the process runs, and forgets those that have not for a day. */
export async function beat(
  tx: PlatformTx,
  { id, name, version, commit, host, pid, startedAt }: ProcessInfo,
): Promise<void> {
  await sql`
    insert into process_heartbeat (id, name, version, commit, host, pid, started_at)
    values (${id}, ${name}, ${version}, ${commit}, ${host}, ${pid}, ${startedAt})
    on conflict (id) do update set seen_at = now()`.execute(tx);
  await sql`
    delete from process_heartbeat where seen_at < now() - make_interval(hours => ${forgottenAfterHours})`.execute(tx);
}

/** On an orderly end: a process that was stopped on purpose is not missing. */
export async function endHeartbeat(database: Database, loop: Loop): Promise<void> {
  await loop.stop();
  await database.withoutCompany(async (tx) => {
    await sql`delete from process_heartbeat where pid = ${process.pid} and host = ${hostname()}`.execute(tx);
  });
}
