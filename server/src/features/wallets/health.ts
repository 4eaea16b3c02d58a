import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';

const frozen = new Gauge({ name: 'causeway_wallets_frozen', help: 'Wallets that are frozen', registers: [registry] });

/** Whether any company's wallet is frozen: the operator has something to settle. */
export function frozenWalletsCheck(database: Database): HealthCheck {
  return {
    name: 'frozen-wallets',
    need: 'degraded',
    async check() {
      const { rows } = await database.withoutCompany((tx) =>
        sql<{ count: number }>`select count(*) from wallet where frozen_at is not null`.execute(tx),
      );
      const count = rows[0]?.count ?? 0;
      frozen.set(count);
      if (count > 0) throw new HealthProblem('frozenWallets', { count: Number(count) });
    },
  };
}
