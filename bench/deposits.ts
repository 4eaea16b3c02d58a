import { setTimeout as delay } from 'node:timers/promises';
import { startChain } from '@causeway/sandbox/chain.ts';
import { type ChainGateway, createEvmGateway, startWatcher, watchOnce } from '../server/src/features/chains/index.ts';
import { registerChains } from '../server/src/features/chains/registry.ts';
import { evmFamily } from '../server/src/features/rails/evm/family.ts';
import { createChainListener } from '../server/src/features/rails/service/following.ts';
import { openDatabase } from '../server/src/platform/database/database.ts';
import { newId } from '../server/src/platform/ids.ts';
import { createLog } from '../server/src/platform/process/log.ts';
import { chainFamilies } from '../server/src/testing/chain-families.ts';
import { type Address, openPayer, type Payer, receivers } from '../server/src/testing/many-transfers.ts';
import type { Line } from './report.ts';
import type { Stage } from './stage.ts';

/**
 * Deposits: full blocks of a real chain (anvil behind two node addresses), read, shown and credited by the product's own
 * watcher. Chain, watcher and database share the machine.
 */

export interface DepositSizes {
  /** Transfers in a block. */
  blocks: readonly number[];
  rounds: number;
  /** Full blocks that a running watcher has to keep up with. */
  followed: number;
}

const depth = 3;
const oneCent = 10_000n;
const goal = { atLeast: 300 };
const largestBlock = 1_000_000_000;

interface World {
  stage: Stage;
  payer: Payer;
  mine(): Promise<void>;
  gateway: ChainGateway;
  follow(): Promise<void>;
  addresses: readonly Address[];
}

export async function measureDeposits(stage: Stage, sizes: DepositSizes): Promise<Line[]> {
  const chain = await startChain({ autoMining: false, blockGasLimit: largestBlock });
  const database = openDatabase(stage.urlFor('causeway_worker'), { poolSize: 16, applicationName: 'causeway-bench' });
  try {
    const { USDT, USDC, HKDT } = chain.treasury.contracts;
    const [base] = stage.chains;
    if (!base) throw new Error('the stage has a chain');
    const tokens = Object.entries({ USDT, USDC, HKDT }).map(([coin, contract]) => ({ coin, contract }));
    const config = { ...base, rpcUrls: [...chain.urls], rpcTimeoutMs: 60_000, confirmations: depth, tokens };
    await registerChains(stage.urlFor(), chainFamilies, [config]);
    const gateway = createEvmGateway(config);
    const log = createLog('bench', 'silent');
    const listener = createChainListener({
      familyOf: () => evmFamily,
      database,
      gateways: new Map([[config.id, gateway]]),
      log,
    });
    const watching = { database, gateway, listener, log };
    const payer = await openPayer(chain);
    const world: World = {
      stage,
      payer,
      gateway,
      addresses: await seedReceivers(stage, Math.max(...sizes.blocks)),
      mine: async () => void (await chain.engine.mine(1)),
      follow: () => watchOnce(watching),
    };
    await world.follow();
    const lines: Line[] = [];
    for (const size of sizes.blocks) {
      lines.push(...(await measureBlock(world, size, 'one company', sizes.rounds)));
      lines.push(...(await measureBlock(world, size, 'as many companies', sizes.rounds)));
    }
    const watcher = startWatcher({ ...watching, pollIntervalMs: 200 });
    try {
      lines.push(await measureLag(world, Math.max(...sizes.blocks), sizes.followed));
    } finally {
      await watcher.stop();
    }
    return lines;
  } finally {
    await database.close();
    await chain.stop();
  }
}

