import { type Bitcoin, startBitcoin } from '@causeway/sandbox/bitcoin/bitcoin.ts';
import { hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { present } from '../../../../testing/present.ts';
import type { BlockContent, OwnAddresses } from '../../gateway.ts';
import { changeOrdinal } from '../derivation.ts';
import type { BitcoinGateway, Outpoint } from '../gateway.ts';
import { type BitcoinKeys, bitcoinKeys } from '../keys.ts';
import { createBitcoinGateway } from './gateway.ts';

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(7));
const keys: BitcoinKeys = bitcoinKeys((path) => root.derive(path), 'regtest');
const [first, second] = [keys.company(0, 0), keys.company(0, 1)];
const change = keys.company(0, changeOrdinal(0));
const stranger = keys.company(9, 0);
const ours = new Set([first.address, second.address, change.address]);
const own: OwnAddresses = { among: async (addresses) => new Set(addresses.filter((address) => ours.has(address))) };

let bitcoin: Bitcoin;
let both: BitcoinGateway;
let core: BitcoinGateway;
let esplora: BitcoinGateway;

beforeAll(async () => {
  bitcoin = await startBitcoin({ autoMining: false });
  const [primary, secondary, rest] = bitcoin.urls;
  const gateway = (...nodes: { protocol: 'core' | 'esplora'; url: string }[]) =>
    createBitcoinGateway({ id: 'bitcoin', network: 'regtest', nodeTimeoutMs: 5000, nodes });
  both = gateway({ protocol: 'core', url: primary }, { protocol: 'esplora', url: rest });
  core = gateway({ protocol: 'core', url: primary }, { protocol: 'core', url: secondary });
  esplora = gateway({ protocol: 'esplora', url: rest });
});
afterAll(() => bitcoin?.stop());
beforeEach(async () => {
  for (const node of bitcoin.nodes) await node.setMode('ok');
  mine();
});

const mine = (blocks = 1) => bitcoin.engine.mine(blocks);
/** A payment of the other side, in no block yet. */
function deposit(address: string, amount: string): Outpoint {
  const paid = bitcoin.faucet.pay([{ address, amount }], { feeRate: 5, isReplaceable: true });
  bitcoin.engine.submit(paid);
  const index = paid.outputs.findIndex(({ script }) => script === hex.encode(scriptOf(address)));
  return { hash: paid.txid, index };
}
const scriptOf = (address: string) => {
  const draft = new Transaction();
  draft.addOutputAddress(address, 1n, regtest);
  return present(draft.getOutput(0).script);
};
const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

/** Spends outputs of ours, signed. */
function spend(
  inputs: readonly (Outpoint & { key: typeof first; amount: bigint })[],
  outputs: readonly [address: string, amount: bigint][],
): { hash: string; raw: string } {
  const draft = new Transaction();
  for (const { hash, index, key, amount } of inputs) {
    const witnessUtxo = { script: scriptOf(key.address), amount };
    draft.addInput({ txid: hash, index, sequence: 0xfffffffd, witnessUtxo });
  }
  for (const [address, amount] of outputs) draft.addOutputAddress(address, amount, regtest);
  for (const [index, { key }] of inputs.entries()) draft.signIdx(key.privateKey, index);
  draft.finalize();
  return { hash: draft.id, raw: draft.hex };
}

async function last(gateway: BitcoinGateway): Promise<BlockContent> {
  const height = await gateway.head();
  return present((await gateway.contents(height, height, own))[0]);
}

