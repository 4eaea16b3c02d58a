import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../../platform/clock.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { ether, openPayer, type Payer } from '../../../testing/many-transfers.ts';
import { startTraceProxy, type TraceMode, type TraceProxy } from '../../../testing/trace-proxy.ts';
import { createEvmGateway, type EvmGateway } from '../../chains/index.ts';
import { startContractCoins } from './contract-coins-loops.ts';
import { createSweeper } from './sweeping-balances.ts';
import { checkTraces } from './tracing.ts';

/** For machines that do much else; what is asserted is that it ends. */
const patienceMs = 240_000;

let world: ChainWorld;
let payer: Payer;
let proxies: TraceProxy[];
/** The proxies in front of its nodes decide how traces are served. */
let gateway: EvmGateway;

beforeAll(async () => {
  world = await chainWorld({ blockGasLimit: 300_000_000 });
  payer = await openPayer(world.chain);
  proxies = await Promise.all(world.chain.urls.map((url) => startTraceProxy(url)));
  await world.follow();
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await world.close();
});
afterEach(async () => {
  // What a test left untraced is traced, so that the next begins with nothing waiting.
  await world.asSuperuser('update causeway.chain_untraced set next_try_at = now()');
  await world.follow();
  expect(await untraced()).toBe(0);
});

function nodes(mode: TraceMode, count = 2, clock?: Clock): EvmGateway {
  for (const proxy of proxies) Object.assign(proxy, { mode });
  const rpcUrls = proxies.slice(0, count).map(({ url }) => url);
  const given = mode === 'hanging' || mode === 'slow' ? { rpcTimeoutMs: 2000 } : {};
  return createEvmGateway({ ...world.config, rpcUrls, ...given }, clock);
}

const deps = () => ({ ...world.parts(), gateways: new Map([[chainId, gateway]]) });

async function untraced(): Promise<number> {
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql<{ count: number }>`select count(*) from chain_untraced`.execute(tx),
  );
  return rows[0]?.count ?? 0;
}

/** One whole round over the addresses. */
async function sweep(): Promise<void> {
  const sweeper = createSweeper(deps(), chainId);
  while (!(await sweeper.step()));
}

async function outputs(company: Company): Promise<string[]> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{
      output: string;
    }>`select output from deposit where company_id = company_id() and state in ('inbound', 'credited')
      order by output`.execute(tx),
  );
  return rows.map(({ output }) => output.replace(/:.*/, ''));
}

const mine = async () => void (await world.chain.engine.mine(1));

/** Each thing that nodes do wrong is seen always; the rest is for the proof: it differs in how many nodes do it, or in how late they are. */
const modes: readonly [mode: TraceMode, nodes: number][] = [
  ['ok', 2],
  ['hanging', 2],
  ['lying', 2],
  ['missing', 1],
];
const furtherModes: typeof modes = [
  ['missing', 2],
  ['slow', 2],
  ['lying', 1],
];
const isProof = Number(process.env['PROOF_ROUNDS'] ?? 8) > 8;

describe.each(isProof ? [...modes, ...furtherModes] : modes)('with tracing %s on %i nodes', (mode, count) => {
  test('ETH from contracts arrives exactly once, beside a plain one in the same block, and nothing waits for it', async () => {
    gateway = nodes(mode, count);
    const company = await world.company();
    for (const proxy of proxies) proxy.liesAbout = company.address;
    await world.chain.treasury.send('ETH', company.address, '0.25', true);
    await world.chain.treasury.send('ETH', company.address, '0.5');
    await world.chain.treasury.send('USDT', company.address, '7');
    await mine();
    await mine();
    await payer.forwardEther([company.address, company.address], ether('0.125'));
    await mine();
    await world.follow(gateway);
    expect(await balances(world, company, 'USDT')).toMatchObject({ inbound: 7_000_000n });
    for (let round = 1; round <= 2; round++) {
      await sweep();
      await world.asSuperuser('update causeway.chain_untraced set next_try_at = now()');
      await world.follow(gateway);
    }
    await sweep();
    expect(await untraced()).toBe(0);
    for (let left = depth + 1; left > 0; left -= 1) {
      await mine();
      await world.follow(gateway);
    }
    expect(await balances(world, company, 'ETH')).toMatchObject({ available: ether('1') });
    const found = mode === 'ok' ? ['internal', 'internal', 'internal'] : ['balance', 'balance'];
    expect(await outputs(company)).toEqual([...found, 'log', 'native']);
    // Once the nodes trace well, what the balances showed stays as it is.
    gateway = nodes('ok');
    await world.follow(gateway);
    await sweep();
    expect(await balances(world, company, 'ETH')).toMatchObject({ available: ether('1') });
    await expectBooksToAgree(world);
  });
});

