import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HDKey } from '@scure/bip32';
import { bitcoinFamily, evmFamily, familiesByName, watchOnce } from '../server/src/features/chains/index.ts';
import { registerChains } from '../server/src/features/chains/registry.ts';
import { isLacking, selectCoins } from '../server/src/features/rails/bitcoin/coin-selection.ts';
import { joinPayments } from '../server/src/features/rails/bitcoin/joining.ts';
import { quoteAll, quoteAmount, readFeeBasis } from '../server/src/features/rails/bitcoin/quoting.ts';
import { createBitcoinRail, createChainListener } from '../server/src/features/rails/index.ts';
import { type Database, openDatabase } from '../server/src/platform/database/database.ts';
import { newId } from '../server/src/platform/ids.ts';
import { createLog } from '../server/src/platform/process/log.ts';
import { type BitcoinChain, createBitcoinChain } from '../server/src/testing/bitcoin/chain.ts';
import type { Line } from './report.ts';
import type { Stage } from './stage.ts';

/**
 * Bitcoin: the largest transaction that nodes forward, asked for by the worker and signed by the signer; blocks beside a wallet of many addresses and coins, and
 * quotes over its coins. The chain is in memory, so that what nodes and their bytes cost is not counted.
 */

export interface BitcoinSizes {
  addresses: number;
  coins: number;
  /** In a block; one in ten pays an address of ours. */
  transactions: number;
  rounds: number;
}

const chainId = 'bitcoin';
const depth = 2;
const unmeasured = 4;
const run = promisify(execFile);

export async function measureBitcoin(stage: Stage, sizes: BitcoinSizes): Promise<Line[]> {
  return [...(await measureLargest()), ...measureJoined(), ...(await measureWallet(stage, sizes))];
}

const waitingTogether = 50;

/** What payments that wait together cost in one transaction, to one by one: of a wallet with one coin for each, and with one for all. */
export function measureJoined(): Line[] {
  return [
    { what: 'a coin for each', coins: waitingTogether, amountMinor: 400_000n },
    { what: 'one coin', coins: 1, amountMinor: 20_000_000n },
  ].flatMap(({ what, coins: count, amountMinor }) => {
    const coins = Array.from({ length: count }, (_, index) => ({
      key: `${index.toString(16).padStart(64, '0')}:0`,
      amountMinor: amountMinor + BigInt(index),
      isConfirmed: true,
    }));
    const terms = { coins, feeRate: 10, longTermFeeRate: 2 };
    const outputs = (index: number) => [{ kind: 'p2wpkh', amountMinor: 100_000n + BigInt(index) * 1_000n }] as const;
    const alone = Array.from({ length: waitingTogether }, (_, index) => {
      const request = { ...terms, outputs: outputs(index), changeKind: 'p2wpkh', seed: `${index}` } as const;
      const found = selectCoins({ ...request, mode: 'rate' });
      if (isLacking(found)) throw new Error('each payment has its coins');
      return { id: `${index}`, payment: outputs(index)[0], promisedMinor: found.feeMinor, vsize: found.vsize };
    });
    const began = performance.now();
    const joint = joinPayments(alone, { ...terms, floorRate: 1 });
    const milliseconds = performance.now() - began;
    if (joint?.payments.length !== waitingTogether) throw new Error('all of them go out together');
    const [feeMinor, vsize] = [
      sumOf(alone.map(({ promisedMinor }) => promisedMinor)),
      sumOf(alone.map((one) => BigInt(one.vsize))),
    ];
    const detail = `${joint.selection.feeMinor} to ${feeMinor} satoshis, ${joint.selection.vsize} to ${vsize} virtual bytes, ${milliseconds.toFixed(0)} ms to choose`;
    const figure = Number(joint.selection.feeMinor) / Number(feeMinor);
    return [
      {
        what: `${waitingTogether} payments that wait together, to one by one: fee, ${what}`,
        goal: { atMost: 0.6 },
        figure,
        unit: '×',
        detail,
      },
    ];
  });
}

