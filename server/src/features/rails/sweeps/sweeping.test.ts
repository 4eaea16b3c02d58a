import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, finishTransfer, newPayee, transactions } from '../../../testing/chain-transfers.ts';
import {
  balances,
  type ChainWorld,
  type Company,
  chainId,
  chainWorld,
  depth,
  walletOf,
} from '../../../testing/chain-world.ts';
import { findReceivingAddress } from '../../chains/index.ts';
import { sweepDue } from './jobs.ts';

/** What reaches further addresses of a company: credited to its wallet as ever, and moved to its account before it is paid from there. */

vi.setConfig({ testTimeout: 240_000 });

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld({ rpcTimeoutMs: 30_000 });
});
afterAll(() => world.close());

const held = (coin: 'USDT' | 'ETH', address: string) =>
  world.gateway.balance(
    coin === 'ETH' ? null : world.chain.treasury.contracts[coin],
    address as `0x${string}`,
    world.chain.engine.tip().height,
  );

interface Sweep {
  stage: string;
  amount: bigint;
}

/** The sweeps of a company, the oldest first. */
async function sweepsOf({ id }: Pick<Company, 'id'>): Promise<Sweep[]> {
  const { rows } = await world.db.worker.withCompany(id, (tx) =>
    sql<Sweep>`select stage, quantity as amount from transaction
      where company_id = company_id() and type = 'chain_sweep' order by created_at, id`.execute(tx),
  );
  return rows;
}

/** Blocks, reading, sweeps that are due, jobs and tending; both books agree after each. */
async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    await sweepDue(world.db.worker);
    await world.work();
    await world.tend();
    await world.advance(1);
    await expectBooksToAgree(world);
  }
}

async function paidApart(amount: string, coin: 'USDT' | 'ETH' = 'USDT'): Promise<Company & { apart: `0x${string}` }> {
  const company = await world.company();
  const apart = await world.openApart(company);
  await world.chain.treasury.send(coin, apart, amount);
  return { ...company, apart };
}

test.each([
  ['USDT', '25', 25_000_000n],
  ['ETH', '2', 2n * 10n ** 18n],
] as const)(
  '%s that reaches an address apart is credited at the chain’s depth and swept whole; the books agree at every block',
  async (coin, amount, minor) => {
    const company = await paidApart(amount, coin);
    await rounds(depth + 1);
    expect((await balances(world, company, coin))['available']).toBe(minor);
    await rounds(2 * depth + 4);
    expect(await sweepsOf(company)).toEqual([{ stage: 'completed', amount: minor }]);
    expect(await held(coin, company.address)).toBe(minor);
    if (coin === 'USDT') expect(await held(coin, company.apart)).toBe(0n);
    expect((await balances(world, company, coin))['available']).toBe(minor);
    // The company sees its deposit alone, and its own address is shown as before.
    expect((await transactions(world, company)).map(({ type, stage }) => `${type} ${stage}`)).toEqual([
      'chain_deposit credited',
    ]);
    const shown = await world.db.app.withCompany(company.id, (tx) => findReceivingAddress(tx, chainId));
    expect(shown).toBe(company.address);
    const { rows } = await world.db.worker.withCompany(company.id, (tx) => sql`select from chain_unswept`.execute(tx));
    expect(rows).toEqual([]);
  },
);

test('a payment that needs coins at an address apart has them swept, waits with that reason, and goes out', async () => {
  const company = await paidApart('30');
  await world.chain.treasury.send('USDT', company.address, '5');
  await world.advance(depth + 1);
  const payee = newPayee();
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 33_000_000n, payee });
  await world.work();
  const { rows } = await world.db.app.withCompany(company.id, (tx) =>
    sql<{ reason: string | null }>`select reason from transaction_stage
      where company_id = company_id() and transaction_id = ${id} order by id`.execute(tx),
  );
  expect(rows.at(-1)?.reason).toBe('stage.reason.sweptCoins');
  expect(await finishTransfer(world, company, id)).toMatchObject({ stage: 'completed' });
  expect(await held('USDT', payee)).toBe(33_000_000n);
  expect(await sweepsOf(company)).toEqual([{ stage: 'completed', amount: 30_000_000n }]);
  await expectBooksToAgree(world);
});

