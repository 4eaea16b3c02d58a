import { request } from 'node:http';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { chainGauge } from '../../platform/process/metrics.ts';

/** The worker's checks of what every chain has outside: the signer, and how far the chain is read. */

const cursorAge = chainGauge(
  'causeway_chain_cursor_age_seconds',
  'Since a block of the chain was last read, by whichever worker reads it',
);

const blockTime = chainGauge(
  'causeway_chain_block_time_seconds',
  'How long the chain takes for a block, as configured',
);

/**
 * A chain of which no block was read for so long is not followed: five minutes, or twelve times its block time, which chance alone
 * exceeds once in 160,000 blocks where they are found as Bitcoin's are.
 */
const leastSeconds = 300;
const blockTimes = 12;

/** Whether blocks of the chain are read, by this worker or another. */
export function watcherCheck(
  database: Database,
  { id: chainId, blockTimeMs }: { id: string; blockTimeMs: number },
): HealthCheck {
  const unfollowedAfterSeconds = Math.max(leastSeconds, (blockTimes * blockTimeMs) / 1000);
  return {
    name: `watcher:${chainId}`,
    need: 'degraded',
    async check() {
      const { rows } = await database.withoutCompany((tx) =>
        sql<{ age: number }>`
          select extract(epoch from now() - updated_at)::float8 as age from chain_cursor
          where chain_id = ${chainId}`.execute(tx),
      );
      const age = rows[0]?.age;
      if (age === undefined) throw new HealthProblem('noBlock');
      cursorAge.set({ chain: chainId }, age);
      blockTime.set({ chain: chainId }, blockTimeMs / 1000);
      if (age > unfollowedAfterSeconds) throw new HealthProblem('oldBlock', { seconds: Math.round(age) });
    },
  };
}

/** The signer answers on its socket; whatever it answers, it is there. */
export function signerCheck(socketPath: string): HealthCheck {
  return {
    name: 'signer',
    need: 'degraded',
    check: () =>
      new Promise<void>((resolve, reject) => {
        const asked = request({ socketPath, path: '/', agent: false, timeout: 2000 }, (response) => {
          response.resume();
          resolve();
        });
        asked.on('timeout', () => asked.destroy(new HealthProblem('signerSilent')));
        asked.on('error', reject);
        asked.end();
      }),
  };
}
