import type { VerificationKind, VerificationResult } from '@causeway/contract/operator-health-rules.ts';
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import { verifyAudit } from '../../../platform/audit/verify-stored.ts';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { CronContext, CronJob } from '../../../platform/jobs/cron.ts';
import { registry } from '../../../platform/process/metrics.ts';
import { verifyCards } from '../../cards/index.ts';
import { type ChainGateway, companiesWithAddresses, companiesWithoutAddress } from '../../chains/index.ts';
import { verifyRequests } from '../../collections/index.ts';
import { nilCompany } from '../../identity/index.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { reconcileBanksByCompany, reconcileCompanySteadily } from '../../rails/index.ts';
import { verifyTrades } from '../../trades/index.ts';
import { type Finding, findingOf } from './findings.ts';

/**
 * What is verified every night: the books by themselves, the books against each chain, the audit logs. The worker's role sees one company at a
 * time, so it goes from company to company. Results are kept; one that is not good opens an item of the operator's queue.
 */

const labelNames = ['kind', 'chain'] as const;
const verifiedAt = new Gauge({
  name: 'causeway_verification_ended_seconds',
  help: 'When the last verification of a kind ended, as Unix time',
  labelNames,
  registers: [registry],
});
const differing = new Gauge({
  name: 'causeway_verification_differences',
  help: 'Differences that the last verification of a kind found',
  labelNames,
  registers: [registry],
});
const agreed = new Gauge({
  name: 'causeway_verification_agrees',
  help: '1 when the last verification of a kind found no difference and could compare everything',
  labelNames,
  registers: [registry],
});

/** Of the findings so many are kept. */
const mostFindings = 50;

export interface VerifyingDependencies {
  database: Database;
  gateways: ReadonlyMap<string, ChainGateway>;
  /** Between two looks at a mismatch. */
  times?: { tries: number; pauseMs: number };
}

export function verifyingJobs(deps: VerifyingDependencies): CronJob[] {
  const daily = { backfillMs: 12 * 3_600_000 };
  return [
    {
      name: 'operator.verifyLedger',
      schedule: '17 2 * * *',
      ...daily,
      run: ({ signal }) => verifyAllBooks(deps, signal),
    },
    {
      name: 'operator.verifyChains',
      schedule: '37 2 * * *',
      ...daily,
      run: ({ signal }) => verifyAllChains(deps, signal),
    },
    {
      name: 'operator.verifyBanks',
      schedule: '47 2 * * *',
      ...daily,
      run: ({ signal }) => verifyAllBanks(deps, signal),
    },
    {
      name: 'operator.verifyAudit',
      schedule: '57 2 * * *',
      ...daily,
      run: ({ signal }: CronContext) => verifyAllLogs(deps, signal),
    },
  ];
}

/** What a look at everything of a kind found. */
interface Outcome {
  checked: number;
  differences: number;
  findings: Finding[];
  /** Something could not be compared. */
  isIncomplete: boolean;
}

export async function verifyAllBooks({ database }: VerifyingDependencies, signal?: AbortSignal): Promise<void> {
  await keep(database, 'ledger', null, async () => {
    const outcome: Outcome = { checked: 0, differences: 0, findings: [], isIncomplete: false };
    for (const companyId of await companiesOf(database)) {
      if (signal?.aborted) return null;
      const { accounts, mismatches: ledger } = await database.withCompany(companyId, verifyLedger);
      const { mismatches: trades } = await database.withCompany(companyId, verifyTrades);
      const { mismatches: requests } = await database.withCompany(companyId, verifyRequests);
      const { mismatches: cards } = await database.withCompany(companyId, verifyCards);
      const mismatches = [
        ...ledger,
        ...trades,
        ...requests.map(({ id, problem }) => ({ id, kind: `request.${problem}`, values: {} })),
        ...cards.map(({ id }) => ({ id, kind: 'card', values: {} })),
      ];
      outcome.checked += accounts;
      const company = mismatches.length === 0 ? '' : await nameOf(database, companyId);
      note(
        outcome,
        mismatches.map(({ id, kind, values }) => findingOf(`ledger.${kind}`, { ...values, company, row: id })),
      );
    }
    return outcome;
  });
}

export async function verifyAllChains(
  { database, gateways, times }: VerifyingDependencies,
  signal?: AbortSignal,
): Promise<void> {
  const companies = await companiesOf(database);
  for (const [chainId, gateway] of gateways) {
    await keep(database, 'chain', chainId, async () => {
      const outcome: Outcome = { checked: 0, differences: 0, findings: [], isIncomplete: false };
      for (const companyId of companies) {
        if (signal?.aborted) return null;
        const { result, failure } = await reconcileCompanySteadily(database, gateway, companyId, times);
        if (!result) {
          outcome.isIncomplete = true;
          if (outcome.findings.length < mostFindings)
            outcome.findings.push(
              findingOf('chain.failed', { company: await nameOf(database, companyId), message: failure }),
            );
          continue;
        }
        outcome.checked += result.wallets;
        const company = result.mismatches.length === 0 ? '' : await nameOf(database, companyId);
        note(
          outcome,
          result.mismatches.map(({ walletId, coin, expectedMinor: ledger, actualMinor: chain }) =>
            findingOf('chain.differs', {
              ...inText({ ledger, chain, difference: chain - ledger }),
              company,
              coin,
              wallet: walletId,
            }),
          ),
        );
      }
      return outcome;
    });
  }
}

