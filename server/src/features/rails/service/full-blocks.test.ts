import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { openPayer, type Payer } from '../../../testing/many-transfers.ts';
import { startTraceProxy, type TraceMode, type TraceProxy } from '../../../testing/trace-proxy.ts';
import { createEvmGateway, type EvmGateway, findCursor } from '../../chains/index.ts';

/** Blocks as full as a real chain's, followed whatever the nodes do with traces. */

let world: ChainWorld;
let payer: Payer;
let proxies: TraceProxy[];
beforeAll(async () => {
  world = await chainWorld({ blockGasLimit: 300_000_000, rpcTimeoutMs: 10_000 });
  payer = await openPayer(world.chain);
  proxies = await Promise.all(world.chain.urls.map((url) => startTraceProxy(url)));
  await world.follow();
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await world.close();
});

function nodes(mode: TraceMode): EvmGateway {
  for (const proxy of proxies) {
    proxy.mode = mode;
    proxy.asked.clear();
  }
  return createEvmGateway({ ...world.config, rpcUrls: proxies.map(({ url }) => url) });
}

const oneCent = 10_000n;
/** `npm run proof` fills the blocks; `npm test` has a fifth of it, in as many shapes. */
const share = process.env['PROOF_ROUNDS'] === undefined ? 5 : 1;
const many = { toCompanies: 500 / share, toOne: 2000 / share, calls: 500 / share };
/** For machines that do much else; what is asserted is that it ends. */
const patienceMs = 240_000;

async function followToCredit(gateway: EvmGateway): Promise<void> {
  for (let left = depth + 1; left > 0; left -= 1) {
    await world.chain.engine.mine(1);
    await world.follow(gateway);
  }
  const cursor = await world.db.worker.withoutCompany((tx) => findCursor(tx, chainId));
  expect(cursor?.height).toBe(world.chain.engine.tip().height);
}

test.each(['ok', 'missing', 'hanging', 'lying', 'slow'] as const)(
  `a block of ${many.toCompanies} transfers to many companies is followed with tracing %s, and none is traced`,
  async (mode) => {
    const gateway = nodes(mode);
    const companies: Company[] = [];
    for (let left = 20; left > 0; left -= 1) companies.push(await world.company());
    await payer.sendTokens(
      'USDT',
      Array.from({ length: many.toCompanies / companies.length }, () => companies.map(({ address }) => address)).flat(),
      oneCent,
    );
    await followToCredit(gateway);
    for (const company of companies) {
      expect(await balances(world, company, 'USDT')).toMatchObject({
        available: BigInt(many.toCompanies / companies.length) * oneCent,
      });
    }
    // A listed token's own transfers hide nothing.
    expect([...proxies.flatMap(({ asked }) => [...asked])]).toEqual([]);
    await expectBooksToAgree(world);
  },
  patienceMs,
);

test(
  `a block of ${many.toOne} transfers to one company is followed, and every one is credited`,
  async () => {
    const company = await world.company();
    await payer.sendTokens(
      'USDC',
      Array.from({ length: many.toOne }, () => company.address),
      oneCent,
    );
    await followToCredit(world.gateway);
    expect(await balances(world, company, 'USDC')).toMatchObject({ available: BigInt(many.toOne) * oneCent });
    const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
      sql<{ stage: string; count: number }>`select stage, count(*) from transaction_stage
      where company_id = company_id() group by stage order by stage`.execute(tx),
    );
    expect(rows).toEqual([
      { stage: 'confirming', count: many.toOne },
      { stage: 'credited', count: many.toOne },
      { stage: 'seen', count: many.toOne },
    ]);
    await expectBooksToAgree(world);
  },
  patienceMs,
);

test(
  'a block full of contract calls holds up no other deposit while its trace hangs',
  async () => {
    const gateway = nodes('hanging');
    const company = await world.company();
    await payer.forwardEther(
      Array.from({ length: many.calls }, () => world.gasTank),
      1n,
    );
    await world.chain.treasury.send('USDT', company.address, '5');
    await followToCredit(gateway);
    expect(await balances(world, company, 'USDT')).toMatchObject({ available: 5_000_000n });
  },
  patienceMs,
);