describe('what blocks bring', () => {
  test('a deposit, then a payment of ours whose rest is change; both protocols say the same', async () => {
    const paid = deposit(first.address, '0.5');
    mine();
    const arrived = await last(both);
    expect(arrived.arrivals).toEqual([
      {
        hash: paid.hash,
        output: `vout:${paid.index}`,
        contract: null,
        from: null,
        to: first.address,
        amountMinor: 50_000_000n,
        changeOf: [],
        needs: [expect.stringMatching(/^[0-9a-f]{64}:\d+$/)],
      },
    ]);
    expect(arrived.departures).toEqual([]);

    const payment = spend(
      [{ ...paid, key: first, amount: 50_000_000n }],
      [
        [stranger.address, 20_000_000n],
        [change.address, 29_990_000n],
      ],
    );
    expect(await both.broadcast(payment.raw)).toMatchObject({ outcome: 'accepted' });
    mine();
    const left = await last(both);
    expect(left.departures).toEqual([
      { hash: payment.hash, from: first.address, spends: [`${paid.hash}:${paid.index}`] },
    ]);
    const needs = [`${paid.hash}:${paid.index}`];
    expect(left.arrivals).toMatchObject([{ output: 'vout:1', to: change.address, changeOf: [first.address], needs }]);
    expect(left.transactionHashes).toContain(payment.hash);

    const { height } = left.block;
    const receipt = { height, blockHash: left.block.hash, succeeded: true, networkFeeMinor: 10_000n };
    for (const gateway of [both, core, esplora]) {
      expect(await gateway.contents(height - 1, height, own)).toEqual([arrived, left]);
      expect(await gateway.block(height)).toEqual(left.block);
      expect(await gateway.blockTime(height)).toEqual(await both.blockTime(height));
      expect(await gateway.receipt(payment.hash)).toEqual(receipt);
      expect(await gateway.spender(paid)).toEqual({ hash: payment.hash, height, blockHash: left.block.hash });
      expect(await gateway.isUnspent(paid)).toBe(false);
      expect(await gateway.isUnspent({ hash: payment.hash, index: 1 })).toBe(true);
      expect(await gateway.spender({ hash: payment.hash, index: 1 })).toBeNull();
      expect(await gateway.balances([first.address, change.address, second.address], height)).toEqual([
        0n,
        29_990_000n,
        0n,
      ]);
      expect(await gateway.balances([first.address, change.address], height - 1)).toEqual([50_000_000n, 0n]);
      expect(await gateway.balance(null, change.address, height)).toBe(29_990_000n);
      expect(await gateway.balance('coin', change.address, height)).toBe(0n);
      const found = present(await gateway.transaction(payment.hash));
      expect(found.block).toEqual(left.block);
      expect(found.transaction).toMatchObject({
        inputs: [{ hash: paid.hash, index: paid.index, address: first.address, sequence: 0xfffffffd }],
        outputs: [{ address: stranger.address }, { address: change.address, amountMinor: 29_990_000n }],
      });
      expect(await gateway.answers()).toBe(true);
    }
  });

  test('the miner’s reward, which matures later than what the same block pays otherwise', async () => {
    const { address } = bitcoin.faucet;
    const miners: OwnAddresses = { among: async (addresses) => new Set(addresses.filter((each) => each === address)) };
    const paid = deposit(first.address, '0.5');
    mine();
    const height = await both.head();
    for (const gateway of [core, esplora]) {
      const [content] = await gateway.contents(height, height, miners);
      const { arrivals, transactionHashes } = present(content);
      const [coinbase] = transactionHashes;
      const [reward, rest, ...more] = arrivals;
      expect(more).toEqual([]);
      expect(reward).toMatchObject({ hash: coinbase, output: 'vout:0', to: address, leastDepth: 100, changeOf: [] });
      expect(reward?.needs).toBeUndefined();
      // What the faucet has left of the payment comes back to the same address.
      expect(rest).toMatchObject({ hash: paid.hash, to: address, changeOf: [address] });
      expect(rest?.leastDepth).toBeUndefined();
      expect(await gateway.receipt(present(coinbase))).toMatchObject({ height, networkFeeMinor: 0n });
    }
  });

  test('nothing is known above the head, and of what never was', async () => {
    const none = '42'.repeat(32);
    for (const gateway of [both, core, esplora]) {
      expect(await gateway.block(99_999)).toBeNull();
      expect(await gateway.blockTime(99_999)).toBeNull();
      expect(await gateway.transaction(none)).toBeNull();
      expect(await gateway.receipt(none)).toBeNull();
      expect(await gateway.spender({ hash: none, index: 0 })).toBeNull();
      expect(await gateway.isUnspent({ hash: none, index: 0 })).toBe(false);
      await expect(gateway.contents(99_999, 99_999, own)).rejects.toThrow(/no block 99999/);
    }
  });

  test('after a reorganisation a deposit waits again, or is gone, with its block', async () => {
    const paid = deposit(second.address, '0.25');
    mine();
    const before = await last(both);
    expect(before.arrivals).toHaveLength(1);
    bitcoin.engine.reorganise(1, 'waiting');
    for (const gateway of [both, core, esplora]) {
      const now = present((await gateway.contents(before.block.height, before.block.height, own))[0]);
      expect(now.block.hash).not.toBe(before.block.hash);
      expect(now.block.parentHash).toBe(before.block.parentHash);
      expect(now.arrivals).toEqual([]);
      expect(await gateway.receipt(paid.hash)).toBeNull();
      expect(await gateway.isUnspent(paid)).toBe(false);
      expect(present(await gateway.transaction(paid.hash)).block).toBeNull();
    }
    mine();
    expect((await last(both)).arrivals).toMatchObject([{ hash: paid.hash, output: `vout:${paid.index}` }]);
    bitcoin.engine.reorganise(1, 'lost');
    for (const gateway of [both, core, esplora]) expect(await gateway.transaction(paid.hash)).toBeNull();
  });
});