async function measureBlock(world: World, size: number, to: string, rounds: number): Promise<Line[]> {
  const shown: number[] = [];
  const credited: number[] = [];
  // The first round only fills tables, which are then analysed: as autovacuum does, later.
  for (let round = 0; round <= rounds; round += 1) {
    if (round === 1) {
      await world.stage.admin.query('analyze');
      shown.length = 0;
      credited.length = 0;
    }
    const receivers = to === 'one company' ? world.addresses.slice(0, 1) : world.addresses;
    await world.payer.sendTokens('USDT', receiversOf(receivers, size), oneCent);
    const before = await countDeposits(world.stage);
    await world.mine();
    shown.push(size / (await seconds(world.follow)));
    for (let left = depth - 1; left > 0; left -= 1) {
      await world.mine();
      await world.follow();
    }
    await world.mine();
    credited.push(size / (await seconds(world.follow)));
    const after = await countDeposits(world.stage);
    if (after.all - before.all !== size || after.credited - before.credited !== size) {
      throw new Error(`${size} deposits were sent, ${after.credited - before.credited} were credited`);
    }
  }
  const what = `a block with ${size.toLocaleString('en')} transfers to ${to}`;
  const line = (verb: string, rates: number[]) => ({
    what: `${what}, ${verb}`,
    goal,
    figure: median(rates),
    unit: '/s',
    detail: rates.map((rate) => Math.round(rate)).join(', '),
  });
  return [line('read and shown', shown), line('credited', credited)];
}

/** Full blocks as fast as the chain takes them in, with the watcher running: how far it ever is behind. */
async function measureLag(world: World, size: number, blocks: number): Promise<Line> {
  let isOver = false;
  let most = 0;
  const sampling = (async () => {
    while (!isOver) {
      most = Math.max(most, (await world.gateway.head()) - (await cursorHeight(world.stage)));
      await delay(100);
    }
  })();
  const began = performance.now();
  for (let block = 0; block < blocks; block += 1) {
    await world.payer.sendTokens('USDT', receiversOf(world.addresses, size), oneCent);
    await world.mine();
  }
  const every = (performance.now() - began) / 1000 / blocks;
  isOver = true;
  await sampling;
  const detail = `${blocks} blocks with ${size.toLocaleString('en')} transfers, one every ${every.toFixed(1)} s`;
  return { what: 'watcher behind the chain, at most', goal: { atMost: 2 }, figure: most, unit: 'blocks', detail };
}

function receiversOf(addresses: readonly Address[], size: number): Address[] {
  return Array.from({ length: size }, (_, index) => addresses[index % addresses.length] as Address);
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function countDeposits({ admin }: Stage): Promise<{ all: number; credited: number }> {
  const { rows } = await admin.query(
    `select count(*)::integer as "all", (count(*) filter (where state = 'credited'))::integer as credited from causeway.deposit`,
  );
  return rows[0];
}

async function cursorHeight({ admin }: Stage): Promise<number> {
  const { rows } = await admin.query('select height::integer from causeway.chain_cursor');
  return rows[0]?.height ?? 0;
}

/** Companies with an address and a wallet, as the worker opens them. */
async function seedReceivers({ admin }: Stage, count: number): Promise<Address[]> {
  const addresses = receivers(count);
  await admin.query('set search_path = causeway');
  await admin.query(
    `create temporary table receiver as select * from unnest($1::uuid[], $2::uuid[], $3::text[])
     with ordinality as r (company_id, wallet_id, address, n)`,
    [addresses.map(() => newId()), addresses.map(() => newId()), addresses],
  );
  for (const statement of [
    `insert into company (company_id, name) select company_id, 'Receiver ' || n from receiver`,
    `insert into chain_address (company_id, chain_id, address, derivation_index)
     select company_id, 'ethereum', address, 1000000 + n from receiver`,
    `insert into wallet (company_id, id, chain_id, asset_id) select company_id, wallet_id, 'ethereum', 'USDT' from receiver`,
    `insert into ledger_account (company_id, id, owner_id, kind, asset_id, normal)
     select company_id, gen_random_uuid(), wallet_id, k.kind, 'USDT', k.normal
     from receiver, (values ('available', 'credit'), ('outbound', 'credit'), ('inbound', 'credit'), ('fee', 'credit'),
       ('chain', 'debit'), ('deficit', 'any')) as k (kind, normal)`,
    'drop table receiver',
    'analyze',
  ]) {
    await admin.query(statement);
  }
  return addresses;
}
