import { sql } from 'kysely';
import { createEvmGateway, createSignerClient } from '../features/chains/index.ts';
import { actJobs, treasuryActs, treasuryJobs } from '../features/operator/index.ts';
import { evmFamily, tendOnce } from '../features/rails/index.ts';
import type { EvmChainConfig } from '../platform/config/chains.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createLog } from '../platform/process/log.ts';
import { outgoingKinds } from './chain-families.ts';
import { sendingJobs } from './sending.ts';

/** What a test gives it, as JSON: the only argument. */
export interface DoomedWorker {
  databaseUrl: string;
  signerSocket: string;
  chain: EvmChainConfig;
  /** The step at which it kills itself, the first is 1: a company's transaction, a signature, a broadcast. */
  step: number;
  moment: 'before' | 'after';
}

/**
 * A worker in a process of its own, which does the jobs that were announced and one round of tending, and dies of SIGKILL at one of its steps: no
 * handler runs and no connection is closed. It exits with 0 where it has fewer steps. An event is deleted once its jobs are done, as the queue does.
 */
const given = JSON.parse(process.argv[2] ?? '') as DoomedWorker;
let steps = 0;

/** The same object, one of whose methods may be the last. */
function mortal<T extends object>(target: T, method: keyof T & string): T {
  return new Proxy(target, {
    get(own, name) {
      const value: unknown = Reflect.get(own, name);
      if (name !== method || typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        steps += 1;
        const isLast = steps === given.step;
        if (isLast && given.moment === 'before') process.kill(process.pid, 'SIGKILL');
        const result: unknown = await value.apply(own, args);
        if (isLast) process.kill(process.pid, 'SIGKILL');
        return result;
      };
    },
  });
}

const database = mortal(
  openDatabase(given.databaseUrl, { poolSize: 4, applicationName: 'doomed-worker' }),
  'withCompany',
);
const log = createLog('test', 'silent');
const deps = {
  database,
  gateways: new Map([[given.chain.id, mortal(createEvmGateway(given.chain), 'broadcast')]]),
  signer: mortal(createSignerClient(given.signerSocket), 'sign'),
  kinds: outgoingKinds,
  familyOf: () => evmFamily,
  log,
};
const jobs = [...sendingJobs(deps), ...actJobs({ ...treasuryActs }), ...treasuryJobs()];

interface Event {
  id: string;
  companyId: string;
  name: string;
  payload: Record<string, unknown>;
}

async function work(): Promise<void> {
  for (;;) {
    const { rows } = await database.withoutCompany((tx) =>
      sql<Event>`
        select id, company_id as "companyId", name, payload from outbox order by id`.execute(tx),
    );
    if (rows.length === 0) return;
    for (const { id, companyId, name, payload } of rows) {
      for (const job of jobs.filter(({ on }) => on?.includes(name)))
        await job.run({ companyId, database, log }, payload);
      await database.withoutCompany((tx) => sql`delete from outbox where id = ${id}`.execute(tx));
    }
  }
}

await work();
await tendOnce(deps, given.chain.id, { intervalMs: 0, rebroadcastAfterMs: 0, stuckAfterMs: 3_600_000 });
await work();
await database.close();
process.exit(0);
