import { type Block, compactSize, little, makeBlock, reversed } from './block.ts';
import { createBlockChain } from './block-chain.ts';
import type { View } from './core-shapes.ts';
import { createMempool } from './mempool.ts';
import { type Input, readTransaction, type Transaction } from './transaction.ts';

/** So deep below the tip the lies of a node begin. */
const DEPTH = 12;
const FACTOR = 10;

/**
 * What a lying node says: it is on another chain, which left the true one twelve blocks ago and is as long. Its blocks are whole,
 * with proof of work, but every payment in them, as in its mempool, is of ten times the amount; so all ids are others. Below the
 * fork, and in its height, it is true, because a lag would give the lie away.
 */
export function lyingView(truth: View): () => View {
  let fork: number | undefined;
  let made: { of: string; view: View } | undefined;
  return () => {
    const { height, hash } = truth.chain.tip();
    fork = Math.min(fork ?? Number.POSITIVE_INFINITY, Math.max(1, height - DEPTH));
    const of = [hash, ...truth.pool.entries().map(({ transaction }) => transaction.txid)].join(' ');
    if (made?.of !== of) made = { of, view: tell(truth, fork) };
    return made.view;
  };
}

function tell(truth: View, fork: number): View {
  const chain = createBlockChain();
  const pool = createMempool();
  const renamed = new Map<string, string>();
  const lie = (transaction: Transaction): Transaction => {
    const told = inflate(transaction, renamed);
    renamed.set(transaction.txid, told.txid);
    return told;
  };
  for (let height = 1; height <= truth.chain.tip().height; height += 1) {
    const block = truth.chain.at(height);
    if (block !== undefined) chain.connect(height < fork ? block : blockLike(block, chain.tip().hash, lie));
  }
  for (const entry of truth.pool.entries()) pool.add({ ...entry, transaction: lie(entry.transaction) });
  return { chain, pool };
}

function blockLike(block: Block, previous: string, lie: (transaction: Transaction) => Transaction): Block {
  const [coinbase, ...others] = block.transactions;
  return makeBlock({
    previous,
    height: block.height,
    // A second later, so that a block without payments is another one as well.
    time: block.time + 1,
    script: coinbase?.outputs[0]?.script ?? '51',
    fees: 0,
    transactions: others.map(lie),
  });
}

function inflate(transaction: Transaction, renamed: ReadonlyMap<string, string>): Transaction {
  const { version, locktime, inputs, outputs } = transaction;
  const spends = inputs.map((input) => writeInput({ ...input, txid: renamed.get(input.txid) ?? input.txid }));
  const pays = outputs.map(({ value, script }) => little(value * FACTOR, 8) + compactSize(script.length / 2) + script);
  const witnesses = inputs.map(({ witness }) => compactSize(witness.length) + witness.map(counted).join(''));
  const hasWitness = inputs.some(({ witness }) => witness.length > 0);
  const told = readTransaction(
    [
      little(version, 4),
      hasWitness ? '0001' : '',
      compactSize(inputs.length),
      ...spends,
      compactSize(outputs.length),
      ...pays,
      ...(hasWitness ? witnesses : []),
      little(locktime, 4),
    ].join(''),
  );
  if (told === null) throw new Error('the lie cannot be read');
  return told;
}

const writeInput = ({ txid, vout, script, sequence }: Input): string =>
  reversed(txid) + little(vout, 4) + counted(script) + little(sequence, 4);

const counted = (bytes: string): string => compactSize(bytes.length / 2) + bytes;
