import { statfs } from 'node:fs/promises';
import { Gauge } from 'prom-client';
import type { ChainConfig } from '../../../platform/config/chains.ts';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { chainGauge, registry } from '../../../platform/process/metrics.ts';
import {
  type ChainGateway,
  createNodeProbe,
  findChains,
  findCursor,
  gasTankAddress,
  gasTankOwner,
  isEvmGateway,
  nodesOf,
  paymentsOf,
  tankThresholdOf,
  treasuryOwner,
} from '../../chains/index.ts';
import { forecast } from '../treasury/domain.ts';
import { findCursors, findTanks } from '../treasury/store.ts';
import {
  countJobs,
  countOutbox,
  keepNodes,
  keepReport,
  keepSizes,
  keepTank,
  keepTreasury,
  readArchive,
} from './report-store.ts';
import { gaugeVerifications } from './verifying.ts';

/** What the worker reports every half minute for the operator's console, and as metrics. */

const everyMs = 30_000;

const jobs = new Gauge({
  name: 'causeway_jobs',
  help: 'Jobs by name and state: waiting, running, retrying, failed',
  labelNames: ['name', 'state'],
  registers: [registry],
});
const watcherLag = chainGauge(
  'causeway_watcher_lag_blocks',
  'Blocks that the chain’s highest node has and the worker has not read',
);
const tankDays = chainGauge(
  'causeway_gas_tank_days_left',
  'How many days the gas tank lasts at the present rate; absent while nothing is spent',
);
const tankWarnDays = chainGauge(
  'causeway_gas_tank_warn_days',
  'Below so many days the gas tank is low, as operators have set it',
);
const filesFree = new Gauge({
  name: 'causeway_files_free_bytes',
  help: 'Free space where files are stored',
  registers: [registry],
});

export interface ReportingDependencies {
  database: Database;
  chains: readonly ChainConfig[];
  gateways: ReadonlyMap<string, ChainGateway>;
  filesDirectory: string;
  /** The gas tank's address by the worker's configuration. */
  gasTank: string;
  log: Log;
}

/** One worker at a time reports. */
export function startInstallationReports(deps: ReportingDependencies): Loop {
  const { database, log } = deps;
  const report = createInstallationReport(deps);
  return startLoop({
    name: 'operator.report',
    everyMs,
    log,
    alone: { database, lock: 'operator.report' },
    step: report,
  });
}

/** @returns one round; a part that fails keeps no other from its turn, and the round rejects with the first failure */
export function createInstallationReport(deps: ReportingDependencies): () => Promise<void> {
  const { database, chains, filesDirectory, log } = deps;
  const probes = chains.map((chain) => ({ chain, probe: createNodeProbe(chain.id, nodesOf(chain)) }));
  return async () => {
    const results = await Promise.allSettled([
      database.withoutCompany(reportQueues),
      database.withoutCompany(gaugeVerifications),
      database.withoutCompany((tx) => reportStorage(tx, filesDirectory)),
      ...probes.map(async ({ chain, probe }) => {
        const nodes = await probe();
        await database.withoutCompany(async (tx) => {
          await keepNodes(tx, chain.id, nodes);
          const cursor = (await findCursors(tx)).find(({ chainId }) => chainId === chain.id);
          const heights = nodes.flatMap(({ height }) => (height === null ? [] : [height]));
          if (cursor && heights.length > 0) {
            watcherLag.set({ chain: chain.id }, Math.max(0, Math.max(...heights) - cursor.height));
          }
        });
      }),
      ...chains.map((chain) => reportTank(deps, chain.id)),
      ...chains.map((chain) => reportTreasury(deps, chain.id)),
    ]);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    for (const failure of failures) log.warn({ err: failure }, 'a part of the report failed');
    if (failures.length > 0) throw failures[0];
  };
}

async function reportQueues(tx: PlatformTx): Promise<void> {
  const counts = await countJobs(tx);
  jobs.reset();
  for (const { name, waiting, running, retrying, failed } of counts) {
    for (const [state, count] of Object.entries({ waiting, running, retrying, failed })) {
      jobs.set({ name, state }, count);
    }
  }
  await keepReport(tx, 'jobs', { jobs: counts });
  await keepReport(tx, 'outbox', await countOutbox(tx));
}

async function reportStorage(tx: PlatformTx, directory: string): Promise<void> {
  const { blocks, bavail, bsize } = await statfs(directory);
  filesFree.set(bavail * bsize);
  await keepReport(tx, 'files', { freeBytes: bavail * bsize, totalBytes: blocks * bsize });
  await keepReport(tx, 'archive', { archive: await readArchive(tx) });
  await keepSizes(tx);
}

async function reportTank({ database, gateways, gasTank }: ReportingDependencies, chainId: string): Promise<void> {
  const gateway = gateways.get(chainId);
  const address = await database.withoutCompany((tx) => gasTankAddress(tx, chainId, gasTankOwner));
  if (!gateway || !isEvmGateway(gateway) || address === null) return;
  const [head, fees] = await Promise.all([gateway.head(), gateway.fees()]);
  const balanceMinor = await gateway.balance(null, address, head);
  const payments = paymentsOf(balanceMinor, fees.maxFeePerGas);
  const isConfigured = address.toLowerCase() === gasTank.toLowerCase();
  await database.withoutCompany(async (tx) => {
    await keepTank(tx, { chainId, address, balanceMinor, payments, isConfigured });
    tankWarnDays.set({ chain: chainId }, (await tankThresholdOf(tx, chainId)).warnDays);
    const tank = (await findTanks(tx)).find((one) => one.chainId === chainId);
    const daysLeft = tank ? forecast(tank).daysLeft : null;
    if (daysLeft === null) tankDays.remove({ chain: chainId });
    else tankDays.set({ chain: chainId }, daysLeft);
  });
}

/** What the treasury holds of each coin, at the block that the watcher has read. */
async function reportTreasury({ database, gateways }: ReportingDependencies, chainId: string): Promise<void> {
  const gateway = gateways.get(chainId);
  const { address, cursor, coins } = await database.withoutCompany(async (tx) => ({
    address: await gasTankAddress(tx, chainId, treasuryOwner),
    cursor: await findCursor(tx, chainId),
    coins: (await findChains(tx)).find(({ id }) => id === chainId)?.coins ?? [],
  }));
  if (!gateway || address === null || cursor === null) return;
  for (const { coin, contract } of coins) {
    const balanceMinor = await gateway.balance(contract, address, cursor.height);
    await database.withoutCompany((tx) => keepTreasury(tx, { chainId, coin, balanceMinor, height: cursor.height }));
  }
}
