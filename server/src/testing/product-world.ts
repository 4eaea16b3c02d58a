import { randomBytes } from 'node:crypto';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect } from 'vitest';
import { batchJobs } from '../features/batches/index.ts';
import { verifyCards } from '../features/cards/index.ts';
import { collectionJobs, verifyRequests } from '../features/collections/index.ts';
import { fail, reopen, settle } from '../features/outgoing/index.ts';
import { tradeJobs, verifyTrades } from '../features/trades/index.ts';
import { changeStage, type LifecycleRow, lockTransaction } from '../features/transactions/index.ts';
import type { Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { creditAtBank, openTestBank, openTestBankWallet } from './banks.ts';
import { createTestIssuer, createTestProtocol } from './card-issuer.ts';
import { type Carded, insertTestCard, moneyOf } from './cards.ts';
import { outgoingKinds } from './chain-families.ts';
import { type CollectionWorld, type Deposit, requestsOf } from './collections.ts';
import { credit, randomAddress } from './company.ts';
import { expectLedgerToAgree, walletBalances } from './company-books.ts';
import { isConcerned } from './concerned.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from './main-app.ts';
import { present } from './present.ts';
import { keepTestMids } from './prices.ts';
import { succeed } from './succeed.ts';

/**
 * Two companies whose wallets all products share: transfers, batches, payment requests, guaranteed trades, cards and exchanges; and beside them a
 * model that knows what came in over the chain and what left, and nothing of the products.
 */

export interface ProductWorld {
  db: TestDatabase;
  world: MainApp;
  secrets: readonly [string, string];
  /** The issuer's, of cards. */
  secret: string;
  requests: CollectionWorld;
  close(): Promise<void>;
}

const openingMinor = 5_000_000_000n;
const openingCents = 100_000n;
const quiet = pino({ enabled: false });

export async function productWorld(): Promise<ProductWorld> {
  const db = await testDatabase();
  await openTestBank(db);
  const signingSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
  const secrets = [signingSecret(), signingSecret()] as const;
  const secret = randomBytes(16).toString('hex');
  const cards = { issuer: createTestIssuer(), protocol: createTestProtocol(secret) };
  const world = await mainApp(db, undefined, { tradeSecrets: secrets, cards });
  await keepTestMids(db, { USDT: '1', USDC: '1', ETH: '2500', HKDT: '0.128' });
  return {
    ...{ db, world, secrets, secret, requests: { ...requestsOf(world), others: otherJobs } },
    async close() {
      expect(world.complaints).toEqual([]);
      await world.close();
      await db.close();
    },
  };
}

/** A deposit as the chain has it. */
export interface ChainDeposit {
  deposit: Deposit;
  amountMinor: bigint;
  state: 'seen' | 'credited' | 'gone';
  /** The payment of the other company that it is; null: from outside. */
  paidBy: string | null;
}

export interface Party extends Carded {
  /** Outside, and the other company. */
  payees: readonly [string, string];
  deposits: ChainDeposit[];
  /** Who has submitted something, by id. */
  members: Map<string, Member>;
  /** What payments have taken off the chain, by payment, in minor units. */
  left: Map<string, bigint>;
}

/** Both companies; each has the other as a payee, a card, and funds. */
export async function openParties(of: ProductWorld): Promise<readonly [Party, Party]> {
  const companies = [await of.world.company('Harbour'), await of.world.company('Delta')] as const;
  const [one, other] = companies;
  return [await openParty(of, one, other), await openParty(of, other, one)];
}

async function openParty(of: ProductWorld, company: Tenant, other: Tenant): Promise<Party> {
  await credit(of.db, company, 'USDT', openingMinor);
  const { id: walletId } = await openTestBankWallet(of.db, company.id, 'HKD');
  await creditAtBank(of.db, company.id, walletId, openingCents);
  const payeeAt = async (label: string, address: string) => {
    const id = newId();
    const body = { id, label, chain: 'ethereum', coin: 'USDT', address };
    await succeed(of.world, addCryptoPayee, { as: company.admin, body });
    return id;
  };
  const payees = [await payeeAt('Supplier', randomAddress()), await payeeAt('Counterparty', other.address)] as const;
  const card = await insertTestCard(of.db, company, walletId);
  return { company, walletId, ...card, payees, deposits: [], members: new Map(), left: new Map() };
}

const otherJobs = [...tradeJobs(), ...batchJobs(outgoingKinds)];

/** Runs what was announced as relay and workers do; each event twice, since at least once is promised. */
export async function runJobs(of: ProductWorld): Promise<void> {
  const jobs = [...collectionJobs(of.requests.ports), ...otherJobs];
  for (let round = 0; round < 20; round += 1) {
    const { rows } = await of.db.worker.withoutCompany((tx) =>
      sql<{ companyId: string; name: string; payload: Record<string, unknown> }>`
        with taken as (delete from outbox returning id, company_id, name, payload)
        select company_id as "companyId", name, payload from taken order by id`.execute(tx),
    );
    if (rows.length === 0) return;
    for (const { companyId, name, payload } of rows) {
      for (const job of jobs.filter(({ on }) => on?.includes(name))) {
        if (!(await isConcerned(of.db, job, companyId))) continue;
        for (let time = 0; time < 2; time += 1)
          await job.run({ companyId, database: of.db.worker, log: quiet }, payload);
      }
    }
  }
  throw new Error('jobs announce without end');
}

interface PaymentRow {
  id: string;
  stage: string;
  status: string;
  amountMinor: bigint;
  to: string;
  wasSent: boolean;
  finals: number;
}

/** The company's payments over the chain, oldest first. */
export async function paymentsOf({ db }: ProductWorld, { company }: Party): Promise<PaymentRow[]> {
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql<PaymentRow>`
      select t.id, t.stage, t.status, t.quantity as "amountMinor", t.payee_account as "to",
        exists (select from transaction_stage s where s.company_id = t.company_id and s.transaction_id = t.id and s.stage = 'broadcast') as "wasSent",
        (select count(*) from ledger_posting p where p.company_id = t.company_id and p.source_id = t.id
          and p.kind ~ '^transfer[.]settle([.][0-9]+)?$') as finals
      from transaction t where t.company_id = company_id() and t.type = 'chain_withdraw' order by t.created_at, t.id`.execute(
      tx,
    ),
  );
  return rows;
}

