import { decideApprovals, listApprovals } from '@causeway/contract/approvals.ts';
import { getTransaction, type TransactionDetail } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { accountsByKind } from '../features/ledger/index.ts';
import { keepPrices } from '../features/rates/index.ts';
import { decision } from './approval-requests.ts';
import type { TestCompany } from './company.ts';
import type { TestDatabase } from './database.ts';
import type { MainApp, Member, Tenant } from './main-app.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';

/** What tests of exchanges look at, and how they move prices and the end of a quote. */

type Coin = keyof TestCompany['wallets'];
const kinds = ['available', 'outbound', 'fee', 'fx'] as const;

/** The balances of a wallet that an exchange touches, in minor units. */
export async function balancesOf(
  db: TestDatabase,
  { id, wallets }: Pick<TestCompany, 'id' | 'wallets'>,
  coin: Coin,
): Promise<Record<(typeof kinds)[number], bigint>> {
  const accounts = await db.app.withCompany(id, (tx) => accountsByKind(tx, wallets[coin], kinds));
  const balance = (kind: (typeof kinds)[number]) => accounts[kind].balanceMinor;
  return { available: balance('available'), outbound: balance('outbound'), fee: balance('fee'), fx: balance('fx') };
}

let later = 0;

/** Sets the price of a coin in US dollars; a later one replaces an earlier one. `ageMs`: how old it is by the database's clock. */
export async function setPrice(db: TestDatabase, asset: string, usd: string, ageMs?: number): Promise<void> {
  later += 1;
  const updatedAt = new Date(ageMs === undefined ? Date.now() + 400 * 86_400_000 + later * 1000 : Date.now() - ageMs);
  await db.worker.withoutCompany(async (tx) => {
    await sql`update rate set updated_at = '2020-01-01' where asset_id = ${asset}`.execute(tx);
    await keepPrices(tx, [{ asset, usd, source: 'test', updatedAt }]);
  });
}

/** Moves the end of a quote, by the database's clock: no clock of a server has a say in it. */
export async function moveExpiry(db: TestDatabase, quoteId: string, fromNow: string): Promise<void> {
  await asSuperuser(
    db,
    'update causeway.exchange_quote set expires_at = clock_timestamp() + $2::interval where id = $1',
    [quoteId, fromNow],
  );
}

export async function asSuperuser(db: TestDatabase, statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}

/** The only task of the company that is pending. */
export async function pendingTask(world: MainApp, as: Member): Promise<string> {
  const { data } = await succeed(world, listApprovals, { as, query: { view: 'pending' } });
  return present(data.items[0]).id;
}

/** Decides the only task that is pending. */
export async function decide(
  world: MainApp,
  approver: Member,
  outcome: 'approved' | 'rejected' = 'approved',
): Promise<Awaited<ReturnType<MainApp['ask']>>> {
  const id = await pendingTask(world, approver);
  return world.ask(decideApprovals, await decision(world, approver, [id], outcome));
}

export async function transactionOf(world: MainApp, { admin }: Tenant, id: string): Promise<TransactionDetail> {
  return (await succeed(world, getTransaction, { as: admin, params: { id } })).data;
}
