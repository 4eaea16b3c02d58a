import type { QueueKind } from '@causeway/contract/operator-queue-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { findReports } from '../../../platform/solvency/store.ts';
import { findTankThresholds } from '../../chains/index.ts';
import { nilCompany } from '../../identity/index.ts';
import { findMidStates, findPrices, isStale, sourceName } from '../../rates/index.ts';
import { type Finding, sayFinding } from '../health/findings.ts';
import { findLastVerifications } from '../health/store.ts';
import { forecast, isTankLow } from '../treasury/domain.ts';
import { findTanks } from '../treasury/store.ts';
import { type Cause, mostCauses, type Source } from './cause.ts';
import { kept, type Phrase } from './words.ts';

/** Causes about the installation itself: what the worker reports, prices, jobs, the audit log, proposals. */

/** A check that fails for less may be a restart. */
const failingForMinutes = 2;
/** The worker reports every half minute. */
const silentAfterMinutes = 3;
/** A worker that was started after the last migration has reported by then. */
const neverReportedAfterMinutes = 10;
/** Every chain of audit entries is signed each minute. */
const unsignedAfterMinutes = 15;

interface ComponentRow {
  name: string;
  reason: string;
  /** Null from a worker of a release before. */
  said: Phrase | null;
  since: Date;
}

/**
 * The kind of item that a health check's failure is, by the beginning of its name; null where a source of its own looks at the same
 * thing (prices, mids, frozen wallets, held addresses, restore mode).
 */
function kindOfCheck(name: string): QueueKind | null {
  const [check = ''] = name.split(':');
  if (['prices', 'mids', 'frozen-wallets', 'payments', 'restore-mode', 'failed-jobs', 'solvency'].includes(check))
    return null;
  if (check === 'card-issuer') return 'cardIssuerSilent';
  if (check === 'node') return 'nodeFailing';
  if (check === 'watcher') return 'watcherBehind';
  if (check === 'gas-tank') return 'gasTankLow';
  return check === 'signer' ? 'signerFailing' : 'serviceFailing';
}

/** Where no worker reports, its last word on everything else says nothing any more. */
async function findFailing(tx: PlatformTx, kind: QueueKind): Promise<Cause[]> {
  const { rows } = await sql<ComponentRow>`
    select name, reason, said, since from component_state
    where state = 'failed' and since < now() - make_interval(mins => ${failingForMinutes}) order by name`.execute(tx);
  return rows
    .filter(({ name }) => kindOfCheck(name) === kind)
    .map(({ name, reason, said, since }) => {
      const [check, chain, node] = name.split(':');
      const place =
        check === 'price-source'
          ? {}
          : { ...(chain === undefined ? {} : { chain }), ...(node === undefined ? {} : { node }) };
      return ofInstallation(name, since, {
        component: name,
        ...place,
        error: reason,
        ...(said && { errorSaid: kept(said) }),
      });
    });
}

const checked = (['nodeFailing', 'watcherBehind', 'serviceFailing'] as const).map(
  (kind): Source => ({ kind, find: (tx) => findFailing(tx, kind) }),
);

const tanks: Source = {
  kind: 'gasTankLow',
  async find(tx) {
    const failing = await findFailing(tx, 'gasTankLow');
    const named = new Set(failing.map(({ facts }) => facts['chain']));
    return [...failing, ...(await findShortTanks(tx)).filter(({ facts }) => !named.has(facts['chain']))];
  },
};

const signer: Source = {
  kind: 'signerFailing',
  async find(tx) {
    const failing = await findFailing(tx, 'signerFailing');
    const { rows } = await sql<{ finding: string; at: Date }>`
      select finding, checked_at as at from signer_state where not agrees`.execute(tx);
    return [
      ...failing.map((cause) => ({ ...cause, facts: { ...cause.facts, next: 'silent' } })),
      ...rows.map(({ finding, at }) => ofInstallation('journal', at, { error: finding, next: 'journal' })),
    ];
  },
};

