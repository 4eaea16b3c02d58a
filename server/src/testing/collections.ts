import { createHash } from 'node:crypto';
import type { Body } from '@causeway/contract/call.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import {
  createPaymentRequest,
  getPaymentRequest,
  type PaymentRequestDetail,
} from '@causeway/contract/payment-requests.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { getAddress } from 'viem';
import { type AddressRegister, type AddressSource, type AddressSources, familyOf } from '../features/chains/index.ts';
import { type CollectionPorts, collectionJobs, tendRequests } from '../features/collections/index.ts';
import { creditDeposits, seeDeposits, takeBackVanished } from '../features/rails/service/deposits.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { JobDefinition } from '../platform/jobs/jobs.ts';
import type { Mail } from '../platform/text/mail.ts';
import { chainFamilies } from './chain-families.ts';
import { randomAddress } from './company.ts';
import { isConcerned } from './concerned.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/** A console whose payment requests are prepared and followed as the worker does, and payers, played by the test. */

export const usdt = 1_000_000n;
const chainId = 'ethereum';
const log = pino({ level: 'silent' });

/** Addresses as a family with accounts derives them: the same at each place. */
const source: AddressSource = {
  family: familyOf(chainFamilies, { family: 'evm' }),
  addressAt: (index, ordinal) =>
    getAddress(`0x${createHash('sha256').update(`${index}/${ordinal}`).digest('hex').slice(0, 40)}`),
  changeFrom: null,
  apartFrom: 0,
  gasTank: null,
  treasury: null,
};
const sources: AddressSources = new Map([['evm', source]]);

/** As long as the database is never put back, the register gives each place that is asked for. */
const register: AddressRegister = {
  register: async ({ place }) => place,
  after: async (mark) => ({ entries: [], mark }),
};

export interface CollectionWorld {
  db: TestDatabase;
  world: MainApp;
  mails: Mail[];
  ports: CollectionPorts;
  /** Jobs of other products that follow the same events: what takes an event runs them as well. */
  others?: readonly JobDefinition[];
  close(): Promise<void>;
}

export async function collectionWorld(): Promise<CollectionWorld> {
  const db = await testDatabase();
  const of = requestsOf(await mainApp(db));
  return {
    ...of,
    async close() {
      await of.close();
      await db.close();
    },
  };
}

/** The worker's part for a console that there is. */
export function requestsOf(world: MainApp): CollectionWorld {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
  const ports = { sources, register, mailer, publicUrl: 'https://causeway.example', clock: systemClock };
  return { db: world.db, world, mails, ports, close: () => world.close() };
}

type Asked = Body<typeof createPaymentRequest>;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** 100 USDT within an hour, where nothing else is said. */
export function asked(also: Partial<Asked> = {}): Asked {
  return {
    id: newId(),
    ...{
      title: 'Invoice 0042',
      reference: 'INV-0042',
      note: '',
      kind: 'single',
      pricing: 'coin',
      asset: 'USDT',
      amount: '100',
    },
    accepted: [{ chainId, coin: 'USDT' }],
    tolerance: { percent: '0' },
    ...{ dueOn: null, expiresAt: inAnHour(), payer: null, reminderDays: [] },
    ...also,
  } as Asked;
}

/** Runs what has been announced, once, as the worker's relay and jobs do; `how` often: at least once is promised. */
export async function work(
  { db, ports, others = [] }: Pick<CollectionWorld, 'db' | 'ports' | 'others'>,
  { database = db.worker, times = 1 }: { database?: Database; times?: number } = {},
): Promise<void> {
  const own = collectionJobs(ports);
  const jobs = [...own, ...others];
  const names = own.flatMap(({ on }) => on ?? []);
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ companyId: string; id: string; name: string; payload: Record<string, unknown> }>`
      select company_id as "companyId", id, name, payload from outbox where name = any (${names}::text[]) order by id`.execute(
      tx,
    ),
  );
  for (const { companyId, id, name, payload } of rows) {
    for (const job of jobs.filter(({ on }) => on?.includes(name))) {
      if (!(await isConcerned(db, job, companyId))) continue;
      for (let left = times; left > 0; left -= 1) await job.run({ companyId, database, log }, payload);
    }
    await db.worker.withoutCompany((tx) => sql`delete from outbox where id = ${id}`.execute(tx));
  }
}

export function tend(
  { db, ports }: Pick<CollectionWorld, 'db' | 'ports'>,
  now?: Date,
  database = db.worker,
): Promise<void> {
  const clock = now ? { now: () => now } : ports.clock;
  return tendRequests(database, { ...ports, clock }, log);
}

export interface Opened {
  company: Tenant;
  id: string;
  token: string;
  address: string;
}

/** A request whose addresses are open. */
export async function opened(of: CollectionWorld, company: Tenant, also: Partial<Asked> = {}): Promise<Opened> {
  const { id, token } = (await succeed(of.world, createPaymentRequest, { as: company.admin, body: asked(also) })).data;
  await work(of);
  const { addresses } = await detail(of, company.admin, id);
  return { company, id, token, address: addresses[0]?.address ?? '' };
}

