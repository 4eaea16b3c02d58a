import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, createPublicClient, http, parseAbiItem, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Chain, type ChainOptions, startChain } from './chain.ts';

const PERSON: Address = '0x00000000000000000000000000000000000A11cE';
const sender = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 5 });

let dir: string;
let chains: Chain[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  chains = [];
});

afterEach(async () => {
  await Promise.all(chains.map((chain) => chain.stop()));
  await rm(dir, { recursive: true, force: true });
});

async function start(options: ChainOptions = {}): Promise<Chain> {
  const chain = await startChain({ dir, autoMining: false, ...options });
  chains.push(chain);
  return chain;
}

function reader(chain: Chain, node = 0, timeout = 2_000) {
  return createPublicClient({
    chain: foundry,
    transport: http(chain.urls[node], { retryCount: 0, timeout }),
    cacheTime: 0,
  });
}

async function signed(nonce: number, wei = 1n): Promise<string> {
  return sender.signTransaction({
    to: PERSON,
    value: wei,
    nonce,
    gas: 21_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    chainId: 31337,
    type: 'eip1559',
  });
}

async function hashes(chain: Chain): Promise<string[]> {
  const { height } = chain.engine.tip();
  // Hundreds of requests at once, which the node answers one after another.
  const client = reader(chain, 0, 30_000);
  const blocks = await Promise.all(
    Array.from({ length: height + 1 }, (_, number) => client.getBlock({ blockNumber: BigInt(number) })),
  );
  return blocks.map((block) => String(block.hash));
}

test('the faucet pays real tokens and ether, and a fake token changes no real balance', async () => {
  const chain = await start();
  await chain.treasury.send('USDT', PERSON, '12.5');
  await chain.treasury.send('ETH', PERSON, '0.25');
  await chain.treasury.send('ETH', PERSON, '0.5', true);
  await chain.treasury.send('FAKE', PERSON, '1000');
  await chain.engine.mine(1);
  expect(await chain.treasury.balance('USDT', PERSON)).toBe('12.5');
  expect(await chain.treasury.balance('FAKE', PERSON)).toBe('1000');
  expect(await reader(chain).getBalance({ address: PERSON })).toBe(parseEther('0.75'));
});

test('mining by itself reaches the depth after a transaction and then rests', async () => {
  const chain = await start({ autoMining: true, depth: 3, blockIntervalMs: 5 });
  await vi.waitFor(() => expect(chain.engine.tip().height - chain.engine.tip().lastTransactionHeight).toBe(3), {
    timeout: 20_000,
  });
  const before = chain.engine.tip().height;
  const hash = await chain.treasury.send('USDC', PERSON, '3');
  await vi.waitFor(() => expect(chain.engine.tip().height).toBe(before + 4), { timeout: 20_000 });
  const receipt = await reader(chain).getTransactionReceipt({ hash });
  expect(receipt.blockNumber).toBe(BigInt(before + 1));
});

test.runIf(process.env['PROOF_ROUNDS'] !== undefined)(
  'after a restart the chain has the same blocks, hashes and waiting transactions, from snapshots too',
  async () => {
    const first = await start({ snapshotEvery: 20 });
    for (let nonce = 0; nonce < 80; nonce += 1) {
      await first.engine.submit(await signed(nonce));
      await first.engine.mine(2);
      if (nonce % 20 === 10) await first.engine.reorganise(3, true);
    }
    const waiting = await first.engine.submit(await signed(80));
    const before = await hashes(first);
    await first.kill();
    // Begun from a snapshot, not from the first block: what lies before it has been dropped.
    expect(await readdir(dir)).not.toContain('segment-0.log');

    const second = await start({ snapshotEvery: 20 });
    expect(await hashes(second)).toEqual(before);
    await second.engine.mine(1);
    expect(await reader(second).getTransactionReceipt({ hash: waiting as `0x${string}` })).toMatchObject({
      status: 'success',
    });
    expect(await reader(second).getBalance({ address: PERSON })).toBe(81n);
    expect(await second.engine.reorganise(64, false)).toBeGreaterThan(100);
    const replaced = await hashes(second);
    await second.kill();
    expect(await hashes(await start({ snapshotEvery: 20 }))).toEqual(replaced);
    // 160 blocks, four nodes and three starts.
  },
  60_000,
);

test('a reorganisation gives the blocks other hashes and keeps or drops their transactions', async () => {
  const chain = await start();
  await chain.engine.submit(await signed(0));
  await chain.engine.mine(3);
  const before = await hashes(chain);
  await chain.engine.reorganise(3, true);
  const kept = await hashes(chain);
  expect(kept).toHaveLength(before.length + 1);
  expect(kept.slice(0, -4)).toEqual(before.slice(0, -3));
  expect(kept.filter((hash) => before.slice(-3).includes(hash))).toEqual([]);
  expect(await reader(chain).getBalance({ address: PERSON })).toBe(1n);
  await chain.engine.reorganise(4, false);
  expect(await reader(chain).getBalance({ address: PERSON })).toBe(0n);
  await expect(chain.engine.reorganise(1000, true)).rejects.toThrow(/depth must be between/);
});

test('a node can be down, slow or lying while the other tells the truth', async () => {
  const chain = await start();
  await chain.treasury.send('USDT', PERSON, '5');
  await chain.engine.mine(1);
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
  const deposits = async (node: number) => {
    const filter = { address: chain.treasury.contracts.USDT, event, args: { to: PERSON }, fromBlock: 0n } as const;
    return (await reader(chain, node).getLogs(filter)).map((log) => log.args.value);
  };
  const [primary] = chain.nodes;
  await primary.setMode('lying');
  expect(await deposits(0)).toEqual([5_000_000_000n, 1_000_000_000_000n]);
  expect(await deposits(1)).toEqual([5_000_000n]);
  await primary.setMode('down');
  await expect(deposits(0)).rejects.toThrow(/HTTP request failed/);
  await primary.setMode('slow', 60_000);
  await expect(deposits(0)).rejects.toThrow(/took too long/);
  await primary.setMode('ok');
  expect(await deposits(0)).toEqual([5_000_000n]);
});

test('the nodes offer no way to change the chain but a signed transaction', async () => {
  const chain = await start();
  const ask = async (method: string, params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
    return (await fetch(chain.urls[0], { method: 'POST', body })).json();
  };
  for (const method of ['evm_mine', 'anvil_setBalance', 'eth_sendTransaction', 'evm_snapshot']) {
    expect(await ask(method, [])).toMatchObject({ id: 7, error: { code: -32601 } });
  }
  expect(await ask('eth_chainId', [])).toEqual({ jsonrpc: '2.0', id: 7, result: '0x7a69' });
});

test('a taken port is named', async () => {
  const chain = await start();
  const { port } = chain.nodes[0];
  await expect(startChain({ ports: [port, 0] })).rejects.toMatchObject({
    kind: 'port_taken',
    message: expect.stringContaining(String(port)),
  });
});
