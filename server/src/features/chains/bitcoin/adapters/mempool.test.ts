import { hex } from '@scure/base';
import { beforeEach, expect, test } from 'vitest';
import { type MadeTransaction, madeTransaction, payingTo } from '../../../../testing/bitcoin-bytes.ts';
import { addressOf } from '../derivation.ts';
import { createMempoolReader, createPendingReader } from './mempool.ts';
import type { BitcoinNode } from './node.ts';
import { createTransactionSource } from './sources.ts';

const key = hex.decode('0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c');
const ours = addressOf(key, 'regtest');
const theirs = addressOf(hex.decode('03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77'), 'regtest');
const own = { among: async (addresses: readonly string[]) => new Set(addresses.filter((each) => each === ours)) };
const outside = '42'.repeat(32);

const funding = madeTransaction({
  inputs: [{ hash: outside, index: 0 }],
  outputs: [payingTo(ours, 500n), payingTo(theirs, 700n)],
});

let known: Map<string, MadeTransaction>;
let waiting: MadeTransaction[];
let fetched: string[];
let reading: Parameters<typeof createMempoolReader>[0];

beforeEach(() => {
  known = new Map([[funding.hash, funding]]);
  waiting = [];
  fetched = [];
  const node: Partial<BitcoinNode> = {
    name: '1',
    waiting: async () => waiting.map(({ hash }) => hash),
    transactionBytes: async (hashes) => {
      fetched.push(...hashes);
      return hashes.map((hash) => {
        const found = known.get(hash) ?? waiting.find((each) => each.hash === hash);
        return found ? hex.encode(found.bytes) : null;
      });
    },
  };
  const nodes = { chain: 'bitcoin', endpoints: [node as BitcoinNode] };
  reading = { nodes, network: 'regtest', source: createTransactionSource(nodes) };
});

const spending = (index: number, outputs: ReturnType<typeof payingTo>[], sequence?: number) =>
  madeTransaction({
    inputs: [{ hash: funding.hash, index, publicKey: key, ...(sequence === undefined ? {} : { sequence }) }],
    outputs,
  });

test('what was read before is not fetched again, and what waits nowhere any more is forgotten', async () => {
  const strange = madeTransaction({ inputs: [{ hash: outside, index: 9 }], outputs: [payingTo(theirs, 5n)] });
  const payment = spending(0, [payingTo(theirs, 100n)]);
  waiting = [strange, payment];
  const read = createMempoolReader(reading);
  expect((await read(own)).waiting.map(({ transaction }) => transaction.hash)).toEqual([payment.hash]);
  expect(fetched.sort()).toEqual([strange.hash, payment.hash, funding.hash].sort());
  fetched = [];
  expect((await read(own)).waiting).toHaveLength(1);
  expect(fetched).toEqual([]);
  waiting = [];
  expect(await read(own)).toEqual({ waiting: [], hasQuorum: true });
  waiting = [strange];
  await read(own);
  expect(fetched).toEqual([strange.hash]);
});

test('a stranger’s transaction that shows our key neither spends ours nor touches us', async () => {
  const shown = spending(1, [payingTo(theirs, 100n)]);
  const paying = spending(1, [payingTo(ours, 100n)]);
  waiting = [shown, paying];
  const { waiting: view } = await createMempoolReader(reading)(own);
  expect(view).toMatchObject([{ transaction: { hash: paying.hash, inputs: [{ address: null }] }, feeMinor: 600n }]);
  expect(await createPendingReader(reading)(ours)).toEqual({ hasQuorum: true, hashes: [] });
});

test('only a sequence below 0xfffffffe signals replacement, its own or an ancestor’s (BIP 125)', async () => {
  const final = spending(0, [payingTo(ours, 400n)], 0xfffffffe);
  waiting = [final];
  const read = createMempoolReader(reading);
  expect((await read(own)).waiting).toMatchObject([{ isReplaceable: false }]);
  const parent = spending(0, [payingTo(ours, 300n)], 0xfffffffd);
  const child = madeTransaction({
    inputs: [{ hash: parent.hash, index: 0, publicKey: key, sequence: 0xffffffff }],
    outputs: [payingTo(theirs, 250n)],
  });
  waiting = [parent, child];
  const view = new Map((await read(own)).waiting.map((each) => [each.transaction.hash, each]));
  expect(view.get(child.hash)).toMatchObject({ isReplaceable: true, feeMinor: 50n, ancestorFeeMinor: 250n });
});

test('while what our payment spends cannot be read, absence means nothing', async () => {
  known.clear();
  waiting = [spending(0, [payingTo(theirs, 100n)])];
  expect(await createMempoolReader(reading)(own)).toEqual({ waiting: [], hasQuorum: false });
});

test('a deposit is shown without its fee where what it spends is not known', async () => {
  waiting = [madeTransaction({ inputs: [{ hash: outside, index: 0 }], outputs: [payingTo(ours, 100n)] })];
  expect((await createMempoolReader(reading)(own)).waiting).toMatchObject([{ feeMinor: null, ancestorFeeMinor: 0n }]);
});
