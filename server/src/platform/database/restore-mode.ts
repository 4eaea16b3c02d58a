import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import { type HealthCheck, HealthProblem } from '../process/health.ts';
import { registry } from '../process/metrics.ts';
import type { Database, PlatformTx } from './database.ts';

/**
 * Restore mode (docs/adr/0041-…): the database was put back to an earlier moment, or may have been. Until the operator
 * releases it, the installation sends nothing: the worker gives out no nonce, broadcasts nothing and raises no fee, and the
 * signer refuses every request.
 */

export type RestoreCause = 'journal_ahead' | 'database_ahead' | 'journal_differs' | 'journal_rebuilt' | 'operator';

export interface RestoreMode {
  id: number;
  cause: RestoreCause;
  reason: string;
  begunBy: string;
  begunAt: Date;
}

const gauge = new Gauge({
  name: 'causeway_restore_mode',
  help: '1 while the installation is in restore mode and sends nothing',
  registers: [registry],
});

/** The restore mode that holds now; null when there is none. */
export async function findRestoreMode(tx: PlatformTx): Promise<RestoreMode | null> {
  const { rows } = await sql<RestoreMode>`
    select id, cause, reason, begun_by as "begunBy", begun_at as "begunAt" from restore_mode
    where released_at is null`.execute(tx);
  gauge.set(rows.length);
  return rows[0] ?? null;
}

/** Begins restore mode; false when it holds already. */
export async function beginRestoreMode(
  tx: PlatformTx,
  begin: { cause: RestoreCause; reason: string; by: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into restore_mode (cause, reason, begun_by) values (${begin.cause}, ${begin.reason}, ${begin.by})
    on conflict ((true)) where released_at is null do nothing returning 1`.execute(tx);
  gauge.set(1);
  return rows.length === 1;
}

/** Ends restore mode; false when it does not hold. */
export async function endRestoreMode(tx: PlatformTx, end: { by: string; reason: string }): Promise<boolean> {
  const { rows } = await sql`
    update restore_mode set released_at = now(), released_by = ${end.by}, release_reason = ${end.reason}
    where released_at is null returning 1`.execute(tx);
  return rows.length === 1;
}

/** A check of `/readyz`: fails while restore mode holds, and says since when and why. */
export function restoreModeCheck(database: Database, need: HealthCheck['need']): HealthCheck {
  return {
    name: 'restore-mode',
    need,
    async check() {
      const mode = await database.withoutCompany(findRestoreMode);
      if (mode) throw new HealthProblem('restoreMode', { since: mode.begunAt.toISOString(), reason: mode.reason });
    },
  };
}
