import { cancellableStages } from '@causeway/contract/transactions-lives.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as asked from '../../../testing/asked-signer.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { executedExchange } from '../../../testing/chain-exchanges.ts';
import { approvedTransfer, fundedCompany, newPayee } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainWorld, depth, walletOf } from '../../../testing/chain-world.ts';
import { dying, dyingDatabase, Killed, killRounds } from '../../../testing/dying.ts';
import { isProof } from '../../../testing/proof.ts';
import { type EvmGateway, type Signer, watchOnce } from '../../chains/index.ts';
import { release } from '../../outgoing/service/release.ts';
import { lockTransaction } from '../../transactions/index.ts';
import { evmFamily } from '../evm/family.ts';
import { createChainListener } from '../service/following.ts';
import { settleWallet } from './making.ts';

/** Settlements whose worker dies, whose blocks vanish, and whose database goes back: each leg is settled once. */

vi.setConfig({ testTimeout: 240_000 * Math.min(killRounds, 8) });

/** Each has companies of its own. */
const everyRound = Array.from({ length: killRounds }, (_, index) => index + 1);

let world: ChainWorld;
beforeAll(async () => {
  // Nodes that are slow on a busy machine are not what is looked at.
  world = await chainWorld({ rpcTimeoutMs: 30_000 });
  await world.chain.treasury.send('USDC', world.treasury, '100000');
  await world.chain.treasury.send('ETH', world.treasury, '5');
  await world.advance(depth + 1);
});
afterAll(() => world.close());

const soldMinor = 20_000_000n;
const boughtMinor = 19_000_000n;
type Direction = 'in' | 'out';
const coinOf = { in: 'USDC', out: 'USDT' } as const;

async function exchanged(): Promise<Company> {
  const company = await world.company();
  await world.chain.treasury.send('USDT', company.address, '50');
  return company;
}
const exchange = (company: Company) =>
  executedExchange(world, company, { sell: 'USDT', soldMinor, buy: 'USDC', boughtMinor });
const settle = (company: Company, direction: Direction, database = world.db.worker) =>
  database.withCompany(company.id, (tx) => settleWallet(tx, walletOf(company, coinOf[direction]), 'nightly'));

const held = (coin: 'USDT' | 'USDC', address: string) =>
  world.gateway.balance(world.chain.treasury.contracts[coin], address, world.chain.engine.tip().height);

interface Settled {
  id: string;
  stage: string | null;
  sent: number;
  signed: number;
}
async function settledIn(company: Company, direction: Direction): Promise<Settled[]> {
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<Settled>`
      select s.id, t.stage,
        (select count(distinct payment_id) from chain_send c where c.company_id = s.company_id and c.transfer_id = s.id
          and c.kind = 'transfer')::int as sent,
        (select count(*) from signer_journal j where j.transfer_id = s.id and j.kind = 'transfer')::int as signed
      from settlement s left join transaction t on t.company_id = s.company_id and t.id = s.id
      where s.company_id = company_id() and s.wallet_id = ${walletOf(company, coinOf[direction])}`.execute(tx),
  );
  return rows;
}

/** Blocks, reading, jobs and tending, as often as it takes. */
async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    await world.tend();
    await world.advance(1);
  }
}

async function expectSettledOnce(company: Company, direction: Direction, name: string): Promise<void> {
  expect(await settledIn(company, direction), name).toEqual([
    { id: expect.any(String), stage: 'completed', sent: 1, signed: 1 },
  ]);
  const left = { in: boughtMinor, out: 50_000_000n - soldMinor }[direction];
  expect(await held(coinOf[direction], company.address), name).toBe(left);
  expect((await balances(world, company, coinOf[direction]))['fx'], name).toBeUndefined();
}

const steps: readonly [part: 'gateway' | 'signer', method: string][] = [
  ['gateway', 'balance'],
  ['gateway', 'estimateGas'],
  ['gateway', 'fees'],
  ['signer', 'sign'],
  ['gateway', 'broadcast'],
];
const moments = steps.flatMap(([part, method]) =>
  (['before', 'after'] as const).map((moment) => ({ part, method, moment })),
);

