import type { Database } from '../../../platform/database/database.ts';
import { HealthProblem } from '../../../platform/process/health.ts';
import { chainGauge } from '../../../platform/process/metrics.ts';
import {
  dueTraces,
  type EvmGateway,
  forgetUntraced,
  NotTraced,
  postponeTrace,
  type UntracedBlock,
  untracedReport,
} from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { recordGrowth } from './contract-coins.ts';
import { evmGatewayOf } from './gateway.ts';

/**
 * Looks into blocks, after the watcher has read them, for coins that contracts passed on. A trace that fails holds up
 * nothing but such coins, and those only until `sweeping-balances.ts` finds them.
 */

const untracedBlocks = chainGauge(
  'causeway_chain_untraced_blocks',
  'Blocks that may hold coins sent by contracts and are neither traced nor explained by balances',
);
const untracedSeconds = chainGauge(
  'causeway_chain_untraced_seconds',
  'How long the oldest of the untraced blocks has been waiting',
);

const blocksAtOnce = 50;
const longestRetryMs = 3_600_000;
/** Before the first failure counts double. */
const retryMs = { slow: 5000, disagreement: 5000, unfinished: 2000, unavailable: 60_000 } as const;

/** Traces what is due on one chain, a block at a time. */
export async function traceOnce(deps: FollowingDependencies, chainId: string): Promise<void> {
  const gateway = evmGatewayOf(deps, chainId);
  const due = await deps.database.withoutCompany((tx) => dueTraces(tx, chainId, blocksAtOnce));
  for (const block of due) await traceBlock(deps, gateway, block);
  await report(deps, chainId);
}

async function traceBlock(deps: FollowingDependencies, gateway: EvmGateway, block: UntracedBlock): Promise<void> {
  const { chainId } = gateway;
  try {
    const traced = await gateway.internalTransfers(block);
    await recordGrowth(
      deps,
      chainId,
      block,
      traced.map((transfer) => transfer.to),
      traced,
    );
    await deps.database.withoutCompany((tx) => forgetUntraced(tx, chainId, block.hash));
  } catch (error) {
    const problem = error instanceof NotTraced ? error.problem : 'disagreement';
    if (block.attempts === 0 && problem !== 'unfinished') {
      deps.log.warn({ err: error, chain: chainId, height: block.height, problem }, 'a block could not be traced yet');
    }
    // What is traced in parts comes nearer each time.
    const doublings = problem === 'unfinished' ? 0 : Math.min(block.attempts, 12);
    const failed = { problem, retryMs: Math.min(longestRetryMs, retryMs[problem] * 2 ** doublings) };
    await deps.database.withoutCompany((tx) => postponeTrace(tx, chainId, block.hash, failed));
  }
}

async function report(deps: FollowingDependencies, chainId: string): Promise<void> {
  const reports = await deps.database.withoutCompany(untracedReport);
  const own = reports.find((one) => one.chainId === chainId);
  untracedBlocks.set({ chain: chainId }, own?.blocks ?? 0);
  untracedSeconds.set({ chain: chainId }, own?.oldestSeconds ?? 0);
}

/** Beyond which coins are late: the sweep of balances should have found them long before. */
const patienceSeconds = 900;

/** For logs and readiness. @throws HealthProblem when blocks of the chain have waited for their trace for too long */
export async function checkTraces(database: Database, chainId: string): Promise<void> {
  const reports = await database.withoutCompany(untracedReport);
  const late = reports.find((one) => one.chainId === chainId && one.oldestSeconds > patienceSeconds);
  if (!late) return;
  const { blocks, fromHeight, problem } = late;
  throw new HealthProblem('traces', { blocks, height: String(fromHeight), problem: problem ?? 'untried' });
}
