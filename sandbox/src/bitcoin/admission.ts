import { inMessage, rateInMessage } from './amounts.ts';
import type { BlockChain } from './block-chain.ts';
import type { Mempool, PoolEntry } from './mempool.ts';
import { isDust, kindOf } from './outputs.ts';
import { Rejection } from './rejection.ts';
import { scriptFault } from './script-check.ts';
import { type Outpoint, outpointKey, type Transaction } from './transaction.ts';

export interface AdmissionOptions {
  /** Satoshis per virtual byte, below which the mempool takes nothing. */
  minimumRate: number;
  /** The same, as raised by the desk while blocks are full. */
  mempoolRate: number;
}

/** What becomes of the mempool when a transaction is taken. */
export interface Admission {
  entry: PoolEntry;
  /** Ids of the transactions that it replaces; what depends on them goes with them. */
  replaced: readonly string[];
}

const INCREMENTAL_RATE = 1;
const MOST_ANCESTORS = 25;
const MOST_EVICTED = 100;
const COINBASE_MATURITY = 100;
const LARGEST_WEIGHT = 400_000;
const SMALLEST_SIZE = 65;
const SEQUENCE_DISABLED = 0x80000000;
const SEQUENCE_TIME = 0x00400000;
const SEQUENCE_GRANULARITY = 512;

/**
 * Decides about a transaction as Bitcoin Core's mempool does, replacement by BIP 125 included, and changes nothing.
 *
 * @throws Rejection
 */
export function admit(
  chain: BlockChain,
  pool: Mempool,
  transaction: Transaction,
  { minimumRate, mempoolRate }: AdmissionOptions,
): Admission {
  checkForm(transaction);
  checkFinal(chain, transaction);
  if (pool.get(transaction.txid) !== undefined) throw new Rejection('txn-already-in-mempool');
  const conflicts = conflictsOf(pool, transaction);
  const spent = spentBy(chain, pool, transaction);
  checkSequenceLocks(chain, pool, transaction);
  const fee = feeOf(chain, transaction, spent);
  checkFee(transaction, fee, minimumRate, mempoolRate);
  const ancestors = checkAncestors(pool, transaction, conflicts);
  checkReplacement(pool, transaction, fee, conflicts, ancestors);
  const fault = scriptFault(transaction, spent);
  if (fault !== null) throw new Rejection(fault);
  const { height } = chain.tip();
  return {
    entry: { transaction, fee, time: Math.floor(Date.now() / 1000), height },
    replaced: conflicts.map((conflict) => conflict.transaction.txid),
  };
}

/** What holds whatever the chain says: sanity, then what Core calls standard. */
function checkForm(transaction: Transaction): void {
  const [isSane, fault] = transaction.parsed.checkSanity();
  if (!isSane) throw new Rejection(fault);
  if (transaction.isCoinbase) throw new Rejection('coinbase');
  if (transaction.version < 1 || transaction.version > 3) throw new Rejection('version');
  if (transaction.weight > LARGEST_WEIGHT) throw new Rejection('tx-size');
  if (transaction.parsed.getBaseSize() < SMALLEST_SIZE) throw new Rejection('tx-size-small');
  for (const output of transaction.outputs) {
    if (kindOf(output.script) === 'nonstandard') throw new Rejection('scriptpubkey');
    if (isDust(output)) throw new Rejection('dust');
  }
  if (transaction.outputs.filter(({ script }) => script.startsWith('6a')).length > 1) {
    throw new Rejection('multi-op-return');
  }
}

function checkFinal(chain: BlockChain, { parsed }: Transaction): void {
  const { height } = chain.tip();
  if (!parsed.isFinal(height + 1, chain.medianTime(height))) throw new Rejection('non-final');
}

/** The waiting transactions that spend the same outputs. */
function conflictsOf(pool: Mempool, transaction: Transaction): PoolEntry[] {
  const ids = new Set(transaction.inputs.flatMap((input) => pool.spender(input)?.txid ?? []));
  const conflicts = [...ids].flatMap((txid) => pool.get(txid) ?? []);
  if (conflicts.some((conflict) => !pool.isReplaceable(conflict.transaction))) {
    throw new Rejection('txn-mempool-conflict');
  }
  return conflicts;
}

/** The transactions whose outputs the inputs spend, in their order. */
function spentBy(chain: BlockChain, pool: Mempool, transaction: Transaction): Transaction[] {
  return transaction.inputs.map((input) => {
    const found = unspentOrigin(chain, pool, input);
    if (found !== undefined) return found;
    const isKnown = transaction.outputs.some((_, vout) => chain.coin({ txid: transaction.txid, vout }) !== undefined);
    if (isKnown) throw new Rejection('txn-already-known', '', -27);
    throw new Rejection('bad-txns-inputs-missingorspent', '', -25);
  });
}

/** Of an output that no block has spent: in a block, or of a transaction that waits. */
function unspentOrigin(chain: BlockChain, pool: Mempool, outpoint: Outpoint): Transaction | undefined {
  if (chain.coin(outpoint) !== undefined) return chain.transaction(outpoint.txid)?.transaction;
  const waiting = pool.get(outpoint.txid)?.transaction;
  return waiting?.outputs[outpoint.vout] === undefined ? undefined : waiting;
}