const worker: Source = {
  kind: 'workerSilent',
  async find(tx) {
    // Where none has ever reported, the silence is as old as the installation's last migration.
    const { rows } = await sql<{ at: Date }>`
      select r.at from (
        select max(checked_at) as at, ${silentAfterMinutes}::integer as minutes from component_state having count(*) > 0
        union all
        select max(at), ${neverReportedAfterMinutes} from causeway_migration.done where not exists (select from component_state)
      ) r
      where r.at < now() - make_interval(mins => r.minutes)`.execute(tx);
    return rows.map(({ at }) => ofInstallation('worker', at, {}));
  },
};

const prices: Source = {
  kind: 'priceStale',
  async find(tx) {
    const now = new Date();
    const known = await findPrices(tx);
    return known
      .filter((price) => isStale(price, now))
      .map(({ asset, source, updatedAt }) =>
        ofInstallation(asset, updatedAt, { asset, source: sourceName(source), at: updatedAt.toISOString() }),
      );
  },
};

/** Sources that disagree for less may be catching up with the market. */
const unusableForMinutes = 2;

/** Prices for exchange, of assets that enough sources price; the others are not meant to be quoted. */
const mids: Source = {
  kind: 'midUnusable',
  async find(tx) {
    const since = Date.now() - unusableForMinutes * 60_000;
    return (await findMidStates(tx)).flatMap(({ asset, problem, problemSince, isCovered, at }) => {
      if (problem === null || problemSince === null || !isCovered || problemSince.getTime() > since) return [];
      const last = at === null ? {} : { at: at.toISOString() };
      return [ofInstallation(asset, problemSince, { asset, next: problem, ...last })];
    });
  },
};

interface FailedRow {
  id: string;
  name: string;
  companyId: string | null;
  attempts: number;
  error: string | null;
  since: Date;
}

/** Jobs that send mail say so in their names. */
async function findFailedJobs(tx: PlatformTx, kind: 'jobGaveUp' | 'mailFailed'): Promise<Cause[]> {
  const { rows } = await sql<FailedRow>`
    select j.id::text, j.name, j.company_id as "companyId", j.attempts, j.error, j.failed_at as since from failed_job j
    where (j.name ilike '%mail%') = ${kind === 'mailFailed'} and j.set_aside_at is null
      and not exists (select from operator_item i
        where i.kind = ${kind} and i.subject = j.id::text and i.state = 'resolved' and i.resolved_by is not null)
    order by j.id limit ${mostCauses}`.execute(tx);
  return rows.map(({ id, name, companyId, attempts, error, since }) => ({
    ...ofInstallation(id, since, { job: name, attempts: String(attempts), ...(error === null ? {} : { error }) }),
    companyId: companyId === nilCompany ? null : companyId,
  }));
}

const failedJobs = (['jobGaveUp', 'mailFailed'] as const).map(
  (kind): Source => ({ kind, find: (tx) => findFailedJobs(tx, kind) }),
);

const audit: Source = {
  kind: 'auditUnsigned',
  async find(tx) {
    const { rows } = await sql<{ companyId: string; since: Date; entries: number }>`
      select c.company_id as "companyId", s.sealed_at as since, c.seq - coalesce(k.seq, 0) as entries
      from audit_chain c
      left join lateral (select max(seq) as seq from audit_checkpoint k where k.company_id = c.company_id) k on true
      join audit_seal s on s.company_id = c.company_id and s.seq = coalesce(k.seq, 0) + 1
      where s.sealed_at < now() - make_interval(mins => ${unsignedAfterMinutes})
      order by c.company_id limit ${mostCauses}`.execute(tx);
    return rows.map(({ companyId, since, entries }) => ({
      ...ofInstallation(companyId, since, { entries: String(entries) }),
      companyId: companyId === nilCompany ? null : companyId,
    }));
  },
};