const asRail = (
  of: ProductWorld,
  { company }: Party,
  id: string,
  work: (tx: Tx, payment: LifecycleRow) => Promise<void>,
) => of.db.worker.withCompany(company.id, async (tx) => work(tx, present(await lockTransaction(tx, id))));

/** The rail's part of a payment's life, as its own code does it. */
export const rail = {
  send: (of: ProductWorld, party: Party, { id }: PaymentRow) =>
    asRail(of, party, id, async (tx) => {
      await changeStage(tx, id, ['approved'], { stage: 'signing' });
      await changeStage(tx, id, ['signing'], { stage: 'broadcast', hash: `0x${id.replaceAll('-', '')}` });
    }),
  async settle(of: ProductWorld, party: Party, { id, finals, amountMinor }: PaymentRow) {
    await asRail(of, party, id, (tx, payment) => settle(tx, payment, { contra: 'chain', finals, hash: null }));
    party.left.set(id, amountMinor);
  },
  fail: (of: ProductWorld, party: Party, { id }: PaymentRow) =>
    asRail(of, party, id, (tx, payment) => fail(tx, payment, { reason: 'stage.reason.reverted', hash: null })),
  async reopen(of: ProductWorld, party: Party, { id, finals }: PaymentRow) {
    const walletId = party.company.wallets.USDT;
    const reason = 'stage.reason.reorganised';
    await asRail(of, party, id, (tx) => reopen(tx, id, { finals: finals - 1, stage: 'broadcast', reason, walletId }));
    party.left.delete(id);
  },
};

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, each) => total + each, 0n);

/** What the chain has at the company's addresses, in minor units, as far as the company knows of it. */
function onChainMinor({ deposits, left }: Party): bigint {
  const arrived = deposits.filter(({ state }) => state !== 'gone').map(({ amountMinor }) => amountMinor);
  return openingMinor + sum(arrived) - sum(left.values());
}

/** Each wallet's accounts make what chain and bank have, and none is of the wrong sign. */
export async function expectConserved(of: ProductWorld, party: Party): Promise<void> {
  const { company } = party;
  for (const coin of ['USDT', 'USDC'] as const) {
    const {
      chain = 0n,
      deficit = 0n,
      fx = 0n,
      ...own
    } = await walletBalances(of.db, company.id, company.wallets[coin]);
    const has = coin === 'USDT' ? onChainMinor(party) : 0n;
    expect(-chain, `${coin} on chain`).toBe(has);
    expect(sum(Object.values(own)) + fx + deficit, `${coin} in all accounts`).toBe(has);
    for (const [kind, minor] of Object.entries(own)) expect(minor >= 0n, `${coin} ${kind} is ${minor}`).toBe(true);
    expect(deficit <= 0n, `${coin} deficit is ${deficit}`).toBe(true);
  }
  const [available, held, owed, deficit] = await moneyOf(of, party);
  expect(available + held + owed + deficit, 'HKD').toBe(openingCents);
  expect(available >= 0n && held >= 0n && deficit <= 0n).toBe(true);
}

/** The ledger and every product recomputed from their rows agree. */
export async function expectVerified({ db }: ProductWorld): Promise<void> {
  await expectLedgerToAgree(db);
  expect((await db.operator.withoutCompany(verifyTrades)).mismatches).toEqual([]);
  expect((await db.operator.withoutCompany(verifyCards)).mismatches).toEqual([]);
  expect((await db.operator.withoutCompany(verifyRequests)).mismatches).toEqual([]);
}

/** Nothing is held, frozen or on its way any more. */
export async function expectAllEnded(of: ProductWorld, party: Party): Promise<void> {
  const { company } = party;
  for (const coin of ['USDT', 'USDC'] as const) {
    const { escrow = 0n, outbound = 0n, inbound = 0n } = await walletBalances(of.db, company.id, company.wallets[coin]);
    expect({ coin, escrow, outbound, inbound }).toEqual({ coin, escrow: 0n, outbound: 0n, inbound: 0n });
  }
  expect((await moneyOf(of, party))[1], 'held by cards').toBe(0n);
}
