import { afterAll, beforeAll, expect, test } from 'vitest';
import { spendableOutputs } from '../features/rails/bitcoin/store/outputs.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';

let world: BitcoinWorld;
beforeAll(async () => {
  world = await bitcoinWorld();
});
afterAll(() => world.close());

test('a miner’s reward is credited, and spent, once the network lets it be spent', async () => {
  const company = await world.company({ isFunded: false });
  const [address = ''] = company.addresses;
  const spendable = async () => {
    const coins = await world.db.worker.withoutCompany((tx) => spendableOutputs(tx, company.id, bitcoin.id));
    return coins.map(({ amountMinor }) => amountMinor);
  };
  world.chain.reward = { address, amountMinor: 50_000n };
  await world.advance(bitcoin.confirmations + 1);
  expect(await world.balances(company)).toMatchObject({ inbound: 50_000n, available: 0n });
  world.chain.mine(99 - bitcoin.confirmations);
  await world.follow();
  expect(await world.balances(company)).toMatchObject({ inbound: 50_000n, available: 0n });
  expect(await spendable()).toEqual([]);
  await world.expectBooks();
  await world.advance(1);
  expect(await world.balances(company)).toMatchObject({ inbound: 0n, available: 50_000n });
  expect(await spendable()).toEqual([50_000n]);
  await world.expectBooks();
});
