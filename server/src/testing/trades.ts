import { randomBytes } from 'node:crypto';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { confirmTrade, getTrade, releaseTrade, type TradeDetail } from '@causeway/contract/trades.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { accountsOf } from '../features/ledger/index.ts';
import { remindOfTradesJob, takeIn, tradeJobs, verifyTrades } from '../features/trades/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { chainFamilies } from './chain-families.ts';
import { credit, randomAddress } from './company.ts';
import { isConcerned } from './concerned.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/** A console to which a trade platform is connected, and the platform’s part, played by the test. */

export const usdt = 1_000_000n;
const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export interface TradeWorld {
  db: TestDatabase;
  world: MainApp;
  secrets: readonly [string, string];
  close(): Promise<void>;
}

/** `ofMain`: what the companies' process has of the database. */
export async function tradeWorld(ofMain = (database: Database) => database): Promise<TradeWorld> {
  const db = await testDatabase();
  const secrets = [newSigningSecret(), newSigningSecret()] as const;
  const world = await mainApp({ ...db, app: ofMain(db.app) }, undefined, { tradeSecrets: secrets });
  return {
    ...{ db, world, secrets },
    async close() {
      await world.close();
      await db.close();
    },
  };
}

/** What the platform says of a trade; the amount is 1,000 USDT where nothing else is said. */
export interface Said {
  id: string;
  version: number;
  number: string;
  status: 'created' | 'in_progress' | 'success' | 'cancelled';
  phase: 'agreed' | 'shipped' | 'inspected' | 'disputed' | 'closed';
  network: string;
  currency: string;
  quantity: string;
  buyer: { name: string; address: string; wallet: string };
  seller: { name: string; address: string; wallet: string };
  billOfLading: string | null;
  actBy: string | null;
  refunded: string;
  milestones: { id: string; name: string; amount: string; reached: boolean }[];
  documents: { name: string; url: string; sha256: string }[];
  note: string;
}

export function saidOf(buyer: string, seller: string, also: Partial<Said> = {}): Said {
  const id = newId();
  return {
    ...{ id, version: 1, number: `TG-${id.slice(-6)}`, status: 'created', phase: 'agreed', network: 'ethereum' },
    ...{ currency: 'USDT', quantity: '1000', billOfLading: null, actBy: null, refunded: '0', note: '' },
    buyer: { name: 'Harbour Trading', address: '1 Queen’s Road, Hong Kong', wallet: buyer },
    seller: { name: 'Delta Textiles', address: '8 Renmin Road, Guangzhou', wallet: seller },
    milestones: [],
    documents: [],
    ...also,
  } as Said;
}

export interface Sending {
  secret?: string;
  messageId?: string;
  at?: Date;
  /** What is signed, where that is not what is sent. */
  signed?: string;
}

/** Sends an event as the platform does. @returns the status and the error’s key */
export async function sendEvent(
  { world, secrets }: Pick<TradeWorld, 'world' | 'secrets'>,
  data: Partial<Said>,
  { secret = secrets[0], messageId = `msg_${newId()}`, at = new Date(), signed }: Sending = {},
): Promise<{ status: number; key: string | undefined }> {
  const body = JSON.stringify({ type: 'trade.updated', timestamp: at.toISOString(), data });
  const response = await world.app.inject({
    method: 'POST',
    url: '/hooks/trades',
    payload: body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(messageId, at, signed ?? body),
    },
  });
  return { status: response.statusCode, key: response.json<{ key?: string }>().key };
}

/** What an event with this would do where the console under test has no platform connected. */
export function insertTestTrade({ db }: Pick<MainApp, 'db'>, data: Said): Promise<void> {
  const body = JSON.stringify({ type: 'trade.updated', timestamp: new Date().toISOString(), data });
  const intake = { database: db.app, families: chainFamilies, clock: systemClock };
  return takeIn(intake, { messageId: `msg_${newId()}`, body });
}

export interface Trading {
  company: Tenant;
  said: Said;
  payeeId: string;
}

/** A company with 5,000 USDT, and a trade in which it is to pay a seller elsewhere, who is a payee of it. */
export async function trading(of: TradeWorld, also: Partial<Said> = {}, seller = randomAddress()): Promise<Trading> {
  const company = await of.world.company();
  await credit(of.db, company, 'USDT', 5000n * usdt);
  const payeeId = newId();
  const payee = { id: payeeId, label: 'Delta Textiles', chain: 'ethereum', coin: 'USDT', address: seller };
  await succeed(of.world, addCryptoPayee, { as: company.admin, body: payee });
  const said = saidOf(company.address, seller, also);
  const sent = await sendEvent(of, said);
  if (sent.status !== 200) throw new Error(`the event was answered with ${sent.status} ${sent.key}`);
  return { company, said, payeeId };
}

