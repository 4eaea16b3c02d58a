import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as asked from '../../../testing/asked-signer.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import {
  balances,
  type ChainWorld,
  type Company,
  chainId,
  chainWorld,
  depth,
  walletOf,
} from '../../../testing/chain-world.ts';
import { dying, dyingDatabase, Killed } from '../../../testing/dying.ts';
import { payOutsideApart } from '../../../testing/outside-payments.ts';
import { isProof } from '../../../testing/proof.ts';
import { type EvmGateway, type Signer, watchOnce } from '../../chains/index.ts';
import { evmFamily } from '../evm/family.ts';
import { createSweeper } from '../evm/sweeping-balances.ts';
import { createChainListener } from '../service/following.ts';
import { sweepDue } from './jobs.ts';
import { sweepWallet } from './making.ts';

/** Sweeps whose worker dies, whose blocks vanish, and whose database goes back: what reached an address moves once. */

vi.setConfig({ testTimeout: 400_000 });

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld({ rpcTimeoutMs: 30_000 });
});
afterAll(() => world.close());

type Apart = Company & { apart: `0x${string}` };
type Coin = 'USDT' | 'ETH';
const minorOf = { USDT: 25_000_000n, ETH: 2n * 10n ** 18n };

async function paidApart(coin: Coin = 'USDT'): Promise<Apart> {
  const company = await world.company();
  const apart = await world.openApart(company);
  await world.chain.treasury.send(coin, apart, coin === 'USDT' ? '25' : '2');
  return { ...company, apart };
}

const held = (coin: Coin, address: string) =>
  world.gateway.balance(
    coin === 'ETH' ? null : world.chain.treasury.contracts.USDT,
    address as `0x${string}`,
    world.chain.engine.tip().height,
  );

async function stagesOf({ id }: Pick<Company, 'id'>): Promise<string[]> {
  const { rows } = await world.db.worker.withCompany(id, (tx) =>
    sql<{ stage: string }>`select stage from transaction
      where company_id = company_id() and type = 'chain_sweep' order by created_at, id`.execute(tx),
  );
  return rows.map(({ stage }) => stage);
}

async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    await world.tend();
    await world.advance(1);
  }
}

async function expectSweptOnce(company: Apart, name: string, coin: Coin = 'USDT'): Promise<void> {
  expect(await stagesOf(company), name).toEqual(['completed']);
  expect(await held(coin, company.address), name).toBe(minorOf[coin]);
  expect((await balances(world, company, coin))['available'], name).toBe(minorOf[coin]);
}

const steps: readonly [part: 'gateway' | 'signer', method: string][] = [
  ['gateway', 'estimateGas'],
  ['gateway', 'fees'],
  ['signer', 'sign'],
  ['gateway', 'broadcast'],
];
const moments = steps.flatMap(([part, method]) =>
  (['before', 'after'] as const).map((moment) => ({ part, method, moment })),
);

