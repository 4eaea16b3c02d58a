import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';

const left = new Gauge({
  name: 'causeway_bank_numbers_left',
  help: 'Numbers of a bank’s range that no company’s account has yet',
  labelNames: ['bank'],
  registers: [registry],
});

/** Of a range this part is left: then the bank is asked for another one. */
const leastPart = 0.05;

/** Whether every bank has numbers left for accounts of further companies. */
export function bankNumbersCheck(database: Database): HealthCheck {
  return {
    name: 'bank-numbers',
    need: 'degraded',
    async check() {
      const { rows } = await database.withoutCompany((tx) =>
        sql<{ id: string; name: string; left: bigint; all: bigint }>`
          select b.id, b.name, greatest(10::numeric ^ r.digits - r.next_number, 0)::numeric(20, 0) as left, (10::numeric ^ r.digits)::numeric(20, 0) as all
          from bank_account_range r join bank b on b.id = r.bank_id where r.open and b.enabled order by b.name, b.id`.execute(
          tx,
        ),
      );
      for (const range of rows) left.set({ bank: range.id }, Number(range.left));
      const short = rows.filter((range) => Number(range.left) < Number(range.all) * leastPart);
      if (short.length === 0) return;
      throw new HealthProblem('bankNumbers', {
        banks: short.map(({ name }) => name).join(', '),
        left: short.reduce((sum, range) => sum + Number(range.left), 0),
      });
    },
  };
}
