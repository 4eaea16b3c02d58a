import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { executedExchange } from '../../../testing/chain-exchanges.ts';
import { approvedTransfer, fundedCompany, newPayee } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld, depth, walletOf } from '../../../testing/chain-world.ts';
import { settleWallet } from './making.ts';

/** Withdrawals against settlements of the same wallet, by two workers at the same moment. */

vi.setConfig({ testTimeout: 900_000 });

/** `PROOF_ROUNDS=200` for all of them; each signs and mines three payments. */
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const aBatch = 20;

let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld({ rpcTimeoutMs: 20_000 });
  company = await fundedCompany(world, '5000');
  await world.chain.treasury.send('USDC', world.treasury, '5000');
  await world.chain.treasury.send('ETH', world.treasury, '5');
  await world.advance(depth + 1);
});
afterAll(() => world.close());

/** A job that has to wait for another worker's payment is tried again, here by tending. */
const work = () => world.work().catch(() => undefined);

const settle = (coin: string) =>
  world.db.worker.withCompany(company.id, (tx) => settleWallet(tx, walletOf(company, coin), 'nightly'));

test(`${rounds} rounds: every payment is paid once, every leg settled once, and both books agree to the unit`, async () => {
  const paid = new Map<string, bigint>();
  for (let round = 1; round <= rounds; round += 1) {
    // The coin that was bought comes in, the coin that was sold goes out; both are withdrawn meanwhile.
    const coin = round % 2 === 0 ? 'USDC' : 'USDT';
    await executedExchange(world, company, {
      sell: 'USDT',
      soldMinor: 4_000_000n,
      buy: 'USDC',
      boughtMinor: 3_900_000n,
    });
    const payee = newPayee();
    const amountMinor = 2_000_000n + BigInt(round);
    paid.set(payee, amountMinor);
    const withdraw = async () => {
      await approvedTransfer(world, company, { coin, amountMinor, payee, feeMinor: 100_000n });
      await work();
    };
    const settleMeanwhile = async () => {
      await settle(coin);
      await work();
    };
    await Promise.all(round % 3 === 0 ? [settleMeanwhile(), withdraw()] : [withdraw(), settleMeanwhile()]);
    if (round % aBatch === 0) await world.advance(2);
  }
  for (const coin of ['USDT', 'USDC']) await settle(coin);
  const unfinished = async () =>
    (
      await world.db.worker.withCompany(company.id, (tx) =>
        sql<{
          n: number;
        }>`select count(*)::int as n from transaction where company_id = company_id() and status = 'pending'`.execute(
          tx,
        ),
      )
    ).rows[0]?.n;
  for (let left = 60; left > 0 && (await unfinished()) !== 0; left -= 1) {
    await world.tend();
    await world.advance(2);
  }
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ type: string; status: string; n: number }>`select type, status, count(*)::int as n from transaction
      where company_id = company_id() and type in ('chain_withdraw', 'fx_settlement_in', 'fx_settlement_out') group by 1, 2`.execute(
      tx,
    ),
  );
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([]);
  expect(rows.find(({ type }) => type === 'chain_withdraw')?.n).toBe(rounds);
  const legs = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ n: number }>`select count(*)::int as n from settlement_leg where company_id = company_id()`.execute(tx),
  );
  expect(legs.rows[0]?.n).toBe(2 * rounds);
  const { height } = world.chain.engine.tip();
  const { USDT, USDC } = world.chain.treasury.contracts;
  for (const [payee, amountMinor] of paid) {
    const got = (await world.gateway.balance(USDT, payee, height)) + (await world.gateway.balance(USDC, payee, height));
    expect(got, payee).toBe(amountMinor);
  }
  expect(await world.gateway.balance(USDT, world.treasury, height)).toBe(BigInt(rounds) * 4_000_000n);
  expect(await world.gateway.balance(USDC, world.treasury, height)).toBe(5_000_000_000n - BigInt(rounds) * 3_900_000n);
  await expectBooksToAgree(world);
});
