import { type Loop, startLoop, stopAll } from '../../../platform/jobs/loop.ts';
import { untracedReport } from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { createSweeper } from './sweeping-balances.ts';
import { checkTraces, traceOnce } from './tracing.ts';

/** How often each is looked after; of several workers, one a chain. */
export interface ContractCoinTimes {
  traceIntervalMs: number;
  /** Between two groups of addresses, so that nodes are asked for so many balances a second at the most. */
  sweepStepMs: number;
  /** Between two rounds while blocks wait for traces that do not come. */
  sweepWaitingMs: number;
  /** Between two rounds otherwise: for what a trace may have kept back. */
  sweepIdleMs: number;
}

const usualTimes: ContractCoinTimes = {
  traceIntervalMs: 500,
  sweepStepMs: 1000,
  sweepWaitingMs: 10_000,
  sweepIdleMs: 3_600_000,
};

/** A block that waits so long for its trace is looked for by balances. */
const waitsSeconds = 5;

/** How often the log says that blocks have been waiting for too long. */
const complaintMs = 300_000;

/** Finds coins that contracts sent, by traces and by balances, until stopped. */
export function startContractCoins(
  deps: FollowingDependencies,
  chainIds: readonly string[],
  times: ContractCoinTimes = usualTimes,
): Pick<Loop, 'stop'> {
  const loop = (name: string, chainId: string, step: () => Promise<number>) =>
    startLoop({
      name: `transfers.${name}:${chainId}`,
      everyMs: times.sweepStepMs,
      retry: { firstMs: times.sweepStepMs, mostMs: Math.max(times.sweepStepMs, 5000) },
      alone: { database: deps.database, lock: `${name}/${chainId}` },
      log: deps.log.child({ chain: chainId }),
      step,
    });

  function tracing(chainId: string): () => Promise<number> {
    let lookedAt = 0;
    return async () => {
      await traceOnce(deps, chainId);
      if (Date.now() - lookedAt >= complaintMs) {
        lookedAt = Date.now();
        await checkTraces(deps.database, chainId).catch((error: unknown) => {
          deps.log.error({ err: error, chain: chainId }, 'coins sent by contracts may be missing: nodes do not trace');
        });
      }
      return times.traceIntervalMs;
    };
  }

  function sweeping(chainId: string): () => Promise<number> {
    const sweeper = createSweeper(deps, chainId);
    let isOver = true;
    let overAt = 0;
    return async () => {
      if (isOver && !(await isDue(chainId, Date.now() - overAt))) return times.sweepStepMs;
      isOver = await sweeper.step();
      if (isOver) overAt = Date.now();
      return times.sweepStepMs;
    };
  }

  async function isDue(chainId: string, sinceMs: number): Promise<boolean> {
    if (sinceMs >= times.sweepIdleMs) return true;
    if (sinceMs < times.sweepWaitingMs) return false;
    const reports = await deps.database.withoutCompany(untracedReport);
    return reports.some((report) => report.chainId === chainId && report.oldestSeconds >= waitsSeconds);
  }

  const loops = chainIds.flatMap((chainId) => [
    loop('trace', chainId, tracing(chainId)),
    loop('balances', chainId, sweeping(chainId)),
  ]);
  return { stop: () => stopAll(loops) };
}
