import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { executedExchange } from '../../../testing/chain-exchanges.ts';
import { approvedTransfer, fundedCompany, newPayee } from '../../../testing/chain-transfers.ts';
import {
  balances,
  type ChainWorld,
  type Company,
  chainId,
  chainWorld,
  depth,
  walletOf,
} from '../../../testing/chain-world.ts';
import { hasten, releaseUnsent, sendAgain, wantEmpty } from '../service/exceptions.ts';
import { findObstruction } from '../store/parts.ts';
import { settleWallet } from './making.ts';
import { findDueWallets } from './store.ts';

/** Settlement of exchanged coins over a real chain, signer and ledger. */

let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await fundedCompany(world, '1000');
});
afterAll(() => world.close());

const { contracts } = { contracts: () => world.chain.treasury.contracts };
async function balanceOf(coin: 'USDT' | 'USDC' | 'ETH', address: string): Promise<bigint> {
  const contract = coin === 'ETH' ? null : contracts()[coin];
  return world.gateway.balance(contract, address, world.chain.engine.tip().height);
}

const stageOf = async (id: string) =>
  (
    await world.db.worker.withCompany(company.id, (tx) =>
      sql<{ stage: string }>`select stage from transaction where company_id = company_id() and id = ${id}`.execute(tx),
    )
  ).rows[0]?.stage;

const settle = (coin: string) =>
  world.db.worker.withCompany(company.id, (tx) => settleWallet(tx, walletOf(company, coin), 'nightly'));

interface Made {
  direction: string;
  amount: bigint;
  stage: string | null;
}
const settlements = async (coin: string): Promise<Made[]> =>
  (
    await world.db.worker.withCompany(company.id, (tx) =>
      sql<Made>`select s.direction, s.amount, t.stage from settlement s
        left join transaction t on t.company_id = s.company_id and t.id = s.id
        where s.company_id = company_id() and s.wallet_id = ${walletOf(company, coin)} order by s.id`.execute(tx),
    )
  ).rows;

test('a withdrawal of exchanged coins waits until the treasury has settled them, and is paid', async () => {
  await world.chain.treasury.send('USDC', world.treasury, '500');
  await world.advance(depth + 1);
  await executedExchange(world, company, {
    sell: 'USDT',
    soldMinor: 300_000_000n,
    buy: 'USDC',
    boughtMinor: 299_000_000n,
  });
  await expectBooksToAgree(world);
  const payee = newPayee();
  const id = await approvedTransfer(world, company, { coin: 'USDC', amountMinor: 250_000_000n, payee });
  await world.work();
  expect(await stageOf(id)).toBe('approved');
  expect(await settlements('USDC')).toEqual([{ direction: 'in', amount: 299_000_000n, stage: expect.any(String) }]);
  const why = await world.db.app.withCompany(company.id, (tx) => findObstruction(tx, id));
  expect(why).toEqual({ text: 'transaction.waiting.exchangedCoins', behind: null });
  await world.advance(3 * depth + 6);
  await expectBooksToAgree(world);
  expect(await settlements('USDC')).toEqual([{ direction: 'in', amount: 299_000_000n, stage: 'completed' }]);
  expect(await stageOf(id)).toBe('completed');
  expect(await balanceOf('USDC', payee)).toBe(250_000_000n);
  expect(await balanceOf('USDC', world.treasury)).toBe(201_000_000n);
  expect((await balances(world, company, 'USDC'))['fx']).toBeUndefined();
});

test('sold coins go to the treasury, with the network fee of the company’s gas', async () => {
  expect(await settle('USDT')).toBe('made');
  await world.advance(2 * depth + 4);
  expect(await settlements('USDT')).toEqual([{ direction: 'out', amount: 300_000_000n, stage: 'completed' }]);
  expect(await balanceOf('USDT', world.treasury)).toBe(300_000_000n);
  expect((await balances(world, company, 'USDT'))['fx']).toBeUndefined();
  await expectBooksToAgree(world);
  expect(await settle('USDT')).toBe('nothing');
});

test('what comes to nothing is settled by its legs alone', async () => {
  await executedExchange(world, company, {
    sell: 'USDT',
    soldMinor: 10_000_000n,
    buy: 'USDC',
    boughtMinor: 9_900_000n,
  });
  await executedExchange(world, company, { sell: 'USDC', soldMinor: 9_900_000n, buy: 'USDT', boughtMinor: 9_800_000n });
  expect(await settle('USDC')).toBe('made');
  expect((await settlements('USDC')).at(-1)).toEqual({ direction: 'none', amount: 0n, stage: null });
  expect((await balances(world, company, 'USDC'))['fx']).toBeUndefined();
  expect(await settle('USDC')).toBe('nothing');
  expect(await settle('USDT')).toBe('made');
  await world.advance(2 * depth + 4);
  expect((await settlements('USDT')).at(-1)).toEqual({ direction: 'out', amount: 200_000n, stage: 'completed' });
  await expectBooksToAgree(world);
});

