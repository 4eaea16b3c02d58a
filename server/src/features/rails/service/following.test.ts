import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { createEvmGateway, NoAgreement, startWatcher } from '../../chains/index.ts';
import { evmFamily } from '../evm/family.ts';
import { createChainListener } from './following.ts';

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterEach(async () => {
  for (const node of world.chain.nodes) await node.setMode('ok');
  // A node that failed is left alone for a moment before it is asked again.
  await vi.waitFor(() => world.gateway.head(), { timeout: 20_000 });
  await vi.waitFor(() => world.gateway.block(0), { timeout: 20_000 });
  await world.follow();
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';

async function depositInBlock(amount: string): Promise<Company> {
  const company = await world.company();
  await world.chain.treasury.send('USDT', company.address, amount);
  await world.chain.engine.mine(1);
  return company;
}

describe.each(['down', 'lying'] as const)('with one of two nodes %s', (mode) => {
  test('nothing is seen, and everything is once the nodes agree', async () => {
    const company = await depositInBlock('5');
    await world.chain.nodes[0].setMode(mode);
    await expect(world.follow()).rejects.toThrow(NoAgreement);
    expect(await transactions(world, company)).toEqual([]);
    await world.chain.nodes[0].setMode('ok');
    await vi.waitFor(() => world.follow(), { timeout: 20_000 });
    expect(await balances(world, company, 'USDT')).toMatchObject({ inbound: 5_000_000n });
  });

  test('nothing is credited and no transfer is final or failed', async () => {
    const company = await depositInBlock('50');
    await world.advance(depth);
    await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
    await world.work();
    await world.advance(2);
    const waiting = await depositInBlock('6');
    await world.follow();
    await world.chain.nodes[1].setMode(mode);
    await world.chain.engine.mine(depth + 1);
    await expect(world.follow()).rejects.toThrow(NoAgreement);
    expect(await transactions(world, waiting)).toMatchObject([{ status: 'pending' }]);
    expect((await transactions(world, company)).at(-1)).toMatchObject({ status: 'pending' });
    await world.chain.nodes[1].setMode('ok');
    await vi.waitFor(() => world.follow(), { timeout: 20_000 });
    expect(await transactions(world, waiting)).toMatchObject([{ status: 'completed' }]);
    expect((await transactions(world, company)).at(-1)).toMatchObject({ status: 'completed' });
    await expectBooksToAgree(world);
  });
});

test('a slow node is waited for no longer than its time', async () => {
  await world.chain.nodes[0].setMode('slow', 60_000);
  const impatient = createEvmGateway({ ...world.config, rpcTimeoutMs: 1000 });
  const before = Date.now();
  await expect(impatient.block(1)).rejects.toMatchObject({ reason: 'silence' });
  expect(Date.now() - before).toBeLessThan(30_000);
});

test('a lying node’s receipt fails no transfer and its balances count for nothing', async () => {
  const company = await depositInBlock('5');
  await world.follow();
  const [deposit] = await transactions(world, company);
  await world.chain.nodes[1].setMode('lying');
  await expect(world.gateway.receipt(deposit?.hash as `0x${string}`)).rejects.toMatchObject({ reason: 'disagreement' });
  const height = world.chain.engine.tip().height;
  await expect(world.gateway.balance(null, world.gasTank, height)).rejects.toMatchObject({ reason: 'disagreement' });
});

test('a transfer is broadcast while one node is down, and followed when it is back', async () => {
  const company = await depositInBlock('50');
  await world.advance(depth);
  await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
  await world.chain.nodes[0].setMode('down');
  await world.work();
  await world.chain.engine.mine(1);
  await world.chain.nodes[0].setMode('ok');
  await vi.waitFor(() => world.follow(), { timeout: 20_000 });
  await world.work();
  await world.advance(depth + 1);
  expect((await transactions(world, company)).at(-1)).toMatchObject({ status: 'completed' });
});

test('a watcher that runs shows a deposit within two seconds of its block, once, beside a second watcher', async () => {
  const company = await world.company();
  const log = createLog('test', 'silent');
  const listener = createChainListener({
    familyOf: () => evmFamily,
    database: world.db.worker,
    gateways: new Map([[chainId, world.gateway]]),
    log: createLog('test', 'silent'),
  });
  const options = { database: world.db.worker, gateway: world.gateway, listener, log, pollIntervalMs: 100 };
  const watchers = [startWatcher(options), startWatcher(options)];
  try {
    // A machine may be busy with something else for a while; a watcher that is too slow is so each time.
    const waits_ms: number[] = [];
    for (let nth = 1; nth <= 3 && Math.min(...waits_ms) >= 2000; nth += 1) {
      await world.chain.treasury.send('USDT', company.address, '9');
      await world.chain.engine.mine(1);
      const mined = Date.now();
      await vi.waitFor(async () => expect(await transactions(world, company)).toHaveLength(nth), { timeout: 20_000 });
      waits_ms.push(Date.now() - mined);
    }
    expect(Math.min(...waits_ms)).toBeLessThan(2000);
  } finally {
    await Promise.all(watchers.map((watcher) => watcher.stop()));
  }
});
