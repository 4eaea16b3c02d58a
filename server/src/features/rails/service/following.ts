import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import {
  type Block,
  type BlocksSeen,
  type ChainListener,
  coinsByContract,
  findChain,
  findRevision,
  isPlatformOwner,
  minedSends,
  ownersOf,
  type Send,
  sendsByHash,
  sendsElsewhere,
} from '../../chains/index.ts';
import type { DeparturesOfCompany, FollowingDependencies, MinedSend } from '../family.ts';
import { companiesWithDepositsAbove, type InboundDeposit, inboundDeposits } from '../store/deposits.ts';
import {
  confirmDeposits,
  creditDeposits,
  isReturned,
  type SeenArrival,
  seeDeposits,
  takeBackGone,
  takeBackVanished,
} from './deposits.ts';
import { gatewayOf } from './gateway.ts';
import { confirmSend, seeMined, seeVanished, settle, takeBackFinals } from './settling.ts';

/**
 * What a chain's blocks mean for deposits and transfers. Each company's part is one transaction; all of it may be told
 * again after a crash and then changes nothing.
 */

type Dependencies = FollowingDependencies;

/** Companies whose parts are written at the same time: their commits reach the disk together. */
const companiesAtOnce = 6;

/** One company's part in what was seen. */
interface Part {
  arrivals: SeenArrival[];
  mined: MinedSend[];
  vanished: Send[];
  /** What the chain's family writes about transactions that no attempt names. */
  departures: DeparturesOfCompany[];
}

export function createChainListener(deps: Dependencies): ChainListener {
  /** The height and revision whose consequences are all drawn, by chain; told again, there is nothing to do. */
  const done = new Map<string, string>();
  return {
    async onBlocks(seen) {
      done.delete(seen.chainId);
      const { chainId, forkHeight } = seen;
      const hashes = seen.contents.map((content) => content.block.hash);
      const { waits } = deps.familyOf(chainId);
      const parts = await partsOf(deps, seen);
      const failures = await eachOf(parts, ([companyId, part]) =>
        deps.database.withCompany(companyId, async (tx) => {
          const mined = [...part.mined];
          for (const departures of part.departures) mined.push(...(await departures.write(tx)));
          // Payments first: what was final is back on the chain's side of the ledger before deposits are taken from it.
          const moved = mined.filter(({ send, block }) => send.minedHash !== block.hash);
          await takeBackFinals(tx, [...part.vanished, ...moved.map(({ send }) => send)]);
          for (const { send, block } of moved) await seeMined(tx, send, block);
          for (const send of part.vanished) await seeVanished(tx, send);
          await seeDeposits(tx, chainId, part.arrivals);
          if (forkHeight !== null) await takeBackVanished(tx, chainId, { forkHeight, blockHashes: hashes, waits });
        }),
      );
      if (failures.length > 0) throw failures[0];
    },
    onRead: (tx, chainId, above, contents) => deps.familyOf(chainId).onRead(tx, chainId, above, contents),
    async onHead(chainId, height) {
      const state = `${height}/${await deps.database.withoutCompany((tx) => findRevision(tx, chainId))}`;
      if (done.get(chainId) === state) return;
      const failures = [
        ...(await settleSends(deps, chainId, height)),
        ...(await advanceInbound(deps, chainId, height)),
      ];
      const { onHead } = deps.familyOf(chainId);
      await onHead(deps, chainId, height).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
      done.set(chainId, state);
    },
  };
}

async function partsOf(deps: Dependencies, seen: BlocksSeen): Promise<Map<string, Part>> {
  const { chainId, forkHeight } = seen;
  const departures = await deps.familyOf(chainId).readDepartures(deps, seen);
  const parts = new Map<string, Part>();
  const partOf = (companyId: string): Part => {
    const part = parts.get(companyId) ?? emptyPart();
    parts.set(companyId, part);
    return part;
  };
  for (const one of departures) partOf(one.companyId).departures.push(one);
  await deps.database.withoutCompany(async (tx) => {
    for (const { companyId, ...arrival } of await ownedArrivals(tx, seen)) partOf(companyId).arrivals.push(arrival);
    const { mined, vanished } = await ownPayments(tx, seen);
    for (const payment of mined) partOf(payment.send.companyId).mined.push(payment);
    for (const send of vanished) partOf(send.companyId).vanished.push(send);
    if (forkHeight === null) return;
    // A company with a deposit above the fork has a part, even if only to lose it.
    for (const companyId of await companiesWithDepositsAbove(tx, chainId, forkHeight)) partOf(companyId);
  });
  return parts;
}

function emptyPart(): Part {
  return { arrivals: [], mined: [], vanished: [], departures: [] };
}

/**
 * What arrived for companies; the platform's advances and settlements are no deposits, and neither is what reaches tank or treasury, nor what moves
 * between addresses of one company.
 */
async function ownedArrivals(
  tx: PlatformTx,
  { chainId, contents }: BlocksSeen,
): Promise<(SeenArrival & { companyId: string })[]> {
  const all = contents.flatMap(({ block, arrivals }) => arrivals.map((arrival) => ({ arrival, block })));
  if (all.length === 0) return [];
  const addresses = all.flatMap(({ arrival: { to, from, changeOf = [] } }) => [
    to,
    ...(from ? [from] : []),
    ...changeOf,
  ]);
  const owners = await ownersOf(tx, chainId, [...new Set(addresses)]);
  const ownerOf = new Map(owners.map((owner) => [owner.address, owner.companyId]));
  const coins = await coinsByContract(tx, chainId);
  return all.flatMap(({ arrival, block }) => {
    const companyId = ownerOf.get(arrival.to);
    const coin = coins.get(arrival.contract ?? 'native');
    const payer = arrival.from === null ? undefined : ownerOf.get(arrival.from);
    if (companyId === undefined || isPlatformOwner(companyId) || coin === undefined) return [];
    if (payer !== undefined && (isPlatformOwner(payer) || payer === companyId)) return [];
    if (isReturned(arrival, companyId, ownerOf)) return [];
    return [{ companyId, arrival, coin, block }];
  });
}

