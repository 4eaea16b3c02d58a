import { hex } from '@scure/base';
import { expect, test } from 'vitest';
import {
  type MadeBlock,
  type MadeTransaction,
  madeBlock,
  madeTransaction,
  payingTo,
} from '../../../../testing/bitcoin-bytes.ts';
import { present } from '../../../../testing/present.ts';
import { addressOf } from '../derivation.ts';
import { readContents } from './contents.ts';
import type { BitcoinNode } from './node.ts';
import { type BitcoinNodes, createTransactionSource } from './sources.ts';

const key = hex.decode('0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c');
const ours = addressOf(key, 'regtest');
const theirs = addressOf(hex.decode('03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77'), 'regtest');
const own = { among: async (addresses: readonly string[]) => new Set(addresses.filter((each) => each === ours)) };
const outside = '42'.repeat(32);

/** Nodes of one block, and transactions before it. */
function nodesOf(block: MadeBlock, known: readonly MadeTransaction[], bytes: Uint8Array = block.bytes): BitcoinNodes {
  const transactions = new Map([...known, ...block.transactions].map((each) => [each.hash, each.bytes]));
  const node: Partial<BitcoinNode> = {
    name: '1',
    blockHash: async () => block.hash,
    block: async () => bytes,
    transactionBytes: async (hashes) =>
      hashes.map((hash) => {
        const found = transactions.get(hash);
        return found ? hex.encode(found) : null;
      }),
  };
  return { chain: 'bitcoin', endpoints: [node as BitcoinNode] };
}

const read = async (nodes: BitcoinNodes) =>
  present((await readContents({ nodes, network: 'regtest', source: createTransactionSource(nodes) }, 1, 1, own))[0]);

const funding = madeTransaction({
  inputs: [{ hash: outside, index: 0 }],
  outputs: [payingTo(ours, 500n), payingTo(theirs, 700n)],
});

test('an input is ours when what it spends is', async () => {
  const payment = madeTransaction({
    inputs: [{ hash: funding.hash, index: 0, publicKey: key }],
    outputs: [payingTo(theirs, 100n), payingTo(ours, 300n)],
  });
  const block = madeBlock({ parentHash: outside, height: 1, transactions: [payment] });
  const content = await read(nodesOf(block, [funding]));
  expect(content.departures).toEqual([{ hash: payment.hash, from: ours, spends: [`${funding.hash}:0`] }]);
  expect(content.arrivals).toMatchObject([{ output: 'vout:1', to: ours, amountMinor: 300n, changeOf: [ours] }]);
});

test('a stranger’s transaction that shows our key spends nothing of ours, and what it brings is a deposit', async () => {
  // The control block of a Taproot leaf of an unknown version looks like a public key (BIP 341); any sender can make one.
  const shown = madeTransaction({
    inputs: [{ hash: funding.hash, index: 1, publicKey: key }],
    outputs: [payingTo(ours, 300n)],
  });
  const block = madeBlock({ parentHash: outside, height: 1, transactions: [shown] });
  const content = await read(nodesOf(block, [funding]));
  expect(content.departures).toEqual([]);
  expect(content.arrivals).toMatchObject([{ hash: shown.hash, amountMinor: 300n, changeOf: [] }]);
});

test('what is spent has to be shown by some node before a block counts', async () => {
  const payment = madeTransaction({
    inputs: [{ hash: funding.hash, index: 0, publicKey: key }],
    outputs: [payingTo(ours, 300n)],
  });
  const block = madeBlock({ parentHash: outside, height: 1, transactions: [payment] });
  await expect(read(nodesOf(block, []))).rejects.toMatchObject({ name: 'NoAgreement', reason: 'silence' });
});

test('a block whose witnesses a node has taken out is not believed', async () => {
  const parts = { inputs: [{ hash: funding.hash, index: 0, publicKey: key }], outputs: [payingTo(theirs, 100n)] };
  const payment = madeTransaction(parts);
  // The same transaction by its id, without a signature.
  const [input] = parts.inputs;
  const bare = madeTransaction({ ...parts, inputs: [{ ...present(input), publicKey: undefined, witness: [] }] });
  expect(bare.hash).toBe(payment.hash);
  const block = madeBlock({ parentHash: outside, height: 1, transactions: [payment] });
  const changed = Buffer.concat([block.header, Buffer.from([2]), present(block.transactions[0]).bytes, bare.bytes]);
  await expect(read(nodesOf(block, [funding], changed))).rejects.toThrow(/witnesses are not those/);
});

test('outputs without value, and those of other forms, are no arrivals', async () => {
  const odd = madeTransaction({
    inputs: [{ hash: outside, index: 3 }],
    outputs: [payingTo(ours, 0n), { script: Uint8Array.of(0x6a, 1, 1), amount: 5n }, payingTo(ours, 1n)],
  });
  const block = madeBlock({ parentHash: outside, height: 1, transactions: [odd] });
  expect((await read(nodesOf(block, []))).arrivals).toMatchObject([{ output: 'vout:2', amountMinor: 1n }]);
});