/** BIP 68: inputs that must be a number of blocks, or of 512 seconds, old. */
function checkSequenceLocks(chain: BlockChain, pool: Mempool, { version, inputs }: Transaction): void {
  if (version < 2) return;
  const next = chain.tip().height + 1;
  for (const input of inputs) {
    if (input.sequence >= SEQUENCE_DISABLED) continue;
    const age = input.sequence & 0xffff;
    const height = pool.get(input.txid) === undefined ? (chain.coin(input)?.height ?? next) : next;
    const isReached =
      (input.sequence & SEQUENCE_TIME) === 0
        ? height + age <= next
        : chain.medianTime(Math.max(0, height - 1)) + age * SEQUENCE_GRANULARITY <= chain.medianTime(next - 1);
    if (!isReached) throw new Rejection('non-BIP68-final');
  }
}

function feeOf(chain: BlockChain, transaction: Transaction, spent: readonly Transaction[]): number {
  const depthAt = chain.tip().height + 1;
  let paidIn = 0;
  for (const [index, input] of transaction.inputs.entries()) {
    const coin = chain.coin(input);
    if (coin?.isCoinbase === true && depthAt - coin.height < COINBASE_MATURITY) {
      const depth = depthAt - coin.height;
      throw new Rejection('bad-txns-premature-spend-of-coinbase', `tried to spend coinbase at depth ${depth}`);
    }
    paidIn += spent[index]?.outputs[input.vout]?.value ?? 0;
  }
  const paidOut = transaction.outputs.reduce((sum, { value }) => sum + value, 0);
  if (paidIn < paidOut) {
    throw new Rejection('bad-txns-in-belowout', `value in (${inMessage(paidIn)}) < value out (${inMessage(paidOut)})`);
  }
  return paidIn - paidOut;
}

function checkFee({ vsize }: Transaction, fee: number, minimumRate: number, mempoolRate: number): void {
  const atMempool = Math.floor(vsize * mempoolRate);
  if (mempoolRate > minimumRate && fee < atMempool) {
    throw new Rejection('mempool min fee not met', `${fee} < ${atMempool}`);
  }
  const least = Math.floor(vsize * minimumRate);
  if (fee < least) throw new Rejection('min relay fee not met', `${fee} < ${least}`);
}

/** At most 25 in a row, the transaction included, counted from it and from each of its ancestors. */
function checkAncestors(pool: Mempool, transaction: Transaction, conflicts: readonly PoolEntry[]): PoolEntry[] {
  const ancestors = pool.ancestors(transaction);
  if (ancestors.length + 1 > MOST_ANCESTORS) {
    throw new Rejection('too-long-mempool-chain', `too many unconfirmed ancestors [limit: ${MOST_ANCESTORS}]`);
  }
  const evicted = new Set(evictedWith(pool, conflicts).map((entry) => entry.transaction.txid));
  for (const ancestor of ancestors) {
    const { txid } = ancestor.transaction;
    const descendants = pool.descendants(txid).filter((entry) => !evicted.has(entry.transaction.txid));
    if (descendants.length + 2 > MOST_ANCESTORS) {
      throw new Rejection('too-long-mempool-chain', `too many descendants for tx ${txid} [limit: ${MOST_ANCESTORS}]`);
    }
  }
  return ancestors;
}

/** BIP 125, rules 2 to 5, and Core's own: a replacement has a higher rate than each it replaces. Rule 1: `conflictsOf`. */
function checkReplacement(
  pool: Mempool,
  { txid, inputs, vsize }: Transaction,
  fee: number,
  conflicts: readonly PoolEntry[],
  ancestors: readonly PoolEntry[],
): void {
  if (conflicts.length === 0) return;
  const ids = new Set(conflicts.map(({ transaction }) => transaction.txid));
  const both = ancestors.find(({ transaction }) => ids.has(transaction.txid));
  if (both !== undefined) {
    throw new Rejection(
      'bad-txns-spends-conflicting-tx',
      `${txid} spends conflicting transaction ${both.transaction.txid}`,
    );
  }
  for (const conflict of conflicts) {
    const rate = conflict.fee / conflict.transaction.vsize;
    if (fee / vsize > rate) continue;
    const words = `new feerate ${rateInMessage(fee / vsize)} <= old feerate ${rateInMessage(rate)}`;
    throw new Rejection('insufficient fee', `rejecting replacement ${txid}; ${words}`);
  }
  const evicted = evictedWith(pool, conflicts);
  if (evicted.length > MOST_EVICTED) {
    throw new Rejection(
      'too many potential replacements',
      `rejecting replacement ${txid}; too many potential replacements (${evicted.length} > ${MOST_EVICTED})`,
    );
  }
  const known = new Set(conflicts.flatMap(({ transaction }) => transaction.inputs.map(outpointKey)));
  const added = inputs.findIndex((input) => !known.has(outpointKey(input)) && pool.get(input.txid) !== undefined);
  if (added >= 0) {
    throw new Rejection('replacement-adds-unconfirmed', `replacement ${txid} adds unconfirmed input, idx ${added}`);
  }
  const before = evicted.reduce((sum, entry) => sum + entry.fee, 0);
  if (fee < before) {
    const words = `less fees than conflicting txs; ${inMessage(fee)} < ${inMessage(before)}`;
    throw new Rejection('insufficient fee', `rejecting replacement ${txid}, ${words}`);
  }
  const relay = Math.ceil(vsize * INCREMENTAL_RATE);
  if (fee - before < relay) {
    const words = `not enough additional fees to relay; ${inMessage(fee - before)} < ${inMessage(relay)}`;
    throw new Rejection('insufficient fee', `rejecting replacement ${txid}, ${words}`);
  }
}

/** The conflicts themselves and what depends on them, each once. */
function evictedWith(pool: Mempool, conflicts: readonly PoolEntry[]): PoolEntry[] {
  const all = conflicts.flatMap((conflict) => [conflict, ...pool.descendants(conflict.transaction.txid)]);
  return [...new Map(all.map((entry) => [entry.transaction.txid, entry])).values()];
}
