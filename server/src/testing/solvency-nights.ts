import { randomBytes } from 'node:crypto';
import { makeReport, type ReportDependencies } from '../features/operator/solvency/service/report.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createSolvencySigner } from '../platform/solvency/signing.ts';
import { nextDay } from '../platform/solvency/statement.ts';
import { findReports } from '../platform/solvency/store.ts';
import type { TestDatabase } from './database.ts';

/** Today in UTC. Its midnight is to come, so that everything posted so far counts in its report. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Makes and signs the report of the next day that has none, today's where there is none at all; of no chain, unless gateways are given. */
export async function reportNext(
  db: TestDatabase,
  gateways: ReportDependencies['gateways'] = new Map(),
): Promise<string> {
  const database = openDatabase(db.urlFor('causeway_signer'), { poolSize: 1, applicationName: 'test' });
  try {
    const [last] = await db.worker.withoutCompany((tx) => findReports(tx, { most: 1 }));
    const day = last ? nextDay(last.day) : today();
    await makeReport({ database: db.worker, gateways, ask: createSolvencySigner(database, randomBytes(32)) }, day);
    return day;
  } finally {
    await database.close();
  }
}