describe('what waits for a block', () => {
  test('is shown with its fee, its ancestors and whether it can be replaced; then its replacement, then none', async () => {
    const paid = deposit(first.address, '0.1');
    const payment = spend([{ ...paid, key: first, amount: 10_000_000n }], [[change.address, 9_990_000n]]);
    expect(await both.broadcast(payment.raw)).toMatchObject({ outcome: 'accepted' });
    const parent = present(await both.transaction(paid.hash)).transaction;
    for (const gateway of [both, core, esplora]) {
      const { waiting, hasQuorum } = await gateway.mempool(own);
      expect(hasQuorum).toBe(true);
      const byHash = new Map(waiting.map((each) => [each.transaction.hash, each]));
      const [deposited, spent] = [present(byHash.get(paid.hash)), present(byHash.get(payment.hash))];
      expect(deposited).toMatchObject({ isReplaceable: true, ancestorVsize: parent.vsize });
      expect(deposited.ancestorFeeMinor).toBe(deposited.feeMinor);
      expect(spent).toMatchObject({
        feeMinor: 10_000n,
        isReplaceable: true,
        ancestorFeeMinor: 10_000n + present(deposited.feeMinor),
        ancestorVsize: parent.vsize + spent.transaction.vsize,
        transaction: { inputs: [{ address: first.address }] },
      });
      expect(await gateway.pending(first.address)).toEqual({ hasQuorum: true, hashes: [payment.hash] });
      expect(await gateway.pending(second.address)).toEqual({ hasQuorum: true, hashes: [] });
    }
    const dearer = spend([{ ...paid, key: first, amount: 10_000_000n }], [[change.address, 9_900_000n]]);
    expect(await both.broadcast(dearer.raw)).toMatchObject({ outcome: 'accepted' });
    for (const gateway of [both, core, esplora]) {
      const hashes = (await gateway.mempool(own)).waiting.map(({ transaction }) => transaction.hash);
      expect(hashes).toContain(dearer.hash);
      expect(hashes).not.toContain(payment.hash);
      expect(await gateway.pending(first.address)).toMatchObject({ hashes: [dearer.hash] });
    }
    mine();
    for (const gateway of [both, core, esplora]) expect((await gateway.mempool(own)).waiting).toEqual([]);
    expect(await both.broadcast(payment.raw)).toMatchObject({ outcome: 'spent' });
    expect(await both.broadcast(dearer.raw)).toMatchObject({ outcome: 'known' });
  });

  test('at one of two nodes is shown, and its absence means nothing', async () => {
    const paid = deposit(first.address, '0.1');
    await bitcoin.nodes[2].setMode('down');
    const { waiting, hasQuorum } = await both.mempool(own);
    expect([waiting.map(({ transaction }) => transaction.hash), hasQuorum]).toEqual([[paid.hash], false]);
    await bitcoin.nodes[0].setMode('down');
    expect(await both.mempool(own)).toEqual({ waiting: [], hasQuorum: false });
  });
});

