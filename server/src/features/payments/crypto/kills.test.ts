import { decideApprovals } from '@causeway/contract/approvals.ts';
import { createCryptoPayment } from '@causeway/contract/payments.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { decision } from '../../../testing/approval-requests.ts';
import {
  type CryptoPayoutWorld,
  cryptoPayoutWorld,
  paidWithCoins,
  quotedPayout,
} from '../../../testing/crypto-payouts.ts';
import {
  dyingDatabase,
  eachDeath,
  Killed,
  killRounds,
  type MortalDatabase,
  mortalDatabase,
} from '../../../testing/dying.ts';
import { balancesOf as coinBalances, pendingTask, transactionOf } from '../../../testing/exchange-world.ts';
import { killEachTransaction } from '../../../testing/killed-requests.ts';
import { balancesOf, endToEndOf, type PayingCompany, testBank } from '../../../testing/payouts.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { verifyPosition } from '../../exchange/index.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { deliverOrders } from '../../rails/bank/payouts/delivering.ts';
import { makeOrders } from '../../rails/bank/payouts/orders.ts';
import { reconcileBanks } from '../../rails/index.ts';

/**
 * A payment out of coins whose processes die: the one that buys what it pays, and the worker that orders the bank to pay it. It is wholly there or not begun, bought once, and the
 * bank is ordered once.
 */

vi.setConfig({ testTimeout: killRounds * 180_000 });

const usdt = (whole: number) => BigInt(whole) * 1_000_000n;
let payouts: CryptoPayoutWorld;
let mortal: MortalDatabase;
beforeAll(async () => {
  payouts = await cryptoPayoutWorld((database) => {
    mortal = mortalDatabase(database);
    return mortal;
  });
});
afterAll(async () => {
  const { operator } = payouts.db;
  expect((await operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
  expect((await reconcileBanks(operator)).findings).toEqual([]);
  await payouts.close();
});
afterEach(() => expect([payouts.world.complaints, payouts.complaints]).toEqual([[], []]));

/** Of 312.50 HKD for 40 of 100 USDT, with everything that belongs to the payment; `held`: before it was bought, the coins are held. */
async function look(company: PayingCompany, { held = false } = {}): Promise<'none' | 'whole'> {
  const { rows } = await payouts.db.worker.withCompany(company.id, (tx) =>
    sql<{ submitted: number; bought: number; seals: number; due: number; payouts: number }>`
      select count(*) as submitted, count(executed_at) as bought, (select count(*) from exchange_seal where company_id = company_id()) as seals,
        (select count(*) from exchange_due where company_id = company_id()) as due,
        (select count(*) from payout where company_id = company_id()) as payouts
      from exchange where company_id = company_id()`.execute(tx),
  );
  const bought = rows[0]?.bought ?? 0;
  const submitted = held ? 1 : bought;
  expect(rows).toEqual([{ submitted, bought, seals: bought, due: bought, payouts: submitted }]);
  const isWhole = bought === 1;
  expect(await coinBalances(payouts.db, company, 'USDT')).toEqual({
    available: usdt(isWhole || held ? 60 : 100),
    outbound: usdt(held && !isWhole ? 40 : 0),
    fee: 0n,
    fx: usdt(isWhole ? 40 : 0),
  });
  const { available = 0n, outbound = 0n } = await balancesOf(payouts, company);
  expect([available, outbound]).toEqual([100n, isWhole ? 31_250n : 0n]);
  return isWhole ? 'whole' : 'none';
}

const ordered: string[] = [];
/** How often the bank was ordered to make a payment. */
function orders(id: string): number {
  ordered.push(...payouts.folder.take().map(({ text }) => text));
  return ordered.join('').split(`<EndToEndId>${endToEndOf(id)}</EndToEndId>`).length - 1;
}

interface Work {
  company: PayingCompany;
  id: string;
  database: Database;
}
const phases = {
  'hands it over': ({ company, id, database }: Work) => payouts.send(company.id, id, database),
  'makes the order': ({ database }: Work) => makeOrders(database, testBank, new Date()),
  'delivers the order': ({ database }: Work) => deliverOrders(database, testBank, payouts.folder),
} as const;
type Phase = keyof typeof phases;
const inOrder = Object.keys(phases) as Phase[];

async function bankIsOrderedOnce(company: PayingCompany, id: string): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    for (const phase of inOrder) await phases[phase]({ company, id, database: payouts.db.worker });
    expect(orders(id)).toBe(1);
    expect(await look(company)).toBe('whole');
  }
}

const rounds = Array.from({ length: killRounds }, (_, index) => index + 1);

test.each(rounds)('at its submission (round %i)', async () => {
  const made: { company: PayingCompany; id: string }[] = [];
  const deaths = await killEachTransaction({ world: payouts.world, mortal, call: createCryptoPayment }, async () => {
    const company = await payouts.company(100n);
    const { request } = await quotedPayout(payouts, company, { amount: '312.50' });
    made.push({ company, id: String(request.body['id']) });
    return { request, look: () => look(company) };
  });
  // All of it is one transaction.
  expect(deaths).toBe(2);
  for (const { company, id } of made) await bankIsOrderedOnce(company, id);
});

test.each(rounds)('at its last approval (round %i)', async () => {
  const made: { company: PayingCompany; id: string }[] = [];
  const deaths = await killEachTransaction({ world: payouts.world, mortal, call: decideApprovals }, async () => {
    const company = await payouts.company(100n);
    const approver = await payouts.world.member(company, 'approver');
    await reviewOf(payouts.world, company)(true);
    const id = await paidWithCoins(payouts, company, { amount: '312.50' });
    made.push({ company, id });
    const request = await decision(payouts.world, approver, [await pendingTask(payouts.world, approver)]);
    return { request, look: () => look(company, { held: true }) };
  });
  expect(deaths).toBe(2);
  for (const { company, id } of made) await bankIsOrderedOnce(company, id);
});

/** The order of any payment out of a bank is killed at each step beside the rail; here all of them in the full proof. */
const doomedPhases = killRounds > 1 ? inOrder : inOrder.slice(0, 1);

test.each(rounds.flatMap((round) => doomedPhases.map((phase) => [phase, round] as const)))(
  'where the worker %s (round %i)',
  async (doomed) => {
    const deaths = await eachDeath(async (transactions, moment) => {
      const company = await payouts.company(100n);
      const id = await paidWithCoins(payouts, company, { amount: '312.50' });
      const dying = dyingDatabase(payouts.db.worker, transactions, moment);
      for (const phase of inOrder.slice(0, inOrder.indexOf(doomed))) {
        await phases[phase]({ company, id, database: payouts.db.worker });
      }
      await Promise.resolve(phases[doomed]({ company, id, database: dying })).catch((error: unknown) =>
        expect(error).toBeInstanceOf(Killed),
      );
      expect(await look(company)).toBe('whole');
      await bankIsOrderedOnce(company, id);
      expect((await transactionOf(payouts.world, company, id)).stage).toBe('instructed');
      return dying.life.isOver;
    });
    expect(deaths).toBeGreaterThanOrEqual(4);
  },
);
