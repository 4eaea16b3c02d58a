import type { OpenSeal, Seal } from '../../../platform/crypto/seal.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { isOutage } from '../../../platform/database/outage.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { inTurns } from '../../../platform/turns.ts';
import type { ApprovalSubject } from '../../approvals/index.ts';
import { enterJoined, type OutgoingKinds } from '../../outgoing/index.ts';
import { insertPromised } from '../../transfers/index.ts';
import { deleteQueued, findQueuedCompanies, lockQueued, readQueued } from '../store/queue.ts';
import { insertEntries } from '../store/runs.ts';
import { giveBackOverdue } from './give-back.ts';
import { type DecidedRun, readKept } from './queue.ts';

/** The rows of runs become transactions: with the run, or, where there are many, after it was answered (docs/adr/0116-…). */

/** With what rows are entered. */
export interface Entering {
  seal: Seal;
  kinds: OutgoingKinds;
  subject: ApprovalSubject;
}

/** Leaves for the commit what enters the rows of a run. `heldAt`: as of `enterJoined`. */
export async function enterRun(
  tx: Tx,
  entering: Entering,
  { entries, decided, promises }: DecidedRun,
  heldAt: string | null,
): Promise<void> {
  await enterJoined(tx, entering, decided, heldAt);
  const { companyId } = tx;
  const leave = (statement: Promise<unknown>) => tx.leave([statement]);
  await inTurns(insertEntries(tx, { companyId, runId: decided.common.joined.id }, entries), leave);
  tx.leave(insertPromised(tx, promises));
}

export interface QueueParts extends Entering {
  database: Database;
  openSeal: OpenSeal;
  log: Log;
}

/**
 * Enters the queued runs of a company, each in a transaction of its own. Several processes may try at once. What a run holds that cannot be entered
 * for ten minutes is given back.
 */
async function enterQueued(parts: QueueParts, companyId: string): Promise<void> {
  const { database, openSeal, log } = parts;
  const enterOldest = () =>
    database.withCompany(companyId, async (tx) => {
      const [runId, ...others] = await lockQueued(tx);
      if (runId === undefined) return 0;
      const kept = await readQueued(tx, runId);
      await enterRun(tx, parts, await readKept(companyId, openSeal, runId, kept), kept.at);
      tx.leave([deleteQueued(tx, runId)]);
      return others.length;
    });
  for (let left = 1; left > 0; ) {
    try {
      left = await enterOldest();
    } catch (error) {
      const isGivenBack =
        !isOutage(error) && (await database.withCompany(companyId, giveBackOverdue).catch(() => false));
      if (!isGivenBack) throw error;
      log.error({ err: error, companyId }, 'the rows of a run could not be entered: what it held was given back');
    }
  }
}

/** Runs are entered as soon as they are accepted; so often it is looked for those of a process that ended before it had entered its own. */
const everyMs = 5000;

/** What enters the queued runs of an HTTP process. */
export interface RunQueue {
  /** Enters those of a company; resolves when they are transactions. @throws DomainError unavailable where they cannot be entered; the cause is in the log */
  enter(companyId: string): Promise<void>;
  /** The same while others are served; what fails is tried again by the loop. */
  wake(companyId: string): void;
  /** Resolves when all that was woken has ended. */
  settled(): Promise<void>;
  /** Enters what other processes left. */
  start(): Loop;
}

export function createRunQueue(parts: QueueParts): RunQueue {
  const { log } = parts;
  // However many wait for the same rows, one connection enters them.
  const underWay = new Map<string, Promise<void>>();
  const enter = (companyId: string): Promise<void> => {
    const entering =
      underWay.get(companyId) ??
      enterQueued(parts, companyId)
        .catch((error: unknown) => {
          log.error({ err: error, companyId }, 'the rows of a run could not be entered');
          // What was called for them is not to blame, and can be called again.
          throw new DomainError('unavailable');
        })
        .finally(() => underWay.delete(companyId));
    underWay.set(companyId, entering);
    return entering;
  };
  return {
    enter,
    wake(companyId) {
      const again = () => enter(companyId).catch(() => undefined);
      // One that is under way may have looked before this run was there.
      void (underWay.get(companyId)?.then(again, again) ?? again());
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay.values());
    },
    start() {
      const step = (signal: AbortSignal) => enterAll(parts, signal);
      return startLoop({ name: 'batches.enterQueued', everyMs, log: parts.log, step });
    },
  };
}

/** One round over the companies with queued runs; one that fails keeps no others from theirs, and is tried again in the next round. Throws the first failure at its end. */
export async function enterAll(parts: QueueParts, signal?: AbortSignal): Promise<void> {
  const { database } = parts;
  const failures: unknown[] = [];
  for (const companyId of await database.withoutCompany(findQueuedCompanies)) {
    if (signal?.aborted) break;
    await enterQueued(parts, companyId).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
