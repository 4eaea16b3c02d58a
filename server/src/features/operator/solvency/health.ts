import type { Database } from '../../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../../platform/process/health.ts';
import { midnightAfter } from '../../../platform/solvency/statement.ts';
import { findReports } from '../../../platform/solvency/store.ts';
import { findNightState } from './night-store.ts';

/** A night whose report is so late is a problem; until then chains may need time. */
const lateAfterMs = 6 * 3_600_000;

/** Whether the last report shows less than companies are owed, or one is long overdue. */
export function solvencyCheck(database: Database): HealthCheck {
  return {
    name: 'solvency',
    need: 'degraded',
    keepMs: 60_000,
    async check() {
      const { last, state } = await database.withoutCompany(async (tx) => ({
        last: (await findReports(tx, { most: 1 }))[0],
        state: await findNightState(tx),
      }));
      const short = last?.statement.assets.filter(({ difference }) => difference.startsWith('-')) ?? [];
      if (last && short.length > 0) {
        throw new HealthProblem('solvencyShort', { day: last.day, assets: short.map(({ asset }) => asset).join(', ') });
      }
      if (state?.problem != null && Date.now() - midnightAfter(state.day).getTime() > lateAfterMs) {
        throw new HealthProblem('solvencyMissing', { day: state.day, problem: state.problem });
      }
    },
  };
}
