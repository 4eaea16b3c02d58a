import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { CronContext, CronJob } from '../../../platform/jobs/cron.ts';
import { findNightState, keepNightState, lastRequest } from './night-store.ts';
import { NotYet } from './service/holdings.ts';
import { dayDue, makeReport, type ReportDependencies } from './service/report.ts';

/** After a failure it is tried again so much later, unless an operator asks for it. What only waits for a chain is looked at every minute. */
const pauseMs = 600_000;

/**
 * The reports of the nights: looks every minute whether one is due, and makes those that are missing, the oldest first. What keeps one from being
 * made is written down for the operator's console, and tried again.
 */
export function solvencyJob(deps: Omit<ReportDependencies, 'database'>, clock: Clock = systemClock): CronJob {
  return { name: 'operator.solvency', schedule: '* * * * *', run: (context) => makeDueReports(deps, context, clock) };
}

async function makeDueReports(
  given: Omit<ReportDependencies, 'database'>,
  { database, log, signal }: Pick<CronContext, 'database' | 'log' | 'signal'>,
  clock: Clock,
): Promise<void> {
  const deps = { ...given, database };
  if (await isPausing(deps, clock.now())) return;
  for (let day = await dayDue(deps, clock.now()); day !== null; day = await dayDue(deps, clock.now())) {
    if (signal.aborted) return;
    const worked = day;
    try {
      await makeReport(deps, worked);
      await database.withoutCompany((tx) => keepNightState(tx, worked, { problem: null, waiting: false }));
      log.info({ day }, 'the report of solvency is signed');
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const waiting = error instanceof NotYet;
      await database.withoutCompany((tx) => keepNightState(tx, worked, { problem, waiting }));
      if (waiting) log.info({ day, problem }, 'the report of solvency waits for a chain');
      else log.warn({ err: error, day }, 'the report of solvency could not be made; trying again');
      return;
    }
  }
}

async function isPausing({ database }: Pick<ReportDependencies, 'database'>, now: Date): Promise<boolean> {
  return database.withoutCompany(async (tx) => {
    const state = await findNightState(tx);
    if (!state || state.problem === null || state.waiting) return false;
    const asked = await lastRequest(tx);
    return now.getTime() - state.triedAt.getTime() < pauseMs && (asked === null || asked <= state.triedAt);
  });
}
