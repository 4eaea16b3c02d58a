import { queueRules } from '@causeway/contract/operator-queue-rules.ts';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { findPrices, isStale, usdValue } from '../../rates/index.ts';
import { exchangeSources } from '../exchange/sources.ts';
import { freezingSources } from '../freezing/sources.ts';
import { otcSources } from '../otc/sources.ts';
import { bankSources } from './bank-sources.ts';
import { batchSources } from './batch-sources.ts';
import { cardSources } from './card-sources.ts';
import { type Cause, mostCauses, type Source } from './cause.ts';
import { placeOf } from './domain.ts';
import { gaugeQueue } from './gauges.ts';
import { orderSources } from './order-sources.ts';
import { paymentSources } from './payment-sources.ts';
import { settlementSources } from './settlement-sources.ts';
import { endOthers, type FoundItem, lockKind, noteAll, open, reopen, updateKnown } from './sweep-store.ts';
import { systemSources } from './system-sources.ts';
import { tradeSources } from './trade-sources.ts';

/**
 * Follows the causes: opens an item where one begins, writes what is new about it, and ends it with its cause. It runs in the operator's
 * process, whose role reads across companies anyway; the worker gets no such right for it.
 */

export const sources: readonly Source[] = [
  ...paymentSources,
  ...bankSources,
  ...orderSources,
  ...exchangeSources,
  ...otcSources,
  ...freezingSources,
  ...systemSources,
  ...settlementSources,
  ...batchSources,
  ...tradeSources,
  ...cardSources,
];

const everyMs = 10_000;

/** One process at a time sweeps. */
export function startQueue(database: Database, log: Log): Loop {
  return startLoop({
    name: 'operator.queue',
    everyMs,
    log,
    alone: { database, lock: 'operator.queue' },
    async step(signal) {
      await sweep(database, log, signal).finally(() => gaugeQueue(database));
    },
  });
}

/** One round over all sources. One that fails keeps none of the others. Rejects at the end with the first failure. */
export async function sweep(
  database: Database,
  log: Log,
  signal?: AbortSignal,
  of: readonly Source[] = sources,
): Promise<void> {
  const failures: unknown[] = [];
  for (const source of of) {
    if (signal?.aborted) return;
    await database
      .withoutCompany((tx) => sweepKind(tx, source))
      .catch((error: unknown) => {
        log.warn({ err: error, kind: source.kind }, 'a source of the queue failed');
        failures.push(error);
      });
  }
  if (failures.length > 0) throw failures[0];
}

/** Compares the causes of one kind with its items, in one transaction. */
export async function sweepKind(tx: PlatformTx, { kind, find }: Source): Promise<void> {
  await lockKind(tx, kind);
  const causes = await find(tx);
  const centsOf = await valuing(tx);
  const found = causes.map(
    (cause): FoundItem => ({
      id: newId(),
      subject: cause.subject,
      companyId: cause.companyId,
      asset: cause.money?.asset ?? null,
      amountMinor: cause.money?.minor ?? null,
      usdCents: centsOf(cause.money),
      facts: cause.facts,
      openedAt: cause.since,
      place: placeOf(kind, cause.since),
    }),
  );
  if (found.length > 0) {
    await updateKnown(tx, kind, found);
    await noteAll(tx, await reopen(tx, kind, found), 'reopened');
    await noteAll(tx, await open(tx, kind, found), 'opened');
  }
  if (causes.length >= mostCauses) return;
  const subjects = causes.map(({ subject }) => subject);
  await noteAll(tx, await endOthers(tx, kind, subjects), 'resolved');
}

/** US cents of an amount at the present price; null without one that is fresh. */
async function valuing(tx: PlatformTx): Promise<(money: Cause['money']) => bigint | null> {
  const now = new Date();
  const prices = new Map(
    (await findPrices(tx)).filter((price) => !isStale(price, now)).map(({ asset, usd }) => [asset, usd]),
  );
  return (money) => {
    const price = money && prices.get(money.asset);
    return money && price ? usdValue(money.minor, money.decimals, price) : null;
  };
}

/** Whether the cause of an item is still there, asked of its source. */
export async function causeLasts(
  tx: PlatformTx,
  { kind, subject }: { kind: Source['kind']; subject: string },
): Promise<boolean> {
  if (queueRules[kind].ends === 'judgement') return false;
  const source = sources.find((one) => one.kind === kind);
  return ((await source?.find(tx)) ?? []).some((cause) => cause.subject === subject);
}
