import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askCore } from '../testing/bitcoin.ts';
import { type Bitcoin, startBitcoin } from './bitcoin.ts';
import type { Transaction } from './transaction.ts';

/** One kill in `npm test`; all of them in `npm run proof`. */
const KILLS = process.env['PROOF_ROUNDS'] === undefined ? 1 : 6;
const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

let dir: string;
let child: ChildProcess | undefined;
let opened: Bitcoin[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
});

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await Promise.all(opened.map((bitcoin) => bitcoin.stop()));
  opened = [];
  await rm(dir, { recursive: true, force: true });
});

async function open(): Promise<Bitcoin> {
  const bitcoin = await startBitcoin({ dir, autoMining: false });
  opened.push(bitcoin);
  return bitcoin;
}

/** Everything that a reader could have seen. */
function stateOf({ engine: { chain, pool } }: Bitcoin) {
  const blocks = Array.from({ length: chain.tip().height + 1 }, (_, height) => chain.at(height)?.hash);
  const waiting = pool.entries().map(({ transaction, fee }) => [transaction.txid, fee]);
  return { blocks, waiting, coins: [...chain.coins()].map(({ txid, vout }) => `${txid}:${vout}`).sort() };
}

test('a restart finds the same blocks, outputs and waiting transactions', async () => {
  const bitcoin = await open();
  const { engine, faucet, crowd } = bitcoin;
  const pay = (wallet: typeof faucet, feeRate: number): Transaction => {
    const payment = wallet.pay([{ address: STRANGER, amount: '0.2' }], { feeRate, isReplaceable: true });
    engine.submit(payment);
    return payment;
  };
  pay(faucet, 2);
  engine.mine(2);
  pay(faucet, 3);
  engine.mine(1);
  engine.reorganise(2, 'waiting');
  const replaced = pay(crowd, 2);
  engine.submit(crowd.redirect(replaced.txid, 30));
  pay(crowd, 1);
  engine.setMarket({ minedRate: 10 });
  engine.mine(1);
  engine.reorganise(1, 'mined');
  const before = stateOf(bitcoin);
  expect(before.waiting).toHaveLength(2);
  await bitcoin.stop();
  opened = [];
  // What a crash cut off in the middle of a line was never seen.
  await appendFile(join(dir, 'journal.log'), '0000 {"kind":"blo');
  expect(stateOf(await open())).toEqual(before);
});

/** The chain in a process of its own, so that it can be killed: it pays and mines as fast as it can. */
async function startProcess(): Promise<string> {
  const module = new URL('./bitcoin.ts', import.meta.url).href;
  const script = `
    import { startBitcoin } from ${JSON.stringify(module)};
    const bitcoin = await startBitcoin({ dir: ${JSON.stringify(dir)}, autoMining: false });
    console.log(bitcoin.urls[0]);
    for (let round = 1; ; round += 1) {
      bitcoin.engine.submit(bitcoin.crowd.pay([], { feeRate: 1 + (round % 7), isReplaceable: true }));
      if (round % 3 === 0) bitcoin.engine.mine(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  `;
  child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('the process has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return String((await lines.next()).value);
}

test('kill -9 loses no block and no waiting transaction that a node has shown', { timeout: 120_000 }, async () => {
  const seen = { blocks: new Map<number, string>(), transactions: new Set<string>() };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const url = await startProcess();
    const ask = async (method: string, ...params: unknown[]): Promise<unknown> =>
      (await askCore(url, { id: 1, method, params })).answer['result'];
    const target = seen.transactions.size + 5;
    while (seen.transactions.size < target) {
      const height = Number(await ask('getblockcount'));
      seen.blocks.set(height, String(await ask('getblockhash', height)));
      const waiting = await ask('getrawmempool');
      for (const txid of Array.isArray(waiting) ? waiting : []) seen.transactions.add(String(txid));
      await delay(1);
    }
    child?.kill('SIGKILL');
    if (child !== undefined) await once(child, 'exit');
  }
  const { engine } = await open();
  expect(seen.blocks.size).toBeGreaterThan(1);
  for (const [height, hash] of seen.blocks) expect(engine.chain.at(height)?.hash).toBe(hash);
  for (const txid of seen.transactions) {
    expect(engine.chain.transaction(txid) ?? engine.pool.get(txid)).toBeDefined();
  }
});
