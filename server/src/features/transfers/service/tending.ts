import { setTimeout as delay } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { ChainConfig } from '../../../platform/config.ts';
import { registry } from '../../../platform/metrics.ts';
import { findRestoreMode } from '../../../platform/restore-mode.ts';
import { type ChainGateway, type Fees, takeLock } from '../../chains/index.ts';
import { lockTransaction } from '../store/lifecycle.ts';
import {
  countStuck,
  heldSends,
  type Send,
  stuckReasons,
  stuckSends,
  unsentTransfers,
  waitingSends,
} from '../store/sends.ts';
import { adoptLost } from './adopting.ts';
import { carryOutDecisions } from './explanations.ts';
import { endExplainedHolds } from './holds.ts';
import { countHolds } from './nonce-guard.ts';
import { allotReplacement, paymentOf } from './paying.ts';
import { resendLost } from './resending.ts';
import { dispatch, sendTransfer, topUp } from './sending.ts';
import { gatewayOf, type SendingDependencies } from './surroundings.ts';
import { findMined, releaseSuperseded, resolveNonce } from './used-nonces.ts';

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
  help: 'Payments that have waited for too long, by what they wait for; `unsent` are transfers without a payment yet',
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
  await countHolds(database, chainId);
  const counts = await database.withoutCompany((tx) => countStuck(tx, chainId, ago(times.stuckAfterMs)));
  for (const reason of stuckReasons) stuckGauge.set({ chain: chainId, reason }, counts.get(reason) ?? 0);
  // While no node answers, each payment would wait for its own time-out; the next round comes in seconds.
  if (!(await answers(gateway))) return;
  if (isRestoring) await adoptLost(deps, chainId);
  const held = await database.withoutCompany((tx) => heldSends(tx, chainId));
  await each(held, 'look up', async (send) => void (await resolveNonce(deps, send)));
  await each([gateway], 'explain', () => carryOutDecisions(deps, gateway));
  await each([gateway], 'end holds', () => endExplainedHolds(deps, gateway));
  await each([chainId], 'release', () => releaseSuperseded(deps, chainId));
  const waiting = await database.withoutCompany((tx) => waitingSends(tx, chainId, ago(times.rebroadcastAfterMs)));
  // A block that was read before the payment had its row, or while its worker was dying, may have it.
  await each(waiting, 'rebroadcast', async (send) => {
    // Without a quorum for the receipts the same bytes may still be offered, which is harmless.
    const isMined = await findMined(deps, gateway, send).catch(() => false);
    if (!isMined && !isRestoring) await dispatch(deps, send);
  });
  const stuck = await database.withoutCompany((tx) => stuckSends(tx, chainId, ago(times.stuckAfterMs)));
  if (isRestoring) return;
  await each([chainId], 'resend', () => resendLost(deps, chainId));
  await each(stuck, 'replace', (send) => replace(deps, send));
  const unsent = await database.withoutCompany((tx) => unsentTransfers(tx, chainId, ago(times.rebroadcastAfterMs)));
  await each(unsent, 'send', ({ companyId, id }) => sendTransfer(deps, companyId, id));
}

/** Whether any node answers. */
function answers(gateway: ChainGateway): Promise<boolean> {
  return gateway.fees().then(
    () => true,
    () => false,
  );
}

/**
 * Replaces a stuck payment under the same nonce; nodes want both fees at least 10 % higher, we raise them by 12.5 %. A
 * nonce that the chain has used is not paid for again.
 */
async function replace(deps: SendingDependencies, stuck: Send): Promise<void> {
  if ((await resolveNonce(deps, stuck)) !== 'free') return;
  const fees = raised(stuck, await gatewayOf(deps, stuck.chainId).fees());
  const { database } = deps;
  const payment =
    stuck.kind === 'gas'
      ? null
      : await database.withCompany(stuck.companyId, async (tx) => {
          const transfer = await lockTransaction(tx, stuck.transferId);
          return transfer && (await paymentOf(tx, transfer)).payment;
        });
  const allotment = await database.withCompany(stuck.companyId, (tx) => allotReplacement(tx, stuck, fees, payment));
  if (allotment.outcome === 'allotted') await dispatch(deps, allotment.send);
  else if (allotment.outcome === 'short' && payment) {
    await topUp(deps, stuck.companyId, payment, allotment.missingWei * 2n);
  }
}

function raised(stuck: Fees, now: Fees): Fees {
  const atLeast = (old: bigint, usual: bigint) => {
    const least = (old * 1125n) / 1000n + 1n;
    return [least, usual].sort((a, b) => (a < b ? 1 : -1))[0] ?? least;
  };
  return {
    maxFeePerGas: atLeast(stuck.maxFeePerGas, now.maxFeePerGas),
    maxPriorityFeePerGas: atLeast(stuck.maxPriorityFeePerGas, now.maxPriorityFeePerGas),
  };
}

/** Tends every chain until stopped; of several workers, one a chain. */
export function startTending(
  deps: SendingDependencies,
  chains: readonly (Pick<ChainConfig, 'id'> & Replacing)[],
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  async function run({ id: chainId, ...replacing }: (typeof chains)[number]): Promise<void> {
    const times = timesOf(replacing);
    while (!stopping.signal.aborted) {
      const lock = await takeLock(deps.database, `tend/${chainId}`).catch(() => null);
      if (lock) {
        await tendOnce(deps, chainId, times).catch((error: unknown) =>
          deps.log.warn({ err: error, chain: chainId }, 'a chain could not be tended; trying again'),
        );
        await lock.release();
      }
      await pause(times.intervalMs);
    }
  }

  const running = Promise.all(chains.map(run));
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
