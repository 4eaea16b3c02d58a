import type { BitcoinNetwork } from '../../../../platform/config/chains.ts';
import { NoAgreement, type OwnAddresses, type Pending } from '../../gateway.ts';
import { quorumOf } from '../../quorum.ts';
import type { MempoolView, WaitingTransaction } from '../gateway.ts';
import { asTransaction, type RawTransaction } from '../transactions.ts';
import { mentioned } from './contents.ts';
import { feeOf, ownInputs, shownAddresses } from './own-inputs.ts';
import type { BitcoinNodes, TransactionSource } from './sources.ts';

/**
 * What waits at any node: one node is enough to show a deposit early, because nothing is credited for it. That a transaction waits
 * nowhere means something only where a quorum answered.
 */

interface Reading {
  nodes: BitcoinNodes;
  network: BitcoinNetwork;
  source: TransactionSource;
}

/** From this sequence on an input does not signal replacement (BIP 125). */
const firstFinalSequence = 0xfffffffe;
/** Nodes keep no longer chains of waiting transactions than 25; a node that says otherwise is not followed for ever. */
const mostAncestors = 100;
const readAtOnce = 1000;

/** The ids at every node that answers, and how many answered. */
async function waitingIds({ endpoints }: BitcoinNodes): Promise<{ ids: Set<string>; answered: number }> {
  const answers = await Promise.allSettled(endpoints.map((node) => node.waiting()));
  const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  return { ids: new Set(lists.flat()), answered: lists.length };
}

/** Hands each transaction that was not seen before to `take`, and forgets those that wait nowhere any more. */
async function readNew(
  { nodes, source }: Reading,
  seen: Map<string, unknown>,
  take: (transactions: readonly RawTransaction[]) => Promise<void>,
): Promise<{ ids: ReadonlySet<string>; hasQuorum: boolean }> {
  const { ids, answered } = await waitingIds(nodes);
  if (answered === nodes.endpoints.length) for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
  const unseen = [...ids].filter((id) => !seen.has(id));
  for (let from = 0; from < unseen.length; from += readAtOnce) {
    const found = await source.fetch(unseen.slice(from, from + readAtOnce));
    await take([...found.values()]);
  }
  return { ids, hasQuorum: answered >= quorumOf(nodes) };
}

/** @returns a function that reads the mempools; transactions that were read before are not fetched again */
export function createMempoolReader(reading: Reading): (own: OwnAddresses) => Promise<MempoolView> {
  const { network } = reading;
  /** Null for those that do not touch us. */
  const seen = new Map<string, RawTransaction | null>();
  return async (own) => {
    const { ids, hasQuorum } = await readNew(reading, seen, async (transactions) => {
      const ours = await own.among([...mentioned(transactions, network)]);
      for (const transaction of transactions) {
        const isOurs = [...mentioned([transaction], network)].some((address) => ours.has(address));
        seen.set(transaction.hash, isOurs ? transaction : null);
      }
    });
    const touching = [...seen.values()].filter((transaction) => transaction !== null && ids.has(transaction.hash));
    const ours = await own.among([...mentioned(touching as RawTransaction[], network)]);
    const waiting: WaitingTransaction[] = [];
    let isWhole = true;
    for (const transaction of touching) {
      try {
        const described = transaction && (await describe(reading, transaction, ids, ours));
        if (described) waiting.push(described);
      } catch (error) {
        if (!(error instanceof NoAgreement)) throw error;
        // What it spends is not known at the moment, so that its absence says nothing.
        isWhole = false;
      }
    }
    return { waiting, hasQuorum: hasQuorum && isWhole };
  };
}

/** @returns a function that names the waiting transactions that spend from an address */
export function createPendingReader(reading: Reading): (address: string) => Promise<Pending> {
  const { network } = reading;
  /** The addresses whose keys they show. */
  const seen = new Map<string, readonly string[]>();
  return async (address) => {
    const { ids, hasQuorum } = await readNew(reading, seen, async (transactions) => {
      for (const transaction of transactions) seen.set(transaction.hash, shownAddresses(transaction, network));
    });
    const shown = [...seen].flatMap(([hash, addresses]) =>
      ids.has(hash) && addresses.includes(address) ? [hash] : [],
    );
    const spending = await reading.source.find(shown);
    const own = await ownInputs([...spending.values()], new Set([address]), reading);
    return { hasQuorum, hashes: shown.filter((hash) => (own.get(hash) ?? []).length > 0) };
  };
}

/** Null when it only shows a key of ours and spends nothing of ours. */
async function describe(
  reading: Reading,
  transaction: RawTransaction,
  waitingEverywhere: ReadonlySet<string>,
  ours: ReadonlySet<string>,
): Promise<WaitingTransaction | null> {
  const { network, source } = reading;
  const family = await withAncestors(source, transaction, waitingEverywhere);
  const spent = await source.find(family.flatMap(({ inputs }) => inputs.map(({ hash }) => hash)));
  const own = new Set((await ownInputs([transaction], ours, reading)).get(transaction.hash)?.map(({ input }) => input));
  const written = asTransaction(transaction, network);
  const inputs = written.inputs.map((input, place) => {
    const isShown = input.address !== null && ours.has(input.address);
    const raw = transaction.inputs[place];
    return isShown && !(raw && own.has(raw)) ? { ...input, address: null } : input;
  });
  const touchesUs = own.size > 0 || written.outputs.some(({ address }) => address !== null && ours.has(address));
  if (!touchesUs) return null;
  const fees = family.map((each) => feeOf(each, spent));
  return {
    transaction: { ...written, inputs },
    feeMinor: fees[0] ?? null,
    isReplaceable: family.some((each) => each.inputs.some(({ sequence }) => sequence < firstFinalSequence)),
    ancestorFeeMinor: fees.reduce<bigint>((sum, fee) => sum + (fee ?? 0n), 0n),
    ancestorVsize: family.reduce((sum, { vsize }) => sum + vsize, 0),
  };
}

/** The transaction first, then the waiting ones that it depends on. */
async function withAncestors(
  source: TransactionSource,
  transaction: RawTransaction,
  waiting: ReadonlySet<string>,
): Promise<RawTransaction[]> {
  const family = new Map([[transaction.hash, transaction]]);
  let generation: readonly RawTransaction[] = [transaction];
  while (generation.length > 0 && family.size < mostAncestors) {
    const parents = generation
      .flatMap(({ inputs }) => inputs.map(({ hash }) => hash))
      .filter((hash) => waiting.has(hash) && !family.has(hash));
    const found = await source.find(parents);
    for (const [hash, parent] of found) family.set(hash, parent);
    generation = [...found.values()];
  }
  return [...family.values()];
}
