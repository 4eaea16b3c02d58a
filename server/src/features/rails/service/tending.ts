import { Gauge } from 'prom-client';
import type { ChainConfig } from '../../../platform/config/chains.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { type Loop, startLoop, stopAll } from '../../../platform/jobs/loop.ts';
import { registry } from '../../../platform/process/metrics.ts';
import {
  countStuck,
  heldSends,
  type Receipt,
  sendsToEmpty,
  stuckReasons,
  stuckSends,
  type UnsentPayment,
  unsentPayments,
  waitingSends,
} from '../../chains/index.ts';
import { sendPayment } from '../../outgoing/index.ts';
import type { SendingDependencies } from '../family.ts';
import { adoptLost } from './adopting.ts';
import { gatewayOf } from './gateway.ts';
import { findMined } from './mined.ts';
import { createChainRail, dispatch } from './sending.ts';
import { releaseSuperseded } from './superseded.ts';

/**
 * Looks after what has been sent and is in no block: offers the stored bytes again, raises the fee of what holds up its
 * sender's queue, and takes up transfers whose job has given up or whose wallet was frozen.
 */

export interface TendingTimes {
  /** How often a chain is looked at. */
  intervalMs: number;
  /** Bytes that no block has are offered to the nodes again after this. */
  rebroadcastAfterMs: number;
  /** A payment that no block has so long after its broadcast is replaced by a dearer one. */
  stuckAfterMs: number;
}

/** A payment waits for so many blocks of its chain before its fee is raised. */
function timesOf({ blockTimeMs, replaceAfterBlocks }: Replacing): TendingTimes {
  return { intervalMs: 3000, rebroadcastAfterMs: 15_000, stuckAfterMs: blockTimeMs * replaceAfterBlocks };
}

type Replacing = Pick<ChainConfig, 'blockTimeMs' | 'replaceAfterBlocks'>;

const stuckGauge = new Gauge({
  name: 'causeway_payments_stuck',
  help: 'Payments that have waited for too long, by what they wait for; `unsent` are those of which no attempt was made',
  labelNames: ['chain', 'reason'],
  registers: [registry],
});

/** One round over a chain, which in restore mode sends nothing; a failure of one payment does not keep it from the others. */
export async function tendOnce(deps: SendingDependencies, chainId: string, times: TendingTimes): Promise<void> {
  const { database, log } = deps;
  const isRestoring = (await database.withoutCompany(findRestoreMode)) !== null;
  const ago = (ms: number) => new Date(Date.now() - ms);
  const each = async <T>(items: readonly T[], what: string, work: (item: T) => Promise<void>) => {
    for (const item of items) {
      await work(item).catch((error: unknown) => log.warn({ err: error, chain: chainId, what }, 'tending failed'));
    }
  };
  const gateway = gatewayOf(deps, chainId);
  const family = deps.familyOf(chainId);
  await family.count(database, chainId);
  const counts = await database.withoutCompany((tx) => countStuck(tx, chainId, ago(times.stuckAfterMs)));
  for (const reason of stuckReasons) stuckGauge.set({ chain: chainId, reason }, counts.get(reason) ?? 0);
  // While no node answers, each payment would wait for its own time-out; the next round comes in seconds.
  if (!(await gateway.answers())) return;
  if (isRestoring) await adoptLost(deps, chainId);
  const held = await database.withoutCompany((tx) => heldSends(tx, chainId));
  await each(held, 'look up', async (send) => void (await family.resolve(deps, send)));
  for (const step of family.lookAfter(deps, chainId, isRestoring)) await each([step], step.what, ({ run }) => run());
  await each([chainId], 'release', () => releaseSuperseded(deps, chainId));
  const waiting = await database.withoutCompany((tx) => waitingSends(tx, chainId, ago(times.rebroadcastAfterMs)));
  // One transaction may make several of them: its nodes are asked once, and it is offered once.
  const receipts = new Map<string, Promise<Receipt | null>>();
  const offered = new Set<string>();
  const receipt = (hash: string) => {
    const asked = receipts.get(hash) ?? gateway.receipt(hash);
    receipts.set(hash, asked);
    return asked;
  };
  // A block that was read before the payment had its row, or while its worker was dying, may have it.
  await each(waiting, 'rebroadcast', async (send) => {
    // Without a quorum for the receipts the same bytes may still be offered, which is harmless.
    const isMined = await findMined(deps, { receipt }, send).catch(() => false);
    if (isMined || isRestoring || (send.hash !== null && offered.has(send.hash))) return;
    await dispatch(deps, send);
    if (send.hash !== null) offered.add(send.hash);
  });
  const stuck = await database.withoutCompany((tx) => stuckSends(tx, chainId, ago(times.stuckAfterMs)));
  if (isRestoring) return;
  const unwanted = await database.withoutCompany((tx) => sendsToEmpty(tx, chainId));
  await each(unwanted, 'empty', async (send) => family.replaceByEmpty?.(deps, send));
  await each(stuck, 'replace', (send) => family.replace(deps, send));
  const sending = { database, kinds: deps.kinds, rails: [createChainRail(deps)] };
  const before = ago(times.rebroadcastAfterMs);
  const nextUnsent = (after: UnsentPayment | null) =>
    database.withoutCompany((tx) => unsentPayments(tx, chainId, before, after));
  for (let page = await nextUnsent(null); page.length > 0; page = await nextUnsent(page.at(-1) ?? null)) {
    await each(page, 'send', ({ companyId, id }) => sendPayment(sending, companyId, id));
  }
}

/** Tends every chain until stopped; of several workers, one a chain. */
export function startTending(
  deps: SendingDependencies,
  chains: readonly (Pick<ChainConfig, 'id'> & Replacing)[],
): Pick<Loop, 'stop'> {
  const loops = chains.map(({ id: chainId, ...replacing }) => {
    const times = timesOf(replacing);
    return startLoop({
      name: `transfers.tend:${chainId}`,
      everyMs: times.intervalMs,
      retry: { firstMs: times.intervalMs, mostMs: times.intervalMs },
      alone: { database: deps.database, lock: `tend/${chainId}` },
      log: deps.log.child({ chain: chainId }),
      step: () => tendOnce(deps, chainId, times),
    });
  });
  return { stop: () => stopAll(loops) };
}
