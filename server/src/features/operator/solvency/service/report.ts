import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { canonical } from '../../../../platform/audit/chain.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { AskSolvency } from '../../../../platform/solvency/signing.ts';
import { contradictionIn, lastDayBefore, midnightAfter, nextDay } from '../../../../platform/solvency/statement.ts';
import { balancesOfAll, findReport, findReports, storedStatement } from '../../../../platform/solvency/store.ts';
import { type ChainGateway, findChains, gasTankOwner } from '../../../chains/index.ts';
import { type ChainHoldings, composeReport } from '../domain.ts';
import { banksAt, decimalsOfAll, insertReport } from '../night-store.ts';
import { holdingsAt } from './holdings.ts';

/** Makes the reports of the nights, one after another, each signed before the next begins. */

export interface ReportDependencies {
  database: Database;
  gateways: ReadonlyMap<string, ChainGateway>;
  ask: AskSolvency;
}

/** Transactions that began before midnight have ended by then. */
const settledAfterMs = 300_000;
const saltBytes = 32;

/** The next day to be reported: after the last report, or the last day that ended; null while the next one is not over. */
export async function dayDue({ database }: Pick<ReportDependencies, 'database'>, now: Date): Promise<string | null> {
  const [last] = await database.withoutCompany((tx) => findReports(tx, { most: 1 }));
  const over = lastDayBefore(new Date(now.getTime() - settledAfterMs));
  if (!last) return over;
  if (!last.signed) return last.day;
  const next = nextDay(last.day);
  return next <= over ? next : null;
}

/**
 * Makes the report of a day, unless there is one, and has it signed. Balances are those of the ledger just before the midnight, which nothing
 * that is posted later changes.
 * @throws NotYet, NoAgreement as `holdingsAt`; Error when the signer refuses
 */
export async function makeReport(deps: ReportDependencies, day: string): Promise<void> {
  const { database } = deps;
  if (!(await database.withoutCompany((tx) => findReport(tx, day)))) {
    const chains = await allHoldings(deps, midnightAfter(day));
    await database.withoutCompany(async (tx) => {
      await sql`set transaction isolation level repeatable read`.execute(tx);
      const [previous] = await findReports(tx, { most: 1 });
      const banks = await banksAt(tx, midnightAfter(day));
      const report = composeReport({
        day,
        decimals: await decimalsOfAll(tx),
        balances: await balancesOfAll(tx, midnightAfter(day)),
        chains,
        banks,
        previous: previous?.digest ?? null,
        newSalt: () => randomBytes(saltBytes),
      });
      const canonicalText = canonical(report.statement);
      // What is written never changes: a report that no one could read, or that contradicts itself, would end the chain of reports.
      const contradiction = contradictionIn(storedStatement(canonicalText));
      if (contradiction !== null) throw new Error(`the report contradicts itself: ${contradiction}`);
      await insertReport(tx, report, { canonicalText, chains, banks, tank: gasTankOwner });
    });
  }
  const answer = await deps.ask({ day });
  if (!answer.signed) throw new Error(`the signer refuses to sign the report: ${answer.refusal}`);
}

async function allHoldings({ database, gateways }: ReportDependencies, at: Date): Promise<ChainHoldings[]> {
  const known = await database.withoutCompany(findChains);
  const found: ChainHoldings[] = [];
  for (const chain of known.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    found.push(await holdingsAt(database, gateways.get(chain.id), chain, at));
  }
  return found;
}