async function ownPayments(
  tx: PlatformTx,
  { chainId, contents, forkHeight }: BlocksSeen,
): Promise<Pick<Part, 'mined' | 'vanished'>> {
  const blockOf = new Map<string, Block>();
  for (const { block, transactionHashes } of contents) for (const hash of transactionHashes) blockOf.set(hash, block);
  const sends = await sendsByHash(tx, chainId, [...blockOf.keys()]);
  const mined = sends.flatMap((send) => {
    const block = send.hash === null ? undefined : blockOf.get(send.hash);
    return block ? [{ send, block }] : [];
  });
  if (forkHeight === null) return { mined, vanished: [] };
  const found = new Set(mined.map(({ send }) => send.hash));
  const standing = contents.map((content) => content.block.hash);
  const elsewhere = await sendsElsewhere(tx, chainId, forkHeight, standing);
  return { mined, vanished: elsewhere.filter((send) => !found.has(send.hash)) };
}

/** Runs `work` per item, some at a time, and returns the errors: one company's trouble does not hold up the others. */
async function eachOf<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  atOnce = companiesAtOnce,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  // One iterator for all: each takes the next item.
  const rest = [...items].values();
  async function take(): Promise<void> {
    for (const item of rest) await work(item).catch((error: unknown) => failures.push(error));
  }
  await Promise.all(Array.from({ length: atOnce }, take));
  return failures;
}

async function settleSends(deps: Dependencies, chainId: string, height: number): Promise<unknown[]> {
  const { database } = deps;
  const { sends, depth } = await database.withoutCompany(async (tx) => ({
    sends: await minedSends(tx, chainId),
    depth: await depthOf(tx, chainId),
  }));
  // In their order: an advance before what it paid for.
  const settleOne = async (send: Send): Promise<void> => {
    if (send.minedBlock === null || send.hash === null) return;
    const confirmations = height - send.minedBlock;
    if (confirmations < depth) {
      await database.withCompany(send.companyId, (tx) => confirmSend(tx, send, confirmations));
      return;
    }
    const receipt = await gatewayOf(deps, chainId).receipt(send.hash);
    if (receipt?.blockHash !== send.minedHash) throw new Error(`${send.hash} is not where it was seen; reading again`);
    await database.withCompany(send.companyId, (tx) =>
      settle(tx, deps.familyOf(chainId), send, receipt, confirmations),
    );
  };
  return eachOf(sends, settleOne, 1);
}

async function advanceInbound(deps: Dependencies, chainId: string, height: number): Promise<unknown[]> {
  const { database } = deps;
  const { deposits, depth } = await database.withoutCompany(async (tx) => ({
    deposits: await inboundDeposits(tx, chainId),
    depth: await depthOf(tx, chainId),
  }));
  const byCompany = new Map<string, InboundDeposit[]>();
  const failures = await eachOf(deposits, async (deposit) => {
    if (deposit.place === 'forgotten' && !(await stands(deps, chainId, deposit))) return;
    const needed = neededOf(deposit, depth);
    const confirmations = Math.min(needed, height - deposit.blockNumber);
    if (deposit.place !== 'gone' && confirmations === deposit.confirmations && confirmations < needed) return;
    const own = byCompany.get(deposit.companyId) ?? [];
    byCompany.set(deposit.companyId, own);
    own.push(deposit);
  });
  return [
    ...failures,
    ...(await eachOf(byCompany, ([companyId, own]) =>
      database.withCompany(companyId, (tx) => advanceDeposits(tx, chainId, own, height, depth)),
    )),
  ];
}

/** Whether the nodes still have a block that the watcher has forgotten: after an absence it reads more than it keeps. */
async function stands(
  deps: Dependencies,
  chainId: string,
  { blockNumber, blockHash }: InboundDeposit,
): Promise<boolean> {
  const block = await gatewayOf(deps, chainId).block(blockNumber);
  return block?.hash === blockHash;
}

async function depthOf(tx: PlatformTx, chainId: string): Promise<number> {
  const chain = await findChain(tx, chainId);
  invariant(chain, `chain ${chainId} is registered`);
  return chain.confirmations;
}

async function advanceDeposits(
  tx: Tx,
  chainId: string,
  deposits: readonly InboundDeposit[],
  height: number,
  depth: number,
): Promise<void> {
  const here = deposits
    .filter(({ place }) => place !== 'gone')
    .map((deposit) => ({ ...deposit, confirmations: height - deposit.blockNumber }));
  const deep = here.filter((deposit) => deposit.confirmations >= neededOf(deposit, depth));
  const rising = here.filter((deposit) => deposit.confirmations < neededOf(deposit, depth));
  const gone = deposits.filter(({ place }) => place === 'gone');
  if (gone.length > 0) await takeBackGone(tx, chainId, gone);
  if (deep.length > 0) await creditDeposits(tx, chainId, deep);
  if (rising.length > 0) await confirmDeposits(tx, chainId, rising);
}

/** A miner's reward is deep enough only where the network lets it be spent. */
function neededOf({ leastDepth }: Pick<InboundDeposit, 'leastDepth'>, depth: number): number {
  return Math.max(depth, leastDepth ?? 0);
}