const proposals: Source = {
  kind: 'proposalOpen',
  async find(tx) {
    const { rows } = await sql<{
      id: string;
      kind: string;
      by: string;
      subject: string | null;
      reason: string;
      since: Date;
    }>`
      select p.id, p.kind, o.name as by, p.subject_name as subject, p.reason, p.proposed_at as since
      from operator_proposal p join operator_account o on o.id = p.proposed_by
      where p.state = 'open' and p.expires_at > now() order by p.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, since, by, reason, subject }) =>
      ofInstallation(id, since, { by, reason, ...(subject === null ? {} : { subject }) }),
    );
  },
};

/** A chain or coin that is off for longer may have been forgotten. */
const offForHours = 24;

const switchedOff: Source = {
  kind: 'switchedOff',
  async find(tx) {
    const { rows } = await sql<{ id: string; subject: string; by: string; reason: string; since: Date }>`
      select s.id, concat_ws(' · ', s.coin, coalesce(c.name, b.name)) as subject, o.name as by, s.reason, s.off_at as since
      from operator_switch s left join chain c on c.id = s.chain_id left join bank b on b.id = s.bank_id
      join operator_account o on o.id = s.off_by
      where s.on_at is null and s.off_at < now() - make_interval(hours => ${offForHours})
      order by s.id limit ${mostCauses}`.execute(tx);
    return rows.map(({ id, since, ...facts }) => ofInstallation(id, since, facts));
  },
};

/** The last report alone: a difference that is gone the next night is settled. */
const solvency: Source = {
  kind: 'solvencyDifference',
  async find(tx) {
    const [last] = await findReports(tx, { most: 1 });
    const short = last?.statement.assets.filter(({ difference }) => difference.startsWith('-')) ?? [];
    return short.map(({ asset, decimals, difference }) => ({
      ...ofInstallation(asset, new Date(last?.statement.at ?? 0), { day: last?.day ?? '' }),
      money: { asset, decimals, minor: -BigInt(difference) },
    }));
  },
};

/** The last of each kind and chain counts: it ends when a later one agrees. */
const verifications: Source = {
  kind: 'verificationFailed',
  async find(tx) {
    const last = await findLastVerifications(tx);
    return last
      .filter(({ result }) => result !== 'agrees')
      .map(({ kind, chainId, startedAt, differences, findings }) =>
        ofInstallation(chainId === null ? kind : `${kind}:${chainId}`, startedAt, {
          verified: kind,
          differences: String(differences),
          ...(chainId === null ? {} : { chain: chainId }),
          ...errorOf(findings[0]),
        }),
      );
  },
};

/** The first finding, in words of ours where it has some. */
function errorOf(finding: Finding | undefined): Cause['facts'] {
  if (finding === undefined) return {};
  const said = typeof finding === 'string' ? { id: 'health.finding.raw', values: { message: finding } } : finding;
  return { error: sayFinding('en-us', finding), errorSaid: kept(said) };
}

/** By the last report and the thresholds of now; how long a tank lasts at the rate at which it is spent, the worker's check does not know. */
async function findShortTanks(tx: PlatformTx): Promise<Cause[]> {
  const thresholds = await findTankThresholds(tx);
  return (await findTanks(tx)).flatMap((tank) => {
    const { chainId, balanceAt, payments } = tank;
    const { daysLeft } = forecast(tank);
    const threshold = thresholds.get(chainId);
    if (balanceAt === null || !threshold || !isTankLow({ daysLeft, paymentsLeft: payments }, threshold)) return [];
    return [
      ofInstallation(`forecast:${chainId}`, balanceAt, {
        chain: chainId,
        ...(daysLeft === null ? {} : { daysLeft: String(daysLeft) }),
        ...(payments === null ? {} : { paymentsLeft: String(payments) }),
      }),
    ];
  });
}

function ofInstallation(subject: string, since: Date, facts: Cause['facts']): Cause {
  return { subject, companyId: null, since, money: null, facts };
}

export const systemSources: readonly Source[] = [
  ...checked,
  tanks,
  signer,
  worker,
  prices,
  mids,
  ...failedJobs,
  audit,
  switchedOff,
  verifications,
  proposals,
  solvency,
];
