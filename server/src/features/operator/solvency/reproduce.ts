import type { PlatformTx } from '../../../platform/database/database.ts';
import { differencesWithLedger } from '../../../platform/solvency/signing.ts';
import { digestOf, midnightAfter } from '../../../platform/solvency/statement.ts';
import { findLeaves, findReports, type StoredReport } from '../../../platform/solvency/store.ts';
import { buildTree, leafId } from '../../../platform/solvency/tree.ts';
import { readBalances } from './store.ts';

/** What of a past report is not what the ledger says today; empty where it is the same. */
export interface Reproduction {
  day: string;
  companies: number;
  problems: string[];
}

/** Computes reports again from the ledger of today, from one day to another (both included): every balance, the tree, the digest, and the links. */
export async function reproduceReports(tx: PlatformTx, from: string, to: string): Promise<Reproduction[]> {
  const reports = (await findReports(tx, { most: mostReports })).reverse();
  const found: Reproduction[] = [];
  for (const [index, report] of reports.entries()) {
    if (report.day < from || report.day > to) continue;
    const before = reports[index - 1];
    const problems = await problemsOf(tx, report);
    if (before && report.statement.previous !== before.digest) problems.push('it does not name the report before it');
    found.push({ day: report.day, companies: report.statement.companies, problems });
  }
  return found;
}

/** Ten years of nights. */
const mostReports = 3660;

async function problemsOf(tx: PlatformTx, { day, statement, digest, signed }: StoredReport): Promise<string[]> {
  const assets = statement.assets.map(({ asset }) => asset);
  const leaves = await findLeaves(tx, day);
  const tree = buildTree(
    { day, assets, companies: leaves.length },
    leaves.map(({ companyId, salt, sums }) => ({
      id: leafId(companyId, day, salt),
      sums: assets.map((asset) => BigInt(sums[asset] ?? '0')),
    })),
  );
  const different = await differencesWithLedger(tx, day, await readBalances(tx, midnightAfter(day)));
  return [
    ...(digestOf(statement) === digest ? [] : ['its digest is another']),
    ...(signed?.digest === digest ? [] : ['it is not signed']),
    ...(tree.root.toString('hex') === statement.root ? [] : ['its leaves make another root']),
    ...different.map((companyId) => `company ${companyId} was owed something else`),
  ];
}
