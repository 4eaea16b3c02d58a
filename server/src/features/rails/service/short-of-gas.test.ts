import { encodeAbiParameters, keccak256, numberToHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, fundedCompany, newPayee, sendsOf, transactions } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld, depth } from '../../../testing/chain-world.ts';

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

/** Sets what the token's contract says the company holds: the first mapping of OpenZeppelin's ERC20. */
async function setTokens(company: Company, amountMinor: bigint): Promise<void> {
  const key = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [company.address, 0n]));
  const value = numberToHex(amountMinor, { size: 32 });
  await world.chain.engine.set('anvil_setStorageAt', [world.chain.treasury.contracts.USDT, key, value]);
}

/** One block at this base fee, in wei per gas, which the next one lowers again. */
async function mine(baseFeeWei: bigint): Promise<void> {
  await world.chain.engine.set('anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFeeWei)]);
  await world.chain.engine.mine(1);
  await world.follow();
  await world.work();
}

const [cheapWei, dearWei] = [500_000_000n, 800_000_000n];

/** A transfer that reverts, since the chain has its sender's coins elsewhere for a block; half as dear as one that is carried out. */
async function reverting(company: Company, payee: string): Promise<string> {
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
  await world.work();
  for (let left = 3; left > 0 && (await kindsOf([id])).at(-1) !== 'transfer'; left -= 1) await mine(cheapWei);
  await setTokens(company, 0n);
  await mine(cheapWei);
  await setTokens(company, 200_000_000n);
  for (let left = depth; left > 0; left -= 1) await mine(cheapWei);
  return id;
}

async function kindsOf(ids: readonly string[]): Promise<string[]> {
  return (await Promise.all(ids.map((id) => sendsOf(world, id)))).flat().map(({ kind }) => kind);
}

async function stages(company: Company): Promise<string[]> {
  const all = await transactions(world, company);
  return all.filter(({ type }) => type === 'chain_withdraw').map(({ stage }) => stage);
}

test('payments that cost more after a deep reorganisation leave too little gas for the last, which the gas tank advances', async () => {
  const company = await fundedCompany(world, '200');
  const payee = newPayee();
  const start = await world.gateway.head();
  await mine(cheapWei);
  const ids: string[] = [];
  for (let left = 3; left > 0; left -= 1) ids.push(await reverting(company, payee));
  expect(await stages(company)).toEqual(['failed', 'failed', 'failed']);
  expect(await kindsOf(ids)).toEqual(['gas', 'transfer', 'transfer', 'transfer']);

  await world.chain.engine.reorganise((await world.gateway.head()) - start, false);
  await world.follow();
  const goOn = async (stuckAfterMs: number) => {
    await world.tend({ stuckAfterMs });
    await mine(dearWei);
  };
  const completed = async () => (await stages(company)).filter((stage) => stage === 'completed').length;
  for (let left = 4 * depth; left > 0 && (await completed()) < 2; left -= 1) await goOn(3_600_000);
  await goOn(3_600_000);
  expect(await stages(company)).toEqual(['completed', 'completed', 'failed']);

  // Longer than it may wait for a block: what a dearer one costs is missing, and so is what it costs as it is.
  await goOn(0);
  expect(await kindsOf(ids)).toEqual(['gas', 'transfer', 'transfer', 'gas', 'transfer']);
  for (let left = 4 * depth; left > 0 && (await completed()) < 3; left -= 1) await goOn(3_600_000);
  expect(await stages(company)).toEqual(['completed', 'completed', 'completed']);
  expect(await world.chain.treasury.balance('USDT', payee)).toBe('60');
  await expectBooksToAgree(world);
});