const sumOf = (all: readonly bigint[]) => all.reduce((sum, each) => sum + each, 0n);

interface Part {
  inputs: number;
  milliseconds: number;
  megabytes: number;
}

async function measureLargest(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [part, atMost] of [
    ['worker', 3000],
    ['signer', 3000],
  ] as const) {
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'bitcoin-signing.ts'), part]);
    const { inputs, milliseconds, megabytes }: Part = JSON.parse(stdout);
    const what = `a payment of ${inputs.toLocaleString('en')} coins, ${part}`;
    const detail = 'each coin at an address of its own';
    lines.push({ what, goal: { atMost }, figure: milliseconds, unit: 'ms of processor', detail });
    lines.push({
      what: `${what}, peak of memory`,
      goal: null,
      figure: megabytes,
      unit: 'MB',
      detail: 'of the whole process',
    });
  }
  return lines;
}

async function measureWallet(stage: Stage, { addresses, coins, transactions, rounds }: BitcoinSizes): Promise<Line[]> {
  const families = familiesByName([evmFamily, bitcoinFamily('regtest')]);
  const shared = { confirmations: depth, blockTimeMs: 600_000, nativeCoin: 'BTC', explorerUrl: null };
  await registerChains(stage.urlFor(), families, [
    ...stage.chains,
    { id: chainId, family: chainId, name: 'Bitcoin', ...shared },
  ]);
  const open = (role: string) => openDatabase(stage.urlFor(role), { poolSize: 8, applicationName: 'causeway-bench' });
  const [worker, app] = [open('causeway_worker'), open('causeway_app')];
  try {
    const chain = createBitcoinChain(chainId);
    chain.mine(depth + 1);
    await stage.admin.query(`insert into causeway.bitcoin_fee_rate (chain_id, economy, normal, urgent, minimum)
      values ('${chainId}', 2000, 10000, 20000, 1000)`);
    const small = await openWallet(stage, { addresses: 10, coins: 10 });
    const follow = follower(worker, chain);
    await follow();
    const alone = await timeBlocks(chain, follow, small, { transactions, rounds });
    const large = await openWallet(stage, { addresses, coins });
    await stage.admin.query('analyze');
    const beside = await timeBlocks(chain, follow, large, { transactions, rounds });
    const wallet = `${addresses.toLocaleString('en')} addresses, ${coins.toLocaleString('en')} coins`;
    const blocks: Line = {
      what: `a block of ${transactions.toLocaleString('en')} transactions, ${wallet}, to 10 and 10`,
      goal: { atMost: 1.3 },
      figure: median(beside) / median(alone),
      unit: '×',
      detail: `${median(alone).toFixed(0)} and ${median(beside).toFixed(0)} ms, ${transactions / 10} pay the wallet`,
    };
    return [blocks, ...(await timeQuotes(app, large.companyId, coins, rounds * 3))];
  } finally {
    await Promise.all([worker.close(), app.close()]);
  }
}

function follower(database: Database, chain: BitcoinChain): () => Promise<void> {
  const log = createLog('bench', 'silent');
  const account = HDKey.fromMasterSeed(Buffer.alloc(32, 7));
  const family = createBitcoinRail({ account, network: 'regtest' });
  const { gateway } = chain;
  const listener = createChainListener({
    familyOf: () => family,
    database,
    gateways: new Map([[chainId, gateway]]),
    log,
  });
  return () => watchOnce({ database, gateway, listener, log, startBlock: 0 });
}

interface Wallet {
  companyId: string;
  addresses: readonly string[];
}

/** Milliseconds of each block but the first ones, with which caches fill. */
async function timeBlocks(
  chain: BitcoinChain,
  follow: () => Promise<void>,
  { addresses }: Wallet,
  { transactions, rounds }: { transactions: number; rounds: number },
): Promise<number[]> {
  const times: number[] = [];
  let paid = 0;
  for (let round = 0; round < rounds + unmeasured; round += 1) {
    for (let index = 0; index < transactions; index += 1) {
      paid += 1;
      const own = index % 10 === 0 ? addresses[paid % addresses.length] : undefined;
      chain.fund([
        { address: own ?? `stranger ${paid}`, amountMinor: 10_000n },
        { address: `change ${paid}`, amountMinor: 10_000n },
      ]);
    }
    chain.mine();
    const began = performance.now();
    await follow();
    times.push(performance.now() - began);
  }
  return times.slice(unmeasured);
}