export async function verifyAllBanks(
  { database }: Pick<VerifyingDependencies, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  await keep(database, 'bank', null, async () => {
    // The nil company has the installation's own books.
    const found = await reconcileBanksByCompany(database, [...(await companiesOf(database)), nilCompany], signal);
    if (found === null) return null;
    const checked = found.comparisons.reduce((sum, { entries }) => sum + entries, 0);
    const outcome: Outcome = { checked, differences: 0, findings: [], isIncomplete: false };
    const apart = found.comparisons.filter(({ differenceMinor }) => differenceMinor !== 0n);
    note(outcome, [
      ...apart.map(({ bank, asset, statedMinor: stated, bookedMinor: booked, differenceMinor: difference }) =>
        findingOf('bank.differs', { bank, asset, ...inText({ stated, booked, difference }) }),
      ),
      ...found.findings.map(({ kind, bank, asset, id, differenceMinor: difference }) =>
        findingOf(`bank.${kind}`, { bank, asset, row: id, ...inText({ difference }) }),
      ),
    ]);
    return outcome;
  });
}

export async function verifyAllLogs({ database }: VerifyingDependencies, signal?: AbortSignal): Promise<void> {
  await keep(database, 'audit', null, async () => {
    const { logs, problems } = await verifyAudit(database, signal);
    if (signal?.aborted) return null;
    const outcome: Outcome = { checked: logs, differences: 0, findings: [], isIncomplete: false };
    for (const { companyId, kind, entry } of problems) {
      note(outcome, [findingOf(`audit.${kind}`, { company: await nameOf(database, companyId), entry: String(entry) })]);
    }
    return outcome;
  });
}

/** What a company is called; its id where it has no name, as the installation has none. */
async function nameOf(database: Database, companyId: string): Promise<string> {
  const { rows } = await database.withCompany(companyId, (tx) =>
    sql<{ name: string }>`select name from company where company_id = company_id()`.execute(tx),
  );
  return rows[0]?.name ?? companyId;
}

function inText(amounts: Record<string, bigint>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, minor]) => [name, String(minor)]));
}

function note(outcome: Outcome, problems: readonly Finding[]): void {
  outcome.differences += problems.length;
  outcome.findings.push(...problems.slice(0, Math.max(0, mostFindings - outcome.findings.length)));
}

/** Runs a verification and keeps what it found; one that was cut short (null) keeps nothing. */
async function keep(
  database: Database,
  kind: VerificationKind,
  chainId: string | null,
  verify: () => Promise<Outcome | null>,
): Promise<void> {
  const startedAt = new Date();
  const outcome = await verify().catch((error: unknown) => ({
    checked: 0,
    differences: 0,
    findings: [error instanceof Error ? error.message : String(error)],
    isIncomplete: true,
  }));
  if (outcome === null) return;
  const { checked, differences, findings, isIncomplete } = outcome;
  const result: VerificationResult = differences > 0 ? 'differs' : isIncomplete ? 'failed' : 'agrees';
  await database.withoutCompany(async (tx) => {
    await sql`
      insert into verification (id, kind, chain_id, started_at, result, checked, differences, findings)
      values (${newId()}, ${kind}, ${chainId}, ${startedAt}, ${result}, ${checked}, ${differences}, ${JSON.stringify(findings)}::jsonb)`.execute(
      tx,
    );
  });
}

/**
 * Sets the gauges from what is kept; of chains that are still configured. Only the worker that reports does it: the gauges of another, which ran a
 * verification once, would keep what it found then.
 */
export async function gaugeVerifications(tx: PlatformTx): Promise<void> {
  const { rows } = await sql<{ kind: string; chainId: string | null; result: string; differences: number; at: number }>`
    select distinct on (kind, chain_id) kind, chain_id as "chainId", result, differences,
      extract(epoch from ended_at)::float8 as at
    from verification
    where chain_id is null or chain_id in (select id from chain where enabled) order by kind, chain_id, ended_at desc`.execute(
    tx,
  );
  for (const gauge of [verifiedAt, differing, agreed]) gauge.reset();
  for (const { kind, chainId, result, differences, at } of rows) {
    const labels = { kind, chain: chainId ?? '' };
    verifiedAt.set(labels, at);
    differing.set(labels, differences);
    agreed.set(labels, result === 'agrees' ? 1 : 0);
  }
}

/** Every company, those without a chain too. */
function companiesOf(database: Database): Promise<string[]> {
  return database.withoutCompany(async (tx) => [
    ...(await companiesWithAddresses(tx)),
    ...(await companiesWithoutAddress(tx)),
  ]);
}
