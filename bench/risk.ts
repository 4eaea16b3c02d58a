import { randomBytes } from 'node:crypto';
import type { AssessedSubject } from '../server/src/features/risk/domain.ts';
import { assess, forget } from '../server/src/features/risk/service/assess.ts';
import { replay } from '../server/src/features/risk/service/replay.ts';
import type { Database } from '../server/src/platform/database/database.ts';
import { announce, live } from '../server/src/platform/database/outbox.ts';
import { newId } from '../server/src/platform/ids.ts';
import { riskManager } from '../server/src/testing/risk.ts';
import { median, percentile } from './load.ts';
import type { Line } from './report.ts';
import type { Stage } from './stage.ts';

/**
 * The verdict on a transfer in a company with as many policies, list entries and past transactions as a company will ever
 * have: judged, counted and recorded, from the beginning of its transaction to its commit. And a replay of a quarter.
 */
export interface RiskSizes {
  policies: number;
  entries: number;
  transactions: number;
  replayed: number;
  verdicts: number;
}

/** Milliseconds. */
const verdictGoal = 10;
const replayGoal = 2000;
const chunk = 250_000;

export async function measureRisk(stage: Stage, sizes: RiskSizes): Promise<Line[]> {
  const database = stage.open(4);
  try {
    return [...(await timeVerdicts(stage, database, sizes)), ...(await timeReplays(stage, database, sizes))];
  } finally {
    await database.close();
  }
}

async function timeVerdicts(stage: Stage, database: Database, sizes: RiskSizes): Promise<Line[]> {
  const companyId = newId();
  await seedPolicies(stage, companyId, sizes.policies);
  const whitelisted = await seedEntries(stage, companyId, sizes.entries);
  await seedFlows(stage, companyId, sizes.transactions, 365);
  await stage.admin.query('vacuum analyze');

  const times: number[] = [];
  let first = Number.NaN;
  let before = process.cpuUsage();
  for (let i = -50; i < sizes.verdicts; i++) {
    // Every other one to an account on the white list.
    const account = i % 2 === 0 ? whitelisted[Math.abs(i) % whitelisted.length] : undefined;
    const began = performance.now();
    const verdict = await database.withCompany(companyId, (tx) => assess(tx, withdrawal(account), 'submission'));
    const took = performance.now() - began;
    if (!verdict.allowed) throw new Error(`the bench's transfers pass: ${verdict.reason}`);
    if (i === -50) first = took;
    if (i === -1) before = process.cpuUsage();
    if (i >= 0) times.push(took);
  }
  const own = busyMs(before) / sizes.verdicts;
  const oneRow = await timeOneRow(database, companyId, 200);
  const gaveBack = await timeGivingBack(database, companyId, 200);
  const size = [sizes.policies, sizes.entries, sizes.transactions].map((count) => count.toLocaleString('en'));
  const detail = `${size[0]} policies, ${size[1]} entries, ${size[2]} past transactions; p99 ${percentile(times, 0.99).toFixed(1)} ms; ${own.toFixed(2)} ms of this processor; a transaction of one row ${oneRow.toFixed(1)} ms`;
  const unit = 'ms';
  return [
    { what: 'risk: verdict on a transfer, median', goal: { atMost: verdictGoal }, figure: median(times), unit, detail },
    {
      what: 'risk: first verdict after a change',
      goal: null,
      figure: first,
      unit,
      detail: 'the policies are compiled',
    },
    { what: 'risk: giving a count back, median', goal: null, figure: gaveBack, unit, detail: '' },
  ];
}

/** Milliseconds that this process was busy, which other work on the machine does not change. */
function busyMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** The least that a transaction costs here, now: one row, and the disk. */
async function timeOneRow(database: Database, companyId: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await database.withCompany(companyId, (tx) => announce(tx, [live('account')]));
    times.push(performance.now() - began);
  }
  return median(times);
}

async function timeGivingBack(database: Database, companyId: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const subject = withdrawal(undefined);
    await database.withCompany(companyId, (tx) => assess(tx, subject, 'submission'));
    const began = performance.now();
    await database.withCompany(companyId, (tx) => forget(tx, subject.id));
    times.push(performance.now() - began);
  }
  return median(times);
}

async function timeReplays(stage: Stage, database: Database, sizes: RiskSizes): Promise<Line[]> {
  const lines: Line[] = [];
  for (const policies of [20, sizes.policies]) {
    const companyId = newId();
    await seedPolicies(stage, companyId, policies);
    await seedFlows(stage, companyId, sizes.replayed, 85);
    const draft = {
      name: 'Draft',
      business: 'crypto_withdrawal' as const,
      method: 'forbid' as const,
      content: { dimension: 'crypto_value' as const, from: '100000', to: null },
      result: 'deny' as const,
      window: 'day' as const,
    };
    const context = riskManager(companyId);
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let i = 0; i < 3; i++) {
      const began = performance.now();
      const { judged } = await database.withCompany(companyId, (tx) => replay(tx, context, { policy: draft }));
      times.push(performance.now() - began);
      if (judged !== sizes.replayed) throw new Error(`the replay judged ${judged}`);
    }
    lines.push({
      what: `risk: replay against ${policies.toLocaleString('en')} policies`,
      goal: policies === 20 ? { atMost: replayGoal } : null,
      figure: median(times),
      unit: 'ms',
      detail: `${sizes.replayed.toLocaleString('en')} transactions of 85 days; ${(busyMs(before) / 3).toFixed(0)} ms of this processor`,
    });
  }
  return lines;
}