test('a payment that the account covers does not wait for what is elsewhere', async () => {
  const company = await paidApart('30');
  await world.chain.treasury.send('USDT', company.address, '50');
  await world.advance(depth + 1);
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 40_000_000n, payee: newPayee() });
  expect(await finishTransfer(world, company, id)).toMatchObject({ stage: 'completed' });
  expect(await sweepsOf(company)).toEqual([]);
  await expectBooksToAgree(world);
});

test('less than a deposit has to be stays where it is until a payment needs it', async () => {
  const company = await paidApart('0.5');
  await rounds(depth + 3);
  expect(await sweepsOf(company)).toEqual([]);
  await world.chain.treasury.send('USDT', company.address, '10');
  await world.advance(depth + 1);
  const id = await approvedTransfer(world, company, {
    coin: 'USDT',
    amountMinor: 10_200_000n,
    feeMinor: 100_000n,
    payee: newPayee(),
  });
  expect(await finishTransfer(world, company, id)).toMatchObject({ stage: 'completed' });
  expect(await sweepsOf(company)).toEqual([{ stage: 'completed', amount: 500_000n }]);
  await expectBooksToAgree(world);
});

test('nothing is swept out of a frozen wallet, nor of a coin that is switched off, nor while restore mode holds', async () => {
  const company = await paidApart('20');
  await world.advance(depth + 1);
  const wallet = walletOf(company, 'USDT');
  const wantNone = async (on: string, off: string) => {
    await world.asSuperuser(on);
    await sweepDue(world.db.worker);
    await world.asSuperuser(off);
    expect(await sweepsOf(company)).toEqual([]);
  };
  await wantNone(
    `update causeway.wallet set frozen_at = now(), frozen_reason = 'test' where id = '${wallet}'`,
    `update causeway.wallet set frozen_at = null, frozen_reason = null where id = '${wallet}'`,
  );
  await wantNone(
    `update causeway.chain_asset set withdrawals_paused = true where coin = 'USDT'`,
    `update causeway.chain_asset set withdrawals_paused = false where coin = 'USDT'`,
  );
  await wantNone(
    `insert into causeway.restore_mode (cause, reason, begun_by) values ('operator', 'test', 'test')`,
    `update causeway.restore_mode set released_at = now(), released_by = 'test', release_reason = 'test'`,
  );
  await sweepDue(world.db.worker);
  expect(await sweepsOf(company)).toHaveLength(1);
  await rounds(2 * depth + 4);
  expect(await sweepsOf(company)).toEqual([{ stage: 'completed', amount: 20_000_000n }]);
});

test('workers that sweep at once make one sweep, and what arrives meanwhile is swept next', async () => {
  const company = await paidApart('20');
  await world.advance(depth + 1);
  await Promise.all(Array.from({ length: 8 }, () => sweepDue(world.db.worker)));
  expect(await sweepsOf(company)).toEqual([{ stage: 'approved', amount: 20_000_000n }]);
  await world.chain.treasury.send('USDT', company.apart, '7');
  await rounds(4 * depth + 8);
  expect(await sweepsOf(company)).toEqual([
    { stage: 'completed', amount: 20_000_000n },
    { stage: 'completed', amount: 7_000_000n },
  ]);
  expect(await held('USDT', company.address)).toBe(27_000_000n);
  // The second used what the first had left of its advance.
  await expectBooksToAgree(world);
});

test('two companies, and two addresses of one, are swept apart from each other', async () => {
  const [one, two] = await Promise.all([paidApart('11'), paidApart('12')]);
  const second = await world.openApart(one);
  expect(new Set([one.apart, second, two.apart, one.address, two.address]).size).toBe(5);
  await world.chain.treasury.send('USDT', second, '13');
  await rounds(4 * depth + 4);
  expect((await sweepsOf(one)).map(({ amount }) => amount).sort()).toEqual([11_000_000n, 13_000_000n]);
  expect(await held('USDT', one.address)).toBe(24_000_000n);
  expect(await held('USDT', two.address)).toBe(12_000_000n);
});