describe('a worker that is killed', () => {
  test.each(isProof ? (['advance', 'payment'] as const) : (['payment'] as const))(
    'at any step of a sweep’s %s moves nothing twice',
    async (round) => {
      const runs = await Promise.all(moments.map(async (moment) => ({ ...moment, company: await paidApart() })));
      await world.advance(depth + 1);
      for (const { part, method, moment, company } of runs) {
        await world.db.worker.withCompany(company.id, (tx) => sweepWallet(tx, walletOf(company, 'USDT')));
        if (round === 'payment') {
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
      await rounds(2 * depth + 6);
      for (const { method, moment, company } of runs) await expectSweptOnce(company, `${moment} ${method}`);
      await expectBooksToAgree(world);
    },
  );

  test('while it credits, makes a sweep, or writes that it is in a block, or final, moves nothing twice', async () => {
    const points = ['before commit', 'after commit'] as const;
    const following = (database: typeof world.db.worker) => {
      const { gateways, log } = world.parts();
      const listener = createChainListener({ familyOf: () => evmFamily, database, gateways, log });
      return watchOnce({ database, gateway: world.gateway, listener, log });
    };
    /** Dies at each of the transactions of some work, until none is left. */
    const dyingAtEach = async (work: (database: typeof world.db.worker) => Promise<unknown>) => {
      for (let transactions = 1; transactions < 60; transactions += 1) {
        for (const moment of points) {
          const done = await work(dyingDatabase(world.db.worker, transactions, moment)).then(
            () => true,
            (error: unknown) => {
              if (!(error instanceof Killed)) throw error;
              return false;
            },
          );
          if (done) transactions = 60;
        }
      }
    };
    const company = await paidApart();
    for (let block = 0; block <= 3 * depth + 2; block += 1) {
      await world.chain.engine.mine(1);
      await dyingAtEach(following);
      await world.follow();
      await dyingAtEach(sweepDue);
      await sweepDue(world.db.worker);
      await world.work();
    }
    await rounds(depth);
    await expectSweptOnce(company, 'following');
    await expectBooksToAgree(world);
  });
});

test.each(['USDT', 'ETH'] as const)(
  'a sweep of %s whose blocks vanish after it was final is taken back with its deposit, and made good; the gas of both addresses stays right',
  async (coin) => {
    const company = await paidApart(coin);
    await world.advance(depth + 1);
    await sweepDue(world.db.worker);
    await rounds(2 * depth + 4);
    await expectSweptOnce(company, 'before', coin);
    // The blocks of advance and sweep, not that of the deposit.
    await world.chain.engine.reorganise(2 * depth + 4, false);
    await world.follow();
    expect((await stagesOf(company))[0]).not.toBe('completed');
    await expectBooksToAgree(world);
    await rounds(3 * depth + 2);
    await expectSweptOnce(company, 'after', coin);
    await expectBooksToAgree(world);
    // No balance is left that neither blocks nor payments explain, at either address.
    const sweeper = createSweeper(world.parts(), chainId);
    while (!(await sweeper.step()));
    const { rows } = await world.db.worker.withoutCompany((tx) =>
      sql<{ address: string; wei: bigint }>`select address, wei from chain_balance
        where chain_id = ${chainId} and address = any (${[company.apart, company.address]}::text[])`.execute(tx),
    );
    for (const { address, wei } of rows) expect(wei).toBe(await held('ETH', address));
    expect(rows).toHaveLength(2);
    const { rows: gas } = await world.db.worker.withCompany(company.id, (tx) =>
      sql<{ gas: bigint }>`select gas from chain_further_address where company_id = company_id()`.execute(tx),
    );
    expect(gas[0]?.gas).toBe(await held('ETH', company.apart));
  },
);

test('a deposit that vanishes for good before its sweep is sent ends the sweep, and nothing is owed', async () => {
  const company = await paidApart();
  await world.advance(depth + 1);
  await sweepDue(world.db.worker);
  await world.chain.engine.reorganise(depth + 1, false);
  await world.follow();
  await rounds(2 * depth + 4);
  expect(await stagesOf(company)).toEqual(['failed']);
  expect(await balances(world, company, 'USDT')).toEqual({});
  await expectBooksToAgree(world);
});

test('sweeps that a restored database has lost are found in the signer’s journal and not made again', async () => {
  const [mined, unsent] = await Promise.all([paidApart(), paidApart()]);
  await world.advance(depth + 1);
  await world.backUp('sweeps');
  // The second waits with its advance until the first is in a block.
  await world.db.worker.withCompany(mined.id, (tx) => sweepWallet(tx, walletOf(mined, 'USDT')));
  await rounds(3);
  await world.db.worker.withCompany(unsent.id, (tx) => sweepWallet(tx, walletOf(unsent, 'USDT')));
  await world.work();
  await world.chain.engine.mine(1);
  await world.follow();
  await expect(world.work({ gateway: dying<EvmGateway>(world.gateway, 'broadcast', 'before') })).rejects.toThrow(
    Killed,
  );
  const lost = await world.openApart(mined);
  await world.stopSigner();
  await world.restore('sweeps');
  await world.startSigner();
  await world.follow();
  await rounds(depth + 2);
  expect(await held('USDT', mined.address)).toBe(minorOf.USDT);
  await asked.releaseRestoreMode(world);
  await sweepDue(world.db.worker);
  await rounds(2 * depth + 4);
  for (const company of [mined, unsent]) await expectSweptOnce(company, 'restored');
  await expectBooksToAgree(world);
  // No address is given out twice.
  expect(await world.openApart(mined)).not.toBe(lost);
});

test('coins that leave an address apart for the account by no payment of ours hold that address and no other, and cost no coins in the books', async () => {
  const company = await paidApart();
  await world.chain.treasury.send('ETH', company.apart, '1');
  await world.advance(depth + 1);
  const { address: payee } = company;
  await payOutsideApart(world, company, company.apart, { payee, amountMinor: minorOf.USDT });
  await world.advance(1);
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ address: string }>`select address from sender_hold where company_id = company_id()`.execute(tx),
  );
  expect(rows).toEqual([{ address: company.apart }]);
  // What it moved is in the wallet before and after.
  expect((await balances(world, company, 'USDT'))['available']).toBe(minorOf.USDT);
  await world.asSuperuser(`update causeway.unexplained_payment set decision = 'book', reason = 'test', decided_by = 'test', decided_at = now()
    where company_id = '${company.id}'`);
  await rounds(2 * depth + 2);
  expect((await balances(world, company, 'USDT'))['available']).toBe(minorOf.USDT);
  await expectBooksToAgree(world);
});