function withdrawal(account: string | undefined): AssessedSubject {
  const payee = account ?? `0x${randomBytes(20).toString('hex')}`;
  return {
    id: newId(),
    business: 'crypto_withdrawal',
    chainId: 'ethereum',
    coin: 'USDT',
    quantityMinor: 5_000_000n,
    decimals: 6,
    valueUsdCents: 500n,
    currency: null,
    region: null,
    accountKind: 'crypto_address',
    account: payee,
    accountKey: payee.toLowerCase(),
    initiatorId: newId(),
  };
}

/** Policies of every dimension of a withdrawal, none of which matches, so that all are asked. */
async function seedPolicies({ admin }: Stage, companyId: string, count: number): Promise<void> {
  const never = '999999999999999';
  const contents = [
    { dimension: 'chain', chains: ['base', 'polygon'] },
    { dimension: 'coin', coins: ['USDC', 'HKDT', 'ETH'] },
    { dimension: 'crypto_quantity', coin: 'USDT', from: never, to: null },
    { dimension: 'crypto_value', from: '9999999999999', to: null },
    { dimension: 'crypto_frequency', from: '9999999', to: null },
  ];
  const windows = ['day', 'week', 'month'];
  const definitions = Array.from({ length: count }, (_, i) => ({
    name: `Policy ${i}`,
    business: 'crypto_withdrawal',
    method: 'forbid',
    content: contents[i % contents.length],
    result: 'deny',
    window: windows[i % windows.length],
  }));
  const ids = definitions.map(() => newId());
  const values = [companyId, ids, definitions.map((definition) => JSON.stringify(definition))];
  await admin.query(
    `insert into causeway.risk_policy (company_id, id, name, business, dimension, definition, active, created_by_name, updated_by_name)
     select $1, id, d ->> 'name', d ->> 'business', d -> 'content' ->> 'dimension', d, true, 'bench', 'bench'
     from unnest($2::uuid[], $3::jsonb[]) as p (id, d)`,
    values,
  );
  await admin.query(
    `insert into causeway.risk_policy_version (company_id, policy_id, version, definition, created_by_name)
     select $1, id, 1, d, 'bench' from unnest($2::uuid[], $3::jsonb[]) as p (id, d)`,
    values,
  );
  await admin.query(
    `insert into causeway.risk_ruleset (company_id, version, policy_ids, policy_versions, active)
     values ($1, 1, $2, array_fill(1, array[$3::int]), array_fill(true, array[$3::int]))`,
    [companyId, ids, count],
  );
}

/** Half on the whitelist, half on the blacklist; returns the whitelisted ones. */
async function seedEntries({ admin }: Stage, companyId: string, count: number): Promise<string[]> {
  const accounts = Array.from({ length: count }, () => `0x${randomBytes(20).toString('hex')}`);
  const white = accounts.slice(0, count / 2);
  await admin.query(
    `insert into causeway.risk_list_entry (company_id, id, kind, payee_type, account, account_key, single_cents, daily_cents,
       cumulative_cents, created_by_name)
     select $1, id, kind, 'crypto_address', account, account, l, l, l, 'bench'
     from unnest($2::uuid[], $3::text[], $4::text[]) as e (id, kind, account),
       lateral (select case kind when 'white' then 1000000000000 end as l) limits`,
    [companyId, accounts.map(() => newId()), accounts.map((_, i) => (i < white.length ? 'white' : 'black')), accounts],
  );
  return white;
}

/** So many transactions spread over the last days, and the sums of their days. */
async function seedFlows({ admin }: Stage, companyId: string, count: number, days: number): Promise<void> {
  for (let from = 0; from < count; from += chunk) {
    await admin.query(
      `insert into causeway.risk_flow (company_id, transaction_id, at, day, business, chain_id, coin, account_kind, account,
         quantity, decimals, value_cents, initiator_id)
       select $1, gen_random_uuid(), at, (at at time zone 'Asia/Hong_Kong')::date, 'crypto_withdrawal', 'ethereum',
         (array['USDT', 'USDC', 'HKDT'])[1 + i % 3], 'crypto_address', '0x' || md5(i::text), 1000000 + i, 6, 100, gen_random_uuid()
       from generate_series($2::bigint, $3::bigint - 1) i,
         lateral (select now() - $4 * interval '1 day' * (1 - (i + 0.5) / $5) as at) t`,
      [companyId, from, Math.min(count, from + chunk), days, count],
    );
  }
  await admin.query(
    `insert into causeway.risk_usage (company_id, business, day, asset, transactions, quantity, value_cents)
     select company_id, business, day, coin, count(*), sum(quantity), sum(value_cents) from causeway.risk_flow
     where company_id = $1 group by 1, 2, 3, 4`,
    [companyId],
  );
}
