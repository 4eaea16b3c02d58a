import { setTimeout as delay } from 'node:timers/promises';
import { takeLock, untracedReport } from '../../chains/index.ts';
import type { FollowingDependencies } from './surroundings.ts';
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
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);

  /** Repeats `step` as the only one for this name, with the pause that it returns. */
  async function repeat(name: string, step: () => Promise<number>): Promise<void> {
    while (!signal.aborted) {
      const lock = await takeLock(deps.database, name).catch(() => null);
      if (!lock) {
        await pause(times.sweepStepMs);
        continue;
      }
      try {
        while (!signal.aborted && (await lock.isHeld())) {
          const pauseMs = await step().catch((error: unknown) => {
            deps.log.warn({ err: error, loop: name }, 'coins sent by contracts could not be looked for; trying again');
            return times.sweepStepMs;
          });
          await pause(pauseMs);
        }
      } finally {
        await lock.release();
      }
    }
  }

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

  const running = Promise.all(
    chainIds.flatMap((chainId) => [
      repeat(`trace/${chainId}`, tracing(chainId)),
      repeat(`balances/${chainId}`, sweeping(chainId)),
    ]),
  );
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