async function timeQuotes(app: Database, companyId: string, coins: number, rounds: number): Promise<Line[]> {
  const times: Record<'an amount of a hundred coins' | 'everything', number[]> = {
    'an amount of a hundred coins': [],
    everything: [],
  };
  for (let round = 0; round <= rounds; round += 1) {
    for (const what of ['an amount of a hundred coins', 'everything'] as const) {
      const began = performance.now();
      await app.withCompany(companyId, async (tx) => {
        const basis = await readFeeBasis(tx, companyId, chainId);
        if (basis === null) throw new Error('rates are published');
        const asked = { kind: 'p2wpkh', level: 'normal' } as const;
        const quote =
          what === 'everything' ? quoteAll(basis, asked) : quoteAmount(basis, { ...asked, amountMinor: 50_000_000n });
        if ('lacking' in quote) throw new Error('there are coins enough');
      });
      times[what].push(performance.now() - began);
    }
  }
  return Object.entries(times).map(([what, each]) => ({
    what: `a quote of ${what}, of ${coins.toLocaleString('en')} coins`,
    goal: { atMost: 200 },
    figure: median(each),
    unit: 'ms',
    detail: `${each.length} quotes, the slowest ${Math.max(...each).toFixed(0)} ms`,
  }));
}

/** As the worker opens it; its coins are in old blocks, and worth 100,000 to a million satoshis. */
async function openWallet(
  { admin }: Stage,
  { addresses, coins }: { addresses: number; coins: number },
): Promise<Wallet> {
  const [companyId, walletId] = [newId(), newId()];
  const name = createHash('sha256').update(companyId).digest('hex').slice(0, 20);
  const index = 2_000_000 + addresses;
  const statements: [string, unknown[]][] = [
    ['insert into causeway.company (company_id, name) values ($1, $2)', [companyId, `Bitcoin ${name}`]],
    [
      `insert into causeway.chain_address (company_id, chain_id, address, derivation_index) values ($1, '${chainId}', $2, $3)`,
      [companyId, `${name} 0`, index],
    ],
    [
      `insert into causeway.chain_further_address (company_id, chain_id, address, derivation_index)
       select $1, '${chainId}', $2 || ' ' || n, n from generate_series(1, $3::integer - 1) as n`,
      [companyId, name, addresses],
    ],
    [
      `insert into causeway.wallet (company_id, id, chain_id, asset_id) values ($1, $2, '${chainId}', 'BTC')`,
      [companyId, walletId],
    ],
    [
      `insert into causeway.ledger_account (company_id, id, owner_id, kind, asset_id, normal)
       select $1, gen_random_uuid(), $2, k.kind, 'BTC', k.normal from (values ('available', 'credit'), ('outbound', 'credit'),
         ('inbound', 'credit'), ('fee', 'credit'), ('chain', 'debit'), ('deficit', 'any'), ('fx', 'any')) as k (kind, normal)`,
      [companyId, walletId],
    ],
    [
      `insert into causeway.bitcoin_output (company_id, chain_id, hash, index, address, amount, is_change, block_number, block_hash)
       select $1, '${chainId}', encode(sha256(($2 || n)::bytea), 'hex'), 0, $2 || ' ' || n % $3::integer,
         100000 + (n::bigint * 7919) % 900000, false, 1, 'block' from generate_series(1, $4::integer) as n`,
      [companyId, name, addresses, coins],
    ],
  ];
  for (const [statement, values] of statements) await admin.query(statement, values);
  return { companyId, addresses: Array.from({ length: addresses }, (_, place) => `${name} ${place}`) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