export async function tradeDetail({ world }: Pick<TradeWorld, 'world'>, as: Member, id: string): Promise<TradeDetail> {
  return (await succeed(world, getTrade, { as, params: { id } })).data;
}

/** A request to confirm a trade as it is, with a code that was mailed for it. */
export async function confirmation(of: Pick<TradeWorld, 'world'>, as: Member, tradeId: string) {
  const { version } = await tradeDetail(of, as, tradeId);
  const content = { id: newId(), tradeId, version };
  await succeed(of.world, sendUserCode, {
    as,
    body: { scenario: 'transaction', subject: { kind: 'trade', content } },
  });
  return { as, body: { ...content, codeMethod: 'email' as const, code: await of.world.takeCode() } };
}

export async function confirmed(of: Pick<TradeWorld, 'world'>, as: Member, tradeId: string) {
  return (await succeed(of.world, confirmTrade, await confirmation(of, as, tradeId))).data;
}

/** A request to pay the seller, with a code that was mailed for the transfer. */
export async function releaseRequest(
  of: Pick<TradeWorld, 'world'>,
  { company, said, payeeId }: Trading,
  amount: string,
  milestoneId: string | null = null,
  as = company.admin,
): Promise<Request & { body: Record<string, unknown> & { id: string } }> {
  const content = { id: newId(), walletId: company.wallets.USDT, payeeId, amount, attachmentIds: [] };
  await succeed(of.world, sendUserCode, {
    as,
    body: { scenario: 'transaction', subject: { kind: 'transfer', content } },
  });
  const code = await of.world.takeCode();
  return { as, body: { id: content.id, tradeId: said.id, milestoneId, amount, fee: '1', codeMethod: 'email', code } };
}

/** @returns the id of the transfer */
export async function released(of: TradeWorld, trade: Trading, amount: string, milestoneId: string | null = null) {
  const request = await releaseRequest(of, trade, amount, milestoneId);
  return (await succeed(of.world, releaseTrade, request)).data.id;
}

/** What a wallet has, in whole coins: available, in escrow, on its way out. */
export async function figures({ db }: Pick<TradeWorld, 'db'>, company: Pick<Tenant, 'id' | 'wallets'>) {
  const accounts = await db.app.withCompany(company.id, (tx) => accountsOf(tx, [company.wallets.USDT]));
  const say = (kind: string) => {
    const found = accounts.find((account) => account.kind === kind);
    return formatAmount(found?.balanceMinor ?? 0n, 6).replace(/\.?0+$/, '');
  };
  return { available: say('available'), escrow: say('escrow'), outbound: say('outbound') };
}

/** What `verifyTrades` finds in one company. */
export async function escrowMismatches({ db }: Pick<TradeWorld, 'db'>, companyId: string): Promise<unknown[]> {
  return (await db.app.withCompany(companyId, verifyTrades)).mismatches;
}

const quiet = pino({ enabled: false });

/** Does what relay and workers do with the lines of trades. */
export function followLines(of: Pick<TradeWorld, 'db'>): Promise<void> {
  return follow(of, 'trade.line');
}

/** Does what relay and workers do with payments to sellers that have come to an end. */
export function followReleases(of: Pick<TradeWorld, 'db'>): Promise<void> {
  return follow(of, 'transaction.reached');
}

async function follow({ db }: Pick<TradeWorld, 'db'>, name: string): Promise<void> {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ companyId: string; payload: Record<string, unknown> }>`
      with taken as (delete from outbox where name = ${name} returning id, company_id, payload)
      select company_id as "companyId", payload from taken order by id`.execute(tx),
  );
  const jobs = tradeJobs().filter(({ on }) => on?.includes(name));
  for (const { companyId, payload } of rows) {
    for (const job of jobs) {
      if (await isConcerned(db, job, companyId)) await job.run({ companyId, database: db.worker, log: quiet }, payload);
    }
  }
}

/** Runs the workers' round over deadlines that are near. */
export function remindOfDeadlines({ db }: Pick<TradeWorld, 'db'>): Promise<void> {
  return remindOfTradesJob().run({ database: db.worker, log: quiet, signal: new AbortController().signal });
}

/** Does what no role of the product may, to make a state that only another part of the program brings about. */
export async function asSuperuser({ db }: Pick<TradeWorld, 'db'>, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