describe('a worker that is killed', () => {
  // A company's first payment has its network fee advanced before it is sent; the treasury has its own here.
  test.each([
    ['in', 'payment'] as const,
    ...(isProof
      ? ([
          ['out', 'advance'],
          ['out', 'payment'],
        ] as const)
      : []),
  ])(
    `at any step of a settlement %s (%s) settles nothing twice, ${killRounds} times each`,
    async (direction, round) => {
      const own = moments.filter(({ method }) => direction === 'in' || method !== 'balance');
      const runs: ((typeof own)[number] & { company: Company })[] = [];
      for (let left = killRounds; left > 0; left -= 1) {
        runs.push(...(await Promise.all(own.map(async (moment) => ({ ...moment, company: await exchanged() })))));
      }
      await world.advance(depth + 1);
      const before = await held(coinOf[direction], world.treasury);
      for (const { part, method, moment, company } of runs) {
        await exchange(company);
        await settle(company, direction);
        if (round === 'payment' && direction === 'out') {
          await world.work();
          await world.chain.engine.mine(1);
          await world.follow();
        }
        const broken =
          part === 'gateway'
            ? { gateway: dying<EvmGateway>(world.gateway, method as keyof EvmGateway, moment) }
            : { signer: dying<Signer>(world.signer, 'sign', moment) };
        await expect(world.work(broken), `${moment} ${method}`).rejects.toThrow(Killed);
        if (method === 'sign') await world.tend();
      }
      await rounds(2 * depth + 4);
      for (const { method, moment, company } of runs) {
        await expectSettledOnce(company, direction, `${moment} ${method}`);
      }
      const moved = BigInt(runs.length) * { in: -boughtMinor, out: soldMinor }[direction];
      expect((await held(coinOf[direction], world.treasury)) - before).toBe(moved);
      await expectBooksToAgree(world);
    },
  );

  test.each(everyRound)(
    'while it makes a settlement, or writes that it is in a block, or final, settles nothing twice (round %i)',
    async () => {
      const following = (database: typeof world.db.worker) => {
        const { gateways, log } = world.parts();
        const listener = createChainListener({ familyOf: () => evmFamily, database, gateways, log });
        return watchOnce({ database, gateway: world.gateway, listener, log });
      };
      const points = ['before commit', 'after commit'] as const;
      const companies = await Promise.all(points.map(() => exchanged()));
      await world.advance(depth + 1);
      for (const [index, company] of companies.entries()) {
        await exchange(company);
        const moment = points[index] ?? 'before commit';
        await expect(settle(company, 'in', dyingDatabase(world.db.worker, 1, moment))).rejects.toThrow(Killed);
        await settle(company, 'in');
        await world.work();
      }
      for (let block = 0; block <= depth; block += 1) {
        await world.chain.engine.mine(1);
        // Dies at each of the transactions in which it follows the chain, until none is left.
        for (let transactions = 1; transactions < 60; transactions += 1) {
          for (const moment of points) {
            const done = await following(dyingDatabase(world.db.worker, transactions, moment)).then(
              () => true,
              (error: unknown) => {
                if (!(error instanceof Killed)) throw error;
                return false;
              },
            );
            if (done) transactions = 60;
          }
        }
        await world.follow();
        await world.work();
      }
      await rounds(2);
      for (const company of companies) await expectSettledOnce(company, 'in', 'following');
      await expectBooksToAgree(world);
    },
  );
});

test('a settlement whose block vanishes after it was final is taken back, and made good by the same bytes', async () => {
  const company = await exchanged();
  await world.advance(depth + 1);
  await exchange(company);
  await settle(company, 'in');
  await settle(company, 'out');
  await rounds(2 * depth + 4);
  await expectSettledOnce(company, 'in', 'before');
  await expectSettledOnce(company, 'out', 'before');
  await world.chain.engine.reorganise(2 * depth + 4, false);
  await world.follow();
  expect((await balances(world, company, 'USDC'))['fx']).toBe(-boughtMinor);
  expect((await balances(world, company, 'USDT'))['fx']).toBe(soldMinor);
  await expectBooksToAgree(world);
  await rounds(3 * depth);
  await expectSettledOnce(company, 'in', 'after');
  await expectSettledOnce(company, 'out', 'after');
  await expectBooksToAgree(world);
});

test('settlements that a restored database has lost are found in the signer’s journal and not made again', async () => {
  const [mined, unsent] = await Promise.all([exchanged(), exchanged()]);
  await world.advance(depth + 1);
  for (const company of [mined, unsent]) await exchange(company);
  await world.backUp('settlements');
  const before = await held('USDC', world.treasury);
  await settle(mined, 'in');
  await world.work();
  await world.advance(1);
  await settle(unsent, 'in');
  await expect(world.work({ gateway: dying<EvmGateway>(world.gateway, 'broadcast', 'before') })).rejects.toThrow(
    Killed,
  );
  await world.stopSigner();
  await world.restore('settlements');
  await world.startSigner();
  expect(await settle(mined, 'in')).toBe('forbidden');
  await world.follow();
  await rounds(depth + 2);
  await asked.releaseRestoreMode(world);
  for (const company of [mined, unsent]) expect(await settle(company, 'in')).toBe('nothing');
  await rounds(2 * depth + 4);
  for (const company of [mined, unsent]) await expectSettledOnce(company, 'in', 'restored');
  expect(before - (await held('USDC', world.treasury))).toBe(2n * boughtMinor);
  await expectBooksToAgree(world);
});

test('a payment that waits for exchanged coins can be cancelled; the settlement stays for the next one', async () => {
  const company = await fundedCompany(world, '50');
  await executedExchange(world, company, { sell: 'USDT', soldMinor, buy: 'HKDT', boughtMinor });
  const payee = newPayee();
  const id = await approvedTransfer(world, company, { coin: 'HKDT', amountMinor: 5_000_000n, payee });
  await world.work();
  const timeline = await world.db.worker.withCompany(company.id, async (tx) => {
    const transfer = await lockTransaction(tx, id);
    if (!transfer) throw new Error('the transfer is there');
    expect(transfer.stage).toBe('approved');
    const end = { stage: 'cancelled', reason: 'stage.reason.cancelled' } as const;
    expect(await release(tx, transfer, cancellableStages('chain_withdraw'), end)).not.toBeNull();
    return sql<{ reason: string | null }>`select reason from transaction_stage
      where company_id = company_id() and transaction_id = ${id} order by id`.execute(tx);
  });
  expect(timeline.rows.map(({ reason }) => reason)).toEqual([
    null,
    null,
    'stage.reason.exchangedCoins',
    'stage.reason.cancelled',
  ]);
  await world.chain.treasury.send('HKDT', world.treasury, '100');
  await rounds(3 * depth + 4);
  const { HKDT } = world.chain.treasury.contracts;
  const { height } = world.chain.engine.tip();
  expect(await world.gateway.balance(HKDT, payee, height)).toBe(0n);
  expect(await world.gateway.balance(HKDT, company.address, height)).toBe(boughtMinor);
  await expectBooksToAgree(world);
});