describe('a payment that is offered', () => {
  test('is refused in the node’s words: too low a fee, dust, too little more than what it replaces', async () => {
    const paid = deposit(first.address, '0.2');
    mine();
    const input = { ...paid, key: first, amount: 20_000_000n };
    const offer = (amount: bigint, ...more: [string, bigint][]) =>
      both.broadcast(spend([input], [[stranger.address, amount], ...more]).raw);
    expect(await offer(20_000_000n)).toMatchObject({ outcome: 'rejected', reason: expect.stringMatching(/fee/) });
    expect(await offer(19_000_000n, [change.address, 100n])).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringMatching(/dust/),
    });
    expect(await offer(19_990_000n)).toMatchObject({ outcome: 'accepted' });
    expect(await offer(19_989_990n)).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringMatching(/insufficient fee/),
    });
  });

  test('whose bytes are none, or which spends what never was, is rejected', async () => {
    expect(await both.broadcast('00')).toMatchObject({ outcome: 'rejected' });
    expect(await both.broadcast('xyz')).toMatchObject({ outcome: 'rejected' });
    const nothing = { hash: '42'.repeat(32), index: 0, key: first, amount: 10_000n };
    expect(await both.broadcast(spend([nothing], [[stranger.address, 1000n]]).raw)).toMatchObject({
      outcome: 'rejected',
      answers: [{ answer: 'refused' }, { answer: 'refused' }],
    });
  });

  test('has an unknown outcome while no node answers, and is accepted where one does', async () => {
    const paid = deposit(first.address, '0.2');
    mine();
    const { raw } = spend([{ ...paid, key: first, amount: 20_000_000n }], [[stranger.address, 19_990_000n]]);
    await bitcoin.nodes[0].setMode('down');
    await bitcoin.nodes[2].setMode('down');
    expect(await both.broadcast(raw)).toMatchObject({ outcome: 'unknown' });
    await bitcoin.nodes[2].setMode('ok');
    await expect.poll(() => both.broadcast(raw)).toMatchObject({ outcome: 'accepted' });
  });
});

describe('a node that lies', () => {
  test('is caught by the other: nothing that money depends on is said', async () => {
    const paid = deposit(first.address, '0.3');
    mine(2);
    const height = await both.head();
    await bitcoin.nodes[2].setMode('lying');
    for (const read of [
      () => both.contents(height - 1, height, own),
      () => both.block(height),
      () => both.receipt(paid.hash),
      () => both.transaction(paid.hash),
      () => both.isUnspent(paid),
      () => both.balance(null, first.address, height),
    ]) {
      await expect(read()).rejects.toMatchObject({ name: 'NoAgreement' });
    }
    // The other two agree against it.
    const [primary, secondary, rest] = bitcoin.urls;
    const three = createBitcoinGateway({
      id: 'bitcoin',
      network: 'regtest',
      nodeTimeoutMs: 5000,
      nodes: [
        { protocol: 'esplora', url: rest },
        { protocol: 'core', url: primary },
        { protocol: 'core', url: secondary },
      ],
    });
    expect((await three.contents(height - 1, height - 1, own))[0]?.arrivals).toMatchObject([
      { hash: paid.hash, amountMinor: 30_000_000n },
    ]);
    expect(await three.balance(null, first.address, height)).toBe(await core.balance(null, first.address, height));
  });

  test('of another network is not believed', async () => {
    const [url] = bitcoin.urls;
    const main = createBitcoinGateway({
      ...{ id: 'bitcoin', network: 'main', nodeTimeoutMs: 5000 },
      nodes: [{ protocol: 'core', url }],
    });
    await expect(main.head()).rejects.toThrow(/does not serve the network main/);
    expect(await main.answers()).toBe(false);
  });
});

test('estimates are the highest of the nodes, and missing ones are null', async () => {
  bitcoin.engine.setMarket({ estimates: { 1: 12.5, 6: 4, 144: 2.5 }, mempoolRate: 2 });
  for (const gateway of [both, core]) {
    expect(await gateway.feeEstimates()).toMatchObject({ urgent: 12.5, normal: 4, economy: 2.5, minimum: 2 });
  }
  expect(await esplora.feeEstimates()).toMatchObject({ urgent: 12.5, normal: 4, economy: 2.5 });
  bitcoin.engine.setMarket({ estimates: null, mempoolRate: 1 });
  for (const gateway of [both, core, esplora]) {
    expect(await gateway.feeEstimates()).toMatchObject({ urgent: null, normal: null, economy: null });
  }
});

test('addresses and passwords of nodes are in no error', async () => {
  const url = 'http://causeway:hunter2@127.0.0.1:9/secret';
  const silent = createBitcoinGateway({
    ...{ id: 'bitcoin', network: 'regtest', nodeTimeoutMs: 1000 },
    nodes: [
      { protocol: 'core', url },
      { protocol: 'esplora', url },
    ],
  });
  const failure = await silent.head().then(
    () => '',
    (error: Error) => error.message,
  );
  expect(failure).toMatch(/node 1 of bitcoin did not answer/);
  expect(failure).not.toMatch(/hunter2|secret|127\.0\.0\.1/);
});
