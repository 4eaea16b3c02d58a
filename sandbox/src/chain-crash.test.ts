import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type Address, createPublicClient, type Hash, http } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from './free-port.ts';

const PERSON: Address = '0x00000000000000000000000000000000000A11cE';
/** A third of the kills in `npm test`; all of them in `npm run proof`. */
const KILLS = process.env['PROOF_ROUNDS'] === undefined ? 2 : 12;
const TRANSFERS = 10 * KILLS;
const sender = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 6 });

type Running = { process: ChildProcess; anvilPid: () => Promise<number> };

let dir: string;
let running: Running | undefined;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
});

afterEach(async () => {
  if (running !== undefined) {
    running.process.kill('SIGTERM');
    await once(running.process, 'exit');
  }
  await rm(dir, { recursive: true, force: true });
});

/** The chain in a process of its own, so that it can be killed. Each line it is sent is answered with anvil's process id. */
async function startProcess(port: number): Promise<Running> {
  const module = new URL('./chain.ts', import.meta.url).href;
  const script = `
    import { startChain } from ${JSON.stringify(module)};
    const chain = await startChain({ dir: ${JSON.stringify(dir)}, ports: [${port}, 0], depth: 3, blockIntervalMs: 20, snapshotEvery: 40 });
    console.log('ready');
    process.stdin.on('data', () => console.log(chain.engine.anvilPid()));
    process.once('SIGTERM', () => chain.stop().then(() => process.exit(0)));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  expect(await next()).toBe('ready');
  return {
    process: child,
    async anvilPid() {
      child.stdin.write('\n');
      return Number(await next());
    },
  };
}

test('kill -9 of anvil, of the front or of both loses no acknowledged transaction and no block', {
  timeout: 120_000,
}, async () => {
  const port = await freePort();
  const reader = createPublicClient({
    chain: foundry,
    transport: http(`http://127.0.0.1:${port}`, { retryCount: 0, timeout: 20_000 }),
    cacheTime: 0,
  });
  running = await startProcess(port);
  const acknowledged = new Map<number, Hash>();
  const seen = new Map<bigint, Hash>();

  async function send(nonce: number): Promise<void> {
    const raw = await sender.signTransaction({
      to: PERSON,
      value: 1n,
      nonce,
      gas: 21_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      chainId: 31337,
      type: 'eip1559',
    });
    while (!acknowledged.has(nonce)) {
      try {
        acknowledged.set(nonce, await reader.sendRawTransaction({ serializedTransaction: raw }));
        const block = await reader.getBlock();
        seen.set(block.number, block.hash);
      } catch (error) {
        // The answer was lost with the front: the same bytes again, as every careful sender does.
        if (/already known|already imported|nonce too low/i.test(String(error))) return;
        await delay(20);
      }
    }
  }

  async function killSomething(round: number): Promise<void> {
    if (running === undefined) return;
    const anvil = await running.anvilPid();
    if (round % 3 !== 1) process.kill(anvil, 'SIGKILL');
    if (round % 3 === 0) return;
    running.process.kill('SIGKILL');
    await once(running.process, 'exit');
    running = await startProcess(port);
  }

  let sent = 0;
  const sending = (async () => {
    for (; sent < TRANSFERS; sent += 1) await send(sent);
  })();
  for (let round = 0; round < KILLS; round += 1) {
    const target = Math.floor(((round + Math.random()) * TRANSFERS) / KILLS);
    while (sent < target) await delay(1);
    await killSomething(round);
  }
  await sending;

  await expect.poll(() => reader.getBalance({ address: PERSON }), { timeout: 20_000 }).toBe(BigInt(TRANSFERS));
  expect(acknowledged.size).toBeGreaterThan(TRANSFERS / 2);
  for (const hash of acknowledged.values()) {
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
  }
  expect(seen.size).toBeGreaterThan(0);
  for (const [blockNumber, hash] of seen) expect((await reader.getBlock({ blockNumber })).hash).toBe(hash);
});
