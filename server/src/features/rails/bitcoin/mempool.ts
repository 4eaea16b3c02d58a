import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import {
  type Arrival,
  type BitcoinGateway,
  coinsByContract,
  type Departure,
  isPlatformOwner,
  type MempoolView,
  needsOf,
  type OwnAddresses,
  outpointKey,
  ownersOf,
  type WaitingTransaction,
} from '../../chains/index.ts';
import { isReturned, type SeenArrival, seeWaiting, takeBackWaiting } from '../service/deposits.ts';
import { type DepositTerms, type WaitingDeposit, waitingDeposits } from '../store/deposits.ts';
import { type Owners, outputsOf, ownersIn, spendingsOf } from './reading.ts';
import { forgetGone, unsettledOutputs, writeWaiting } from './store/outputs.ts';

/**
 * What waits for a block: deposits show before a block has them, change of our own payments can be spent, and what its payer
 * replaced, or the nodes dropped, is taken back. Nothing here is credited.
 */

export interface MempoolDependencies {
  database: Database;
  log: Log;
  /** Told which addresses of ours something waits for, so that the next ones are fresh. */
  onReached(chainId: string, addresses: readonly string[]): Promise<void>;
}

/** One round: reads the mempools, and writes what changed. @throws NoAgreement when the nodes contradict each other about what is gone */
export async function readMempool(deps: MempoolDependencies, gateway: BitcoinGateway): Promise<void> {
  const { chainId } = gateway;
  const { database } = deps;
  const own: OwnAddresses = {
    async among(addresses) {
      if (addresses.length === 0) return new Set();
      const owners = await database.withoutCompany((tx) => ownersOf(tx, chainId, addresses));
      return new Set(owners.map(({ address }) => address));
    },
  };
  const view = await gateway.mempool(own);
  const arrivals = view.waiting.flatMap(arrivalsOf);
  const departures = view.waiting.flatMap(departuresOf);
  const { owners, coin, waitingBefore } = await database.withoutCompany(async (tx) => {
    const found = await ownersIn(tx, chainId, arrivals, departures);
    await writeWaiting(tx, chainId, outputsOf(arrivals, found), spendingsOf(departures, found));
    return {
      owners: found,
      coin: (await coinsByContract(tx, chainId)).get('native') ?? null,
      waitingBefore: await waitingDeposits(tx, chainId),
    };
  });
  if (coin !== null) await showDeposits(deps, chainId, coin, { view, owners, waitingBefore });
  if (view.hasQuorum) await takeBackGone(deps, gateway, view, waitingBefore);
}

/** What a waiting transaction brings; an output without an address is none of ours. */
function arrivalsOf({ transaction: { hash, inputs, outputs } }: WaitingTransaction): Arrival[] {
  const changeOf = inputs.flatMap(({ address }) => address ?? []);
  const needs = needsOf(inputs);
  return outputs.flatMap(({ address, amountMinor }, index) =>
    address === null || amountMinor === 0n
      ? []
      : [{ hash, output: `vout:${index}`, contract: null, from: null, to: address, amountMinor, changeOf, needs }],
  );
}

function departuresOf({ transaction: { hash, inputs } }: WaitingTransaction): Departure[] {
  return inputs.flatMap((input) =>
    input.address === null ? [] : [{ hash, from: input.address, spends: [outpointKey(input)] }],
  );
}

async function showDeposits(
  deps: MempoolDependencies,
  chainId: string,
  coin: string,
  { view, owners, waitingBefore }: { view: MempoolView; owners: Owners; waitingBefore: readonly WaitingDeposit[] },
): Promise<void> {
  const known = new Map(waitingBefore.map((deposit) => [`${deposit.hash}/${deposit.output}`, deposit]));
  const byCompany = new Map<string, (Omit<SeenArrival, 'block'> & { terms: DepositTerms })[]>();
  const reached: string[] = [];
  for (const waiting of view.waiting) {
    const terms = termsOf(waiting);
    for (const arrival of arrivalsOf(waiting)) {
      const companyId = owners.get(arrival.to);
      if (companyId === undefined || isPlatformOwner(companyId)) continue;
      reached.push(arrival.to);
      if (isReturned(arrival, companyId, owners)) continue;
      const before = known.get(`${arrival.hash}/${arrival.output}`);
      if (before && isAsBefore(before, terms)) continue;
      byCompany.set(companyId, [...(byCompany.get(companyId) ?? []), { arrival, coin, terms }]);
    }
  }
  for (const [companyId, seen] of byCompany) {
    await deps.database.withCompany(companyId, (tx) => seeWaiting(tx, chainId, seen));
  }
  if (byCompany.size > 0) await deps.onReached(chainId, reached);
}

function termsOf({ isReplaceable, ancestorFeeMinor, ancestorVsize, feeMinor }: WaitingTransaction): DepositTerms {
  if (feeMinor === null || ancestorVsize === 0) return { replaceable: isReplaceable, feeRate: null, ancestors: null };
  return {
    replaceable: isReplaceable,
    feeRate: Number((ancestorFeeMinor * 1000n) / BigInt(ancestorVsize)),
    ancestors: { feeMinor: ancestorFeeMinor, vsize: ancestorVsize },
  };
}

function isAsBefore(before: WaitingDeposit, { replaceable, feeRate, ancestors }: DepositTerms): boolean {
  return (
    before.replaceable === replaceable &&
    before.feeRate === feeRate &&
    before.ancestorVsize === (ancestors?.vsize ?? null)
  );
}

/** What no mempool has any more and no block either is gone; a block that has it is the watcher's to read. */
async function takeBackGone(
  { database, log }: MempoolDependencies,
  gateway: BitcoinGateway,
  view: MempoolView,
  waitingBefore: readonly WaitingDeposit[],
): Promise<void> {
  const { chainId } = gateway;
  const standing = new Set(view.waiting.map(({ transaction }) => transaction.hash));
  const outputs = await database.withoutCompany((tx) => unsettledOutputs(tx, chainId));
  const absent = new Set(
    [
      ...waitingBefore.map(({ hash }) => hash),
      ...outputs.flatMap(({ hash, isWaiting, spentBy }) => [
        ...(isWaiting ? [hash] : []),
        ...(spentBy === null ? [] : [spentBy]),
      ]),
    ].filter((hash) => !standing.has(hash)),
  );
  const gone: string[] = [];
  for (const hash of absent) if ((await gateway.transaction(hash)) === null) gone.push(hash);
  if (gone.length === 0) return;
  log.info({ chain: chainId, hashes: gone }, 'transactions left the mempools without a block');
  const lost = new Set(gone);
  const deposits = waitingBefore.filter(({ hash }) => lost.has(hash));
  for (const companyId of new Set(deposits.map((deposit) => deposit.companyId))) {
    const own = deposits.filter((deposit) => deposit.companyId === companyId);
    await database.withCompany(companyId, (tx) => takeBackWaiting(tx, chainId, own));
  }
  await database.withoutCompany((tx: PlatformTx) => forgetGone(tx, chainId, gone));
}

/** Reads until stopped; of several workers, one a chain. */
export function startMempool(deps: MempoolDependencies, gateway: BitcoinGateway, everyMs: number): Loop {
  const { chainId } = gateway;
  return startLoop({
    name: `rails.mempool:${chainId}`,
    everyMs,
    retry: { firstMs: everyMs, mostMs: 10 * everyMs },
    alone: { database: deps.database, lock: `mempool/${chainId}` },
    log: deps.log.child({ chain: chainId }),
    step: () => readMempool(deps, gateway),
  });
}