export async function detail(
  { world }: Pick<CollectionWorld, 'world'>,
  as: Member,
  id: string,
): Promise<PaymentRequestDetail> {
  return (await succeed(world, getPaymentRequest, { as, params: { id } })).data;
}

/** A deposit that a block has. */
export interface Deposit {
  company: Tenant;
  hash: string;
  blockHash: string;
}

let blocks = 1000;
const hashOf = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;

/** A payer sends coins: they are seen in a block, and followed. */
export async function pay(
  of: CollectionWorld,
  { company, address }: Pick<Opened, 'company' | 'address'>,
  amountMinor: bigint,
  { coin = 'USDT' as keyof Tenant['wallets'], hash = hashOf(newId()), follow = true } = {},
): Promise<Deposit> {
  blocks += 1;
  const blockHash = hashOf(`${hash}/${blocks}`);
  const arrival = { hash, output: 'log:0', contract: null, from: randomAddress(), to: address, amountMinor };
  await of.db.worker.withCompany(company.id, (tx) =>
    seeDeposits(tx, chainId, [{ arrival, coin, block: { height: blocks, hash: blockHash } }]),
  );
  if (follow) await work(of);
  return { company, hash, blockHash };
}

export async function credit(of: CollectionWorld, { company, hash, blockHash }: Deposit, follow = true): Promise<void> {
  await of.db.worker.withCompany(company.id, (tx) =>
    creditDeposits(tx, chainId, [{ hash, output: 'log:0', blockHash, confirmations: 12 }]),
  );
  if (follow) await work(of);
}

/** Sent, and credited at once. */
export async function paid(
  of: CollectionWorld,
  to: Opened,
  amountMinor: bigint,
  also: Parameters<typeof pay>[3] = {},
): Promise<Deposit> {
  const deposit = await pay(of, to, amountMinor, also);
  await credit(of, deposit);
  return deposit;
}

/** A reorganisation takes every deposit of a company away but those of these blocks. */
export async function reorganise(
  of: CollectionWorld,
  company: Tenant,
  blockHashes: readonly string[] = [],
  follow = true,
): Promise<void> {
  await of.db.worker.withCompany(company.id, (tx) =>
    takeBackVanished(tx, chainId, { forkHeight: 0, blockHashes, waits: false }),
  );
  if (follow) await work(of);
}

/** Moves a request’s time back, so that its latest period ended a minute ago. No role of the product may. */
export async function expire(
  of: Pick<CollectionWorld, 'db' | 'ports'>,
  { company, id }: { company: { id: string }; id: string },
  looked = true,
): Promise<void> {
  const client = new pg.Client({ connectionString: of.db.superuserUrl });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica`);
    const key = [company.id, id];
    const { rows } = await client.query<{ by: string }>(
      `select (expires_at - now() + interval '1 minute')::text as by from causeway.payment_request where company_id = $1 and id = $2`,
      key,
    );
    const by = rows[0]?.by;
    for (const statement of [
      `update causeway.payment_request set expires_at = expires_at - $3::interval, created_at = created_at - $3::interval, updated_at = updated_at - $3::interval where company_id = $1 and id = $2`,
      `update causeway.payment_request_period set expires_at = expires_at - $3::interval, starts_at = starts_at - $3::interval where company_id = $1 and request_id = $2`,
      `update causeway.payment_request_payment set arrived_at = arrived_at - $3::interval where company_id = $1 and request_id = $2`,
    ]) {
      await client.query(statement, [...key, by]);
    }
  } finally {
    await client.end();
  }
  if (looked) await tend(of);
}

/** A payee of the company to whom its coins can be refunded. */
export async function refundPayee(
  { world }: Pick<CollectionWorld, 'world'>,
  as: Member,
  coin = 'USDT',
): Promise<string> {
  const id = newId();
  const address = randomAddress();
  const body = { id, label: `Payer ${address.slice(2, 8)}`, chain: chainId, coin, address };
  await succeed(world, addCryptoPayee, { as, body });
  return id;
}

/** A request to refund a payment, with a code that was mailed for the transfer. */
export async function refundRequest(
  of: Pick<CollectionWorld, 'world'>,
  { company, id: requestId }: Pick<Opened, 'company' | 'id'>,
  {
    paymentId,
    payeeId,
    amount,
    coin = 'USDT' as keyof Tenant['wallets'],
  }: { paymentId: string; payeeId: string; amount: string; coin?: keyof Tenant['wallets'] },
): Promise<Request & { body: Record<string, unknown> & { id: string } }> {
  const as = company.admin;
  const content = { id: newId(), walletId: company.wallets[coin], payeeId, amount, attachmentIds: [] };
  await succeed(of.world, sendUserCode, {
    as,
    body: { scenario: 'transaction', subject: { kind: 'transfer', content } },
  });
  const code = await of.world.takeCode();
  return { as, body: { id: content.id, requestId, paymentId, payeeId, amount, fee: '1', codeMethod: 'email', code } };
}
