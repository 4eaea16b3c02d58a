import { writeSync } from 'node:fs';
import { hedgeOnce } from '../features/exchange/hedging/hedging.ts';
import type { KrakenConfig } from '../platform/config/liquidity.ts';
import { openDatabase } from '../platform/database/database.ts';
import { hedgingOf } from './hedging-worker.ts';

/** What a test gives it, as JSON: the only argument. */
export interface DoomedHedger {
  databaseUrl: string;
  config: KrakenConfig;
  /** The step at which it kills itself: the first is 1, or the first one of a name. */
  step: number | string;
  moment: 'before' | 'after';
}

/**
 * A worker in a process of its own that hedges for some rounds and dies of SIGKILL at one of its steps: a transaction, or a request to the venue. It writes the name of that
 * step, and exits with 0 where it has fewer.
 */
const given = JSON.parse(process.argv[2] ?? '') as DoomedHedger;
const rounds = 4;
let steps = 0;

function die(name: string): void {
  writeSync(1, `${given.moment} ${name}`);
  process.kill(process.pid, 'SIGKILL');
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  steps += 1;
  const isLast = steps === given.step || name === given.step;
  if (isLast && given.moment === 'before') die(name);
  const result = await work();
  if (isLast) die(name);
  return result;
}

/** A transaction is named by the statements of the store that it makes. */
function nameOf(work: unknown): string {
  const made = String(work).match(/\b(find|begin|mark|end|insert)[A-Z]\w+/g) ?? ['nextNonce'];
  return [...new Set(made)].join('+');
}

const real = openDatabase(given.databaseUrl, { poolSize: 4, applicationName: 'doomed-hedger' });
const database: typeof real = {
  ...real,
  withoutCompany: (work) => step(nameOf(work), () => real.withoutCompany(work)),
};
const hedging = hedgingOf(database, given.config);
const { venue } = hedging;
const { cancel } = venue;
if (cancel === null) throw new Error('a venue that cancels is needed');
const mortal = {
  ...hedging,
  times: { firstPauseMs: 0 },
  venue: {
    ...venue,
    place: (order: Parameters<typeof venue.place>[0]) => step('place', () => venue.place(order)),
    find: (order: Parameters<typeof venue.find>[0]) => step('find', () => venue.find(order)),
    cancel: (order: Parameters<typeof cancel>[0]) => step('cancel', () => cancel(order)),
  },
};
for (let round = 0; round < rounds; round += 1) await hedgeOnce(mortal);
await real.close();
process.exit(0);