describe('a deposit that a balance showed', () => {
  async function foundByBalance(): Promise<Company> {
    gateway = nodes('missing');
    const company = await world.company();
    await payer.forwardEther([company.address], ether('2'));
    await mine();
    await world.follow(gateway);
    expect(await outputs(company)).toEqual([]);
    await sweep();
    expect(await outputs(company)).toEqual(['balance']);
    return company;
  }

  test('is the same as what a trace shows of the block later', async () => {
    const company = await foundByBalance();
    // As if the trace had been under way all the while.
    await world.asSuperuser(`insert into causeway.chain_untraced (chain_id, height, hash)
      select chain_id, height, hash from causeway.chain_cursor`);
    gateway = nodes('ok');
    await world.follow(gateway);
    expect(await untraced()).toBe(0);
    expect(await outputs(company)).toEqual(['balance']);
    await sweep();
    expect(await balances(world, company, 'ETH')).toMatchObject({ inbound: ether('2') });
    await expectBooksToAgree(world);
  });

  test('is credited although no further block comes', async () => {
    const company = await world.company();
    gateway = nodes('missing');
    await payer.forwardEther([company.address], ether('2'));
    for (let left = depth + 1; left > 0; left -= 1) await mine();
    await world.follow(gateway);
    await sweep();
    await world.follow(gateway);
    expect(await balances(world, company, 'ETH')).toMatchObject({ available: ether('2') });
  });

  test('goes with its block, and comes again with the next one that brings it', async () => {
    const company = await foundByBalance();
    await world.chain.engine.reorganise(1, true);
    await world.follow(gateway);
    expect(await balances(world, company, 'ETH')).toEqual({});
    await sweep();
    await sweep();
    expect(await balances(world, company, 'ETH')).toMatchObject({ inbound: ether('2') });
    expect((await transactions(world, company)).map(({ stage }) => stage)).toEqual(['orphaned', 'seen']);
    await world.chain.engine.reorganise(2, false);
    await world.follow(gateway);
    await sweep();
    expect(await balances(world, company, 'ETH')).toEqual({});
    await expectBooksToAgree(world);
  });

  test('is told from what the address pays and gets otherwise in the same blocks', async () => {
    gateway = nodes('missing');
    const company = await world.company();
    await world.chain.treasury.send('ETH', company.address, '3');
    await world.advance(depth + 1);
    const payee = '0x0000000000000000000000000000000000005e7b';
    const content = { coin: 'ETH', amountMinor: ether('0.5'), feeMinor: 10n ** 15n, payee };
    await approvedTransfer(world, company, content);
    await world.work();
    await payer.forwardEther([company.address], ether('0.25'));
    await mine();
    await world.work();
    await payer.forwardEther([company.address], ether('0.25'));
    await world.chain.treasury.send('ETH', company.address, '0.125');
    await mine();
    await world.follow(gateway);
    await world.work();
    await sweep();
    for (let left = depth + 2; left > 0; left -= 1) {
      await mine();
      await world.follow(gateway);
      await world.work();
    }
    await sweep();
    await world.follow(gateway);
    const [, ...others] = await transactions(world, company);
    expect(others.filter(({ type }) => type === 'chain_withdraw')).toMatchObject([{ stage: 'completed' }]);
    expect(await balances(world, company, 'ETH')).toMatchObject({ available: ether('3.124') });
    await expectBooksToAgree(world);
  });
});

describe('a node that does not trace in time', () => {
  test('is not asked again while it may still be at it, and other blocks wait less and less often', async () => {
    // Time is frozen, so that no pause ends however slow this machine is.
    const now = new Date();
    gateway = nodes('hanging', 2, { now: () => now });
    const before = total();
    await payer.forwardEther([world.gasTank], 1n);
    await mine();
    await world.follow(gateway);
    const first = total() - before;
    expect(first).toBe(2);
    await payer.forwardEther([world.gasTank], 1n);
    await mine();
    for (let round = 1; round <= 3; round++) {
      await world.asSuperuser('update causeway.chain_untraced set next_try_at = now()');
      await world.follow(gateway);
    }
    expect(total() - before).toBe(first);
    expect(await untraced()).toBe(2);
    expect(await checkTraces(world.db.worker, chainId).catch((error: Error) => error.message)).toBeUndefined();
    await world.asSuperuser("update causeway.chain_untraced set seen_at = now() - interval '16 minutes'");
    await expect(checkTraces(world.db.worker, chainId)).rejects.toThrow(
      /^2 blocks from \d+ on .*\(no node answers in time\)/,
    );
    gateway = nodes('ok');
  });

  const total = () => proxies.reduce((sum, { asked }) => sum + [...asked.values()].reduce((a, b) => a + b, 0), 0);
});

test(
  'a block with more calls of contracts than a node is trusted with is traced in parts',
  async () => {
    gateway = nodes('ok');
    const company = await world.company();
    for (const proxy of proxies) proxy.asked.clear();
    await payer.forwardEther([company.address, ...Array.from({ length: 119 }, () => world.gasTank)], ether('0.001'));
    await mine();
    await world.follow(gateway);
    while ((await untraced()) > 0) {
      await world.asSuperuser('update causeway.chain_untraced set next_try_at = now()');
      await world.follow(gateway);
    }
    expect(await outputs(company)).toEqual(['internal']);
    expect(proxies[0]?.asked.get('debug_traceTransaction')).toBeGreaterThan(0);
  },
  patienceMs,
);

test('the loops of a worker bring it by themselves', async () => {
  gateway = nodes('missing');
  const company = await world.company();
  await payer.forwardEther([company.address], ether('2'));
  await mine();
  await world.follow(gateway);
  const times = { traceIntervalMs: 20, sweepStepMs: 20, sweepWaitingMs: 50, sweepIdleMs: 100 };
  const loops = startContractCoins(deps(), [chainId], times);
  try {
    await expect.poll(() => outputs(company), { timeout: 20_000 }).toEqual(['balance']);
    await expect.poll(untraced, { timeout: 20_000 }).toBe(0);
  } finally {
    await loops.stop();
  }
});
