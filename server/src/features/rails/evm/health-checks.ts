import type { Database } from '../../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../../platform/process/health.ts';
import { countHolds } from './nonce-guard.ts';
import { checkTraces } from './tracing.ts';

/** No address of a chain is held, and every payment there is explained (docs/adr/0042). */
export function holdsCheck(database: Database, chainId: string): HealthCheck {
  return {
    name: `payments:${chainId}`,
    need: 'degraded',
    async check() {
      const { heldCompanies, isTankHeld, unexplained } = await countHolds(database, chainId);
      if (isTankHeld || heldCompanies > 0 || unexplained > 0) {
        throw new HealthProblem('payments', {
          tank: String(isTankHeld),
          addresses: heldCompanies,
          payments: unexplained,
        });
      }
    },
  };
}

/** Blocks do not wait too long for their traces, without which coins sent by contracts are late (docs/adr/0043). */
export function tracesCheck(database: Database, chainId: string): HealthCheck {
  return { name: `traces:${chainId}`, need: 'degraded', check: () => checkTraces(database, chainId) };
}
