import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvedTransfer, timeline, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, chainWorld, depth } from '../../../testing/chain-world.ts';

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';

describe('money in, money out', () => {
  test('a deposit is inbound when seen, available at its depth, and goes out to the last unit', async () => {
    const company = await world.company();
    await world.chain.treasury.send('USDT', company.address, '250.5');
    await world.advance(1);
    expect(await balances(world, company, 'USDT')).toEqual({ inbound: 250_500_000n, chain: -250_500_000n });
    await world.advance(depth - 1);
    expect(await transactions(world, company)).toMatchObject([
      { type: 'chain_deposit', status: 'pending', stage: 'confirming', confirmations: depth - 1 },
    ]);
    await world.advance(1);
    expect(await balances(world, company, 'USDT')).toEqual({ available: 250_500_000n, chain: -250_500_000n });

    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 100_000_000n, payee });
    await world.work();
    await world.advance(2 + depth);
    expect((await transactions(world, company)).at(-1)).toMatchObject({ status: 'completed', stage: 'completed' });
    expect(await timeline(world, company, id)).toEqual([
      'submitted',
      'approved',
      'signing',
      'broadcast',
      'confirming',
      'completed',
    ]);
    expect(await world.chain.treasury.balance('USDT', payee)).toBe('100');
    expect(await balances(world, company, 'USDT')).toEqual({
      available: 149_500_000n,
      fee: 1_000_000n,
      chain: -150_500_000n,
    });
    expect(await world.chain.treasury.balance('USDT', company.address)).toBe('150.5');
  });
});
