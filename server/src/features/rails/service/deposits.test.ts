import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainWorld, depth } from '../../../testing/chain-world.ts';

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';
const freshPayee = '0x0000000000000000000000000000000000005e7b';

async function deposited(coin: 'USDT' | 'USDC', amount: string): Promise<Company> {
  const company = await world.company();
  await world.chain.treasury.send(coin, company.address, amount);
  await world.advance(1);
  return company;
}

/** Forgets what the watcher has read, as a backup of it would. */
async function rewind(blocks: number): Promise<void> {
  await world.db.worker.withoutCompany(async (tx) => {
    await sql`delete from chain_block where height > (select height from chain_cursor) - ${blocks}`.execute(tx);
    await sql`update chain_cursor c set height = b.height, hash = b.hash
      from chain_block b where b.height = c.height - ${blocks}`.execute(tx);
  });
}

describe('a deposit', () => {
  test('is inbound when seen, rises by confirmations, and is available at the depth', async () => {
    const company = await deposited('USDT', '250.5');
    expect(await balances(world, company, 'USDT')).toEqual({ inbound: 250_500_000n, chain: -250_500_000n });
    await expectBooksToAgree(world);
    await world.advance(depth - 1);
    expect(await transactions(world, company)).toMatchObject([
      { type: 'chain_deposit', status: 'pending', stage: 'confirming', confirmations: depth - 1 },
    ]);
    await world.advance(1);
    expect(await balances(world, company, 'USDT')).toEqual({ available: 250_500_000n, chain: -250_500_000n });
    expect(await transactions(world, company)).toMatchObject([{ status: 'completed', stage: 'credited' }]);
    await expectBooksToAgree(world);
  });

  test('of a time when nobody watched is credited, even if more blocks have passed than are remembered', async () => {
    const company = await deposited('USDT', '100');
    await world.advance(depth);
    const sent = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
    await world.work();
    await world.advance(1);
    await world.work();
    await world.chain.treasury.send('USDT', company.address, '5');
    for (const blocks of [10, 400, 300]) await world.chain.engine.mine(blocks);
    await world.follow();
    await world.work();
    await world.advance(1);
    expect(await balances(world, company, 'USDT')).toMatchObject({ available: 84_000_000n });
    const seen = await transactions(world, company);
    expect(seen.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(seen.find(({ id }) => id === sent)).toMatchObject({ stage: 'completed' });
    await expectBooksToAgree(world);
  });

  test('counts once, however often its blocks are read', async () => {
    const company = await deposited('USDT', '7');
    await rewind(1);
    await world.follow();
    await world.advance(depth);
    await rewind(depth + 1);
    await world.follow();
    expect(await transactions(world, company)).toHaveLength(1);
    expect(await balances(world, company, 'USDT')).toMatchObject({ available: 7_000_000n });
  });

  test('below the minimum is credited all the same, one of nothing is none', async () => {
    const company = await deposited('USDT', '0.000001');
    await world.chain.treasury.send('USDC', company.address, '0');
    await world.advance(depth);
    expect(await balances(world, company, 'USDT')).toMatchObject({ available: 1n });
    expect(await transactions(world, company)).toHaveLength(1);
  });

  test('of a token that only calls itself USDT is ignored', async () => {
    const company = await world.company();
    await world.chain.treasury.send('FAKE', company.address, '1000');
    await world.advance(depth + 1);
    expect(await transactions(world, company)).toEqual([]);
  });

  test('of ETH counts whether a person or a contract sent it', async () => {
    const company = await world.company();
    await world.chain.treasury.send('ETH', company.address, '0.25');
    await world.chain.treasury.send('ETH', company.address, '0.5', true);
    await world.advance(depth + 1);
    expect(await balances(world, company, 'ETH')).toMatchObject({ available: 750_000_000_000_000_000n });
    await expectBooksToAgree(world);
  });

  test('several in one block, to several companies and twice to the same, all count', async () => {
    const [one, two] = [await world.company(), await world.company()];
    for (const to of [one, two, one]) await world.chain.treasury.send('HKDT', to.address, '5');
    await world.advance(depth + 1);
    expect(await balances(world, one, 'HKDT')).toMatchObject({ available: 10_000_000n });
    expect(await balances(world, two, 'HKDT')).toMatchObject({ available: 5_000_000n });
    await expectBooksToAgree(world);
  });
});

describe('a reorganisation', () => {
  test('that keeps the deposit moves it to its new block, and it is credited once', async () => {
    const company = await deposited('USDT', '40');
    await world.advance(1);
    await world.chain.engine.reorganise(2, true);
    await world.follow();
    expect(await balances(world, company, 'USDT')).toEqual({ inbound: 40_000_000n, chain: -40_000_000n });
    await world.advance(depth);
    expect(await transactions(world, company)).toMatchObject([{ stage: 'credited' }]);
    expect(await balances(world, company, 'USDT')).toEqual({ available: 40_000_000n, chain: -40_000_000n });
    await expectBooksToAgree(world);
  });

  test('before the credit removes the deposit; sent again, it is credited once', async () => {
    const company = await deposited('USDT', '30');
    await world.chain.engine.reorganise(1, false);
    await world.follow();
    expect(await balances(world, company, 'USDT')).toEqual({});
    expect(await transactions(world, company)).toMatchObject([{ status: 'failed', stage: 'orphaned' }]);
    await world.chain.treasury.send('USDT', company.address, '30');
    await world.advance(depth + 1);
    expect((await transactions(world, company)).map((row) => row.stage)).toEqual(['orphaned', 'credited']);
    expect(await balances(world, company, 'USDT')).toMatchObject({ available: 30_000_000n });
    await expectBooksToAgree(world);
  });

  test('after the credit reverses it', async () => {
    const company = await deposited('USDT', '60');
    await world.advance(depth);
    expect(await balances(world, company, 'USDT')).toMatchObject({ available: 60_000_000n });
    await world.chain.engine.reorganise(depth + 1, false);
    await world.follow();
    expect(await balances(world, company, 'USDT')).toEqual({});
    expect(await transactions(world, company)).toMatchObject([
      { status: 'failed', stage: 'reversed', failureReason: 'stage.reason.reversed' },
    ]);
    await expectBooksToAgree(world);
  });

  test('after the credit was spent leaves a deficit, freezes the wallet, and ends even', async () => {
    const company = await deposited('USDT', '101');
    await world.advance(depth);
    const before = world.chain.engine.tip().height;
    await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 100_000_000n, payee });
    await world.work();
    await world.advance(depth + 2);
    expect(await transactions(world, company)).toMatchObject([{ stage: 'credited' }, { stage: 'completed' }]);
    await expectBooksToAgree(world);

    await world.chain.engine.reorganise(world.chain.engine.tip().height - before + depth + 1, false);
    await world.follow();
    expect(await balances(world, company, 'USDT')).toEqual({ outbound: 101_000_000n, deficit: -101_000_000n });
    const frozen = await world.db.app.withCompany(company.id, (tx) =>
      sql`select from wallet where company_id = company_id() and frozen_at is not null`.execute(tx),
    );
    expect(frozen.rows).toHaveLength(1);
    await expectBooksToAgree(world);

    // The advance and the payment are offered again; without the deposit the payment fails on the chain.
    await world.tend();
    await world.advance(1);
    await world.tend();
    await world.advance(depth + 2);
    expect((await transactions(world, company)).map((row) => row.stage)).toEqual(['reversed', 'failed', 'refunded']);
    expect(await balances(world, company, 'USDT')).toEqual({});
    await expectBooksToAgree(world);
  });

  test('leaves a signed payment of the chain’s own coin waiting, which goes out when as much arrives again', async () => {
    const company = await world.company();
    await world.chain.treasury.send('ETH', company.address, '0.5');
    await world.advance(depth + 1);
    const before = world.chain.engine.tip().height;
    const options = { coin: 'ETH', amountMinor: 4n * 10n ** 17n, feeMinor: 10n ** 15n, payee: freshPayee };
    const first = await approvedTransfer(world, company, options);
    const second = await approvedTransfer(world, company, { ...options, amountMinor: 10n ** 16n });
    await world.work();
    await world.advance(1);
    // The advance for the network fee is there, both payments are signed and in no block: deposit and advance go.
    await world.chain.engine.reorganise(world.chain.engine.tip().height - before + depth + 1, false);
    await world.follow();
    await world.tend();
    await world.advance(depth + 2);
    const stages = async () => {
      const seen = await transactions(world, company);
      return [first, second].map((id) => seen.find((row) => row.id === id)?.stage);
    };
    expect(await stages()).toEqual(['broadcast', 'broadcast']);
    expect(await world.chain.treasury.balance('ETH', freshPayee)).toBe('0');

    await world.chain.treasury.send('ETH', company.address, '0.5');
    await world.advance(1);
    await world.tend();
    await world.advance(depth + 2);
    expect(await stages()).toEqual(['completed', 'completed']);
    expect(await world.chain.treasury.balance('ETH', freshPayee)).toBe('0.41');
    await expectBooksToAgree(world);
  });
});