test('while the treasury is short, the payment waits, and the operator sees of what and how much', async () => {
  await executedExchange(world, company, {
    sell: 'USDT',
    soldMinor: 100_000_000n,
    buy: 'ETH',
    boughtMinor: 2n * 10n ** 18n,
  });
  const payee = newPayee();
  const id = await approvedTransfer(world, company, {
    coin: 'ETH',
    amountMinor: 15n * 10n ** 17n,
    payee,
    feeMinor: 0n,
  });
  await world.work();
  await world.advance(2);
  expect(await stageOf(id)).toBe('approved');
  const short = async () =>
    (
      await world.db.operator.withoutCompany((tx) =>
        sql`select chain_id, coin, needed > free as "isShort", needed from treasury_short`.execute(tx),
      )
    ).rows;
  expect(await short()).toEqual([{ chain_id: chainId, coin: 'ETH', isShort: true, needed: 2n * 10n ** 18n }]);
  await world.chain.treasury.send('ETH', world.treasury, '5');
  await world.advance(depth + 1);
  await world.tend();
  await world.advance(4 * depth + 6);
  expect(await short()).toEqual([]);
  expect(await stageOf(id)).toBe('completed');
  expect(await balanceOf('ETH', payee)).toBe(15n * 10n ** 17n);
  await expectBooksToAgree(world);
});

test('the direction of what is due is that of all legs, however few one settlement takes', async () => {
  const exchange = (sell: string, buy: string, minor: bigint) =>
    executedExchange(world, company, { sell, soldMinor: minor, buy, boughtMinor: minor });
  await exchange('USDC', 'USDT', 1_000_000n);
  await exchange('USDT', 'USDC', 3_000_000n);
  const settleIn = (coin: string) =>
    world.db.worker.withCompany(company.id, (tx) => settleWallet(tx, walletOf(company, coin), 'payment', 'in', 1));
  expect(await settleIn('USDT')).toBe('otherWay');
  expect(await settleIn('USDC')).toBe('made');
  expect((await settlements('USDC')).slice(-2)).toMatchObject([
    { direction: 'out', amount: 1_000_000n },
    { direction: 'in', amount: 3_000_000n },
  ]);
  expect(await settleIn('USDC')).toBe('nothing');
  expect(await settle('USDT')).toBe('made');
  await world.advance(3 * depth + 6);
  expect((await settlements('USDC')).slice(-2)).toMatchObject([{ stage: 'completed' }, { stage: 'completed' }]);
  await expectBooksToAgree(world);
});

test('a leg that the signer’s journal names is not due, though a restored database has lost its settlement', async () => {
  const sold = (boughtMinor: bigint) =>
    executedExchange(world, company, { sell: 'USDT', soldMinor: boughtMinor, buy: 'USDC', boughtMinor });
  const exchangeId = await sold(3_000_000n);
  expect(await settle('USDC')).toBe('made');
  await world.advance(2 * depth + 4);
  expect((await settlements('USDC')).at(-1)).toEqual({ direction: 'in', amount: 3_000_000n, stage: 'completed' });
  await world.asSuperuser(`set session_replication_role = replica;
    delete from causeway.settlement_leg where exchange_id = '${exchangeId}' and side = 'bought'`);
  const due = async () =>
    (await world.db.worker.withoutCompany((tx) => findDueWallets(tx, null))).filter(({ coin }) => coin === 'USDC');
  expect(await due()).toEqual([]);
  expect(await settle('USDC')).toBe('nothing');
  await sold(4_000_000n);
  expect(await due()).toMatchObject([{ netMinor: -4_000_000n }]);
  expect(await settle('USDC')).toBe('made');
  await world.advance(2 * depth + 4);
  expect((await settlements('USDC')).at(-1)).toEqual({ direction: 'in', amount: 4_000_000n, stage: 'completed' });
});

test('a settlement that the signer refuses goes on; operators send it again and speed it up, and can neither release nor replace it', async () => {
  const exchangeId = await executedExchange(world, company, {
    sell: 'USDT',
    soldMinor: 5_000_000n,
    buy: 'USDC',
    boughtMinor: 5_000_000n,
  });
  const setSeal = (jws: string) =>
    world.asSuperuser(`set session_replication_role = replica;
      update causeway.exchange_seal set jws = ${jws} where exchange_id = '${exchangeId}'`);
  await setSeal(`'x' || jws`);
  expect(await settle('USDC')).toBe('made');
  await expect(world.work()).rejects.toThrow('forged');
  expect((await settlements('USDC')).at(-1)).toMatchObject({ amount: 5_000_000n, stage: 'signing' });
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ id: string }>`select id from transaction
      where company_id = company_id() and type = 'fx_settlement_in' and status = 'pending'`.execute(tx),
  );
  const id = rows[0]?.id ?? '';
  const inCompany = <T>(act: (tx: Tx) => Promise<T>) => world.db.worker.withCompany(company.id, act);
  expect(await inCompany((tx) => releaseUnsent(tx, world.parts(), id))).toBe('settlement');

  await setSeal('substr(jws, 2)');
  expect(await inCompany((tx) => sendAgain(tx, id))).toBe(true);
  await world.work();
  expect(await stageOf(id)).toBe('broadcast');
  expect(await inCompany((tx) => wantEmpty(tx, world.parts(), id))).toBe(false);
  expect(await inCompany((tx) => hasten(tx, id, 1))).toBe(true);
  await world.advance(2 * depth + 4);
  expect(await stageOf(id)).toBe('completed');
  await expectBooksToAgree(world);
});
