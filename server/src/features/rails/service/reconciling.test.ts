import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { creditAtBank, openTestBank, openTestBankWallet } from '../../../testing/banks.ts';
import { approvedTransfer } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, chainWorld, depth, walletOf } from '../../../testing/chain-world.ts';
import { accountsByKind, move, openAccounts, post, verifyLedger } from '../../ledger/index.ts';
import { reconcileChain } from './reconciling.ts';

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';

test('agrees at every moment of a transfer, and names a wallet whose address holds something else', async () => {
  const company = await world.company();
  await world.chain.treasury.send('USDT', company.address, '50');
  await world.advance(depth + 1);
  const mismatches = async () => (await reconcileChain(world.db.operator, world.gateway)).mismatches;
  await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
  await world.work();
  for (let block = 0; block < depth + 3; block += 1) {
    expect(await mismatches()).toEqual([]);
    await world.advance(1);
  }
  await world.chain.treasury.send('USDT', company.address, '3');
  await world.chain.engine.mine(1);
  // The watcher has not read that block: nothing is compared beyond it.
  expect(await mismatches()).toEqual([]);
  await world.follow();
  const wallet = walletOf(company, 'USDT');
  await world.asSuperuser(
    `update causeway.ledger_account set balance = balance + 7 where owner_id = '${wallet}' and kind = 'inbound'`,
  );
  expect(await mismatches()).toMatchObject([
    { walletId: wallet, expectedMinor: 33_000_007n, actualMinor: 33_000_000n },
  ]);
});

test('counts what is frozen for trades, which stays at the address', async () => {
  const company = await world.company();
  await world.chain.treasury.send('USDT', company.address, '40');
  await world.advance(depth + 1);
  const wallet = walletOf(company, 'USDT');
  await world.db.app.withCompany(company.id, async (tx) => {
    await openAccounts(tx, wallet, 'USDT', ['escrow']);
    const { available, escrow } = await accountsByKind(tx, wallet, ['available', 'escrow']);
    const posting = { id: newId(), kind: 'trade.freeze', sourceId: newId(), description: 'frozen for a trade' };
    await post(tx, { ...posting, legs: move(available.id, escrow.id, 15_000_000n) });
  });
  const { mismatches } = await reconcileChain(world.db.operator, world.gateway);
  expect(mismatches.filter(({ walletId }) => walletId === wallet)).toEqual([]);
});

test('passes over what is at a bank, which no chain can confirm', async () => {
  await openTestBank(world.db);
  const company = await world.company();
  await world.chain.treasury.send('USDT', company.address, '5');
  await world.advance(depth + 1);
  const before = await reconcileChain(world.db.operator, world.gateway);
  const { id } = await openTestBankWallet(world.db, company.id, 'HKD');
  await creditAtBank(world.db, company.id, id, 100_000n);
  const after = await reconcileChain(world.db.operator, world.gateway);
  expect([after.wallets, after.mismatches]).toEqual([before.wallets, before.mismatches]);
  expect((await world.db.operator.withoutCompany(verifyLedger)).mismatches.map(({ id }) => id)).not.toContain(id);
});
