import { systemRoleIds } from '@causeway/contract/permission.ts';
import { webhookFailingDays, webhookRetrySeconds } from '@causeway/contract/webhooks-rules.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { eachDeath, mortalDatabase } from '../../testing/dying.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import type { Outcome, Posting } from './adapters/posting.ts';
import { failuresBeforePause, mostPerEndpoint } from './domain.ts';
import { newSecret, sealingKeys, sealSecret } from './secrets.ts';
import { type Delivering, deliverDue, startDelivering } from './service/delivering.ts';
import { noteTransaction } from './service/noting.ts';
import { turnOff } from './service/switching-off.ts';
import { leaseMs, restartFailed } from './store/deliveries.ts';
import { findCompaniesListening, insertEndpoint, lockEndpoint } from './store/endpoints.ts';
import { endCurrent, insertSecret } from './store/secrets.ts';

let db: TestDatabase;
let company: TestCompany;
let member: string;
let clock: { now(): Date };
let nowMs: number;

const aheadMs = 60_000;
const keys = sealingKeys('k'.repeat(43));
const log = pino({ level: 'silent' });
const accepted: Outcome = { status: 200, problem: null, answer: 'ok', durationMs: 3 };
const refused: Outcome = { status: 500, problem: 'status', answer: 'out of order', durationMs: 3 };

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  company = await openTestCompany(db);
  member = newId();
  await db.app.withCompany(company.id, async (tx) => {
    await sql`insert into company (company_id, name) values (company_id(), 'Harbour')`.execute(tx);
    await sql`insert into member (company_id, id, identifier, email, language, role_id)
      values (company_id(), ${member}, ${newId()}, ${`${member}@example.com`}, 'en_US', ${systemRoleIds.administrator})`.execute(
      tx,
    );
  });
  // What earlier tests left is not due in this one.
  await db.worker.withoutCompany((tx) =>
    sql`update webhook_delivery set next_at = 'infinity' where state = 'waiting'`.execute(tx),
  );
  // Ahead of the database's, by which rows are due as soon as they are made.
  nowMs = Date.now() + aheadMs;
  clock = { now: () => new Date(nowMs) };
});

interface Endpoint {
  id: string;
  secret: string;
  url: string;
}

async function open(
  url = `https://${newId()}.example/hooks`,
  events: ('deposit.credited' | 'deposit.detected')[] | null = null,
) {
  const endpoint: Endpoint = { id: newId(), secret: newSecret(), url };
  await db.app.withCompany(company.id, async (tx) => {
    await insertEndpoint(tx, { id: endpoint.id, url, description: '', events, createdBy: member }, 20);
    await insertSecret(tx, endpoint.id, sealSecret(keys, endpoint.secret, endpoint.id));
  });
  return endpoint;
}

/** A deposit that was credited, and its event. */
async function deposit(of = company): Promise<string> {
  const id = await insertTestTransaction(db, of, {
    payerAccount: '0xfeed',
    hash: `0x${'a'.repeat(64)}`,
    blockNumber: 7,
  });
  await db.worker.withCompany(of.id, (tx) => noteTransaction(tx, id));
  return id;
}

function worker(post: (posting: Posting) => Promise<Outcome>, database: Database = db.worker): Delivering {
  return { database, keys, post: (posting) => post(posting), clock, log, random: () => 0.5 };
}

/** A receiver that keeps what it is sent. */
function keeping(sent: Posting[], outcome: Outcome) {
  return async (posting: Posting) => {
    sent.push(posting);
    return outcome;
  };
}

interface Row {
  id: string;
  eventId: string;
  endpointId: string;
  state: string;
  attempts: number;
  dueInMs: number | null;
  problem: string | null;
}

async function deliveries(of = company): Promise<Row[]> {
  const { rows } = await db.app.withCompany(of.id, (tx) =>
    sql<Row>`
      select id, event_id as "eventId", endpoint_id as "endpointId", state, attempts, last_problem as problem,
        round(extract(epoch from next_at - ${clock.now()}) * 1000)::float8 as "dueInMs"
      from webhook_delivery where company_id = company_id() order by created_at, id`.execute(tx),
  );
  return rows;
}

const noticesOf = async () =>
  (
    await db.app.withCompany(company.id, (tx) =>
      sql<{ kind: string }>`select kind from notice where company_id = company_id() order by id`.execute(tx),
    )
  ).rows.map(({ kind }) => kind);

/** Every delivery of this company from now on; those of other tests' companies are left. */
async function rounds(deps: Delivering, most = 50): Promise<void> {
  for (let round = 0; round < most; round += 1) if ((await deliverDue(deps)) === 0) return;
}

test('an event is made once, for the endpoints that chose its type, and says what the books need', async () => {
  const all = await open();
  const some = await open(undefined, ['deposit.detected']);
  const other = await openTestCompany(db);
  const id = await deposit();
  await db.worker.withCompany(company.id, (tx) => noteTransaction(tx, id));
  await deposit(other);
  expect(await deliveries()).toMatchObject([{ endpointId: all.id, state: 'waiting', attempts: 0 }]);
  expect(await deliveries(other)).toEqual([]);
  expect(await db.worker.withoutCompany((tx) => findCompaniesListening(tx, [company.id, other.id]))).toEqual(
    new Set([company.id]),
  );

  const sent: Posting[] = [];
  await rounds(worker(keeping(sent, accepted)));
  expect(sent).toHaveLength(1);
  const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = sent;
  expect(url).toBe(all.url);
  const verified = new Webhook(all.secret).verify(body, { ...headers });
  expect(verified).toMatchObject({
    type: 'deposit.credited',
    data: {
      transactionId: id,
      status: 'completed',
      asset: 'USDT',
      amount: '5.000000',
      fee: '0.000000',
      chain: 'ethereum',
      payer: { account: '0xfeed' },
      blockNumber: 7,
    },
  });
  expect(JSON.stringify(verified)).not.toContain(other.id);
  expect(() => new Webhook(some.secret).verify(body, { ...headers })).toThrow();
  expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 1, dueInMs: null }]);
});

test('what happened before an endpoint was there, or while it was off, is not delivered', async () => {
  await deposit();
  const endpoint = await open();
  const earlier = await insertTestTransaction(db, company, { createdAt: new Date(Date.now() - 60_000).toISOString() });
  await db.worker.withCompany(company.id, (tx) => noteTransaction(tx, earlier));
  expect(await deliveries()).toEqual([]);
  await db.app.withCompany(company.id, async (tx) => {
    const row = await lockEndpoint(tx, endpoint.id);
    if (row) await turnOff(tx, row, 'member', { actor: { kind: 'system', id: 'test' }, at: clock.now() });
  });
  await deposit();
  expect(await deliveries()).toEqual([]);
});

test('what is refused is sent again after each pause, with the same id and body, and has failed after the last', async () => {
  const endpoint = await open();
  await deposit();
  const sent: Posting[] = [];
  const deps = worker(keeping(sent, refused));
  for (const seconds of webhookRetrySeconds) {
    expect(await deliverDue(deps)).toBe(1);
    expect(await deliverDue(deps)).toBe(0);
    expect((await deliveries())[0]).toMatchObject({ state: 'waiting', dueInMs: seconds * 1000, problem: 'status' });
    nowMs += seconds * 1000 - 1;
    expect(await deliverDue(deps)).toBe(0);
    nowMs += 1;
    // Longer than an endpoint that fails is left alone.
    await db.worker.withCompany(company.id, (tx) =>
      sql`update webhook_endpoint set paused_until = null where company_id = company_id() and id = ${endpoint.id}`.execute(
        tx,
      ),
    );
  }
  expect(await deliverDue(deps)).toBe(1);
  expect((await deliveries())[0]).toMatchObject({
    state: 'failed',
    attempts: webhookRetrySeconds.length + 1,
    dueInMs: null,
  });
  expect(new Set(sent.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql`select number, status, answer, headers ? 'webhook-signature' as signed from webhook_attempt where company_id = company_id() order by number`.execute(
      tx,
    ),
  );
  expect(rows).toHaveLength(webhookRetrySeconds.length + 1);
  expect(rows[0]).toEqual({ number: 1, status: 500, answer: 'out of order', signed: false });

  // Resent, it begins again with the same id.
  expect(await db.app.withCompany(company.id, (tx) => restartFailed(tx, endpoint.id, new Date(0), clock.now()))).toBe(
    1,
  );
  nowMs += 300_000;
  await rounds(worker(keeping(sent, accepted)));
  expect(sent.at(-1)?.headers['webhook-id']).toBe(sent[0]?.headers['webhook-id']);
  expect((await deliveries())[0]).toMatchObject({ state: 'delivered' });
});

test('two workers deliver each once, a few of an endpoint at a time', async () => {
  const endpoint = await open();
  for (let count = 0; count < 30; count += 1) await deposit();
  const sent: string[] = [];
  let underWay = 0;
  let most = 0;
  const post = async ({ headers, url }: Posting) => {
    if (url === endpoint.url) sent.push(headers['webhook-id'] ?? '');
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return accepted;
  };
  const both = [worker(post), worker(post)];
  await vi.waitFor(
    async () => {
      await Promise.all(both.map((each) => deliverDue(each)));
      expect((await deliveries()).every(({ state }) => state === 'delivered')).toBe(true);
    },
    { timeout: 30_000, interval: 1 },
  );
  expect(sent).toHaveLength(30);
  expect(new Set(sent).size).toBe(30);
  expect(most).toBeLessThanOrEqual(mostPerEndpoint);
});

test('a worker that is killed leaves its delivery to another, once its lease has run out', async () => {
  await open();
  await deposit();
  const sent: string[] = [];
  let killed: () => void = () => undefined;
  const hanging = deliverDue(
    worker(({ headers }) => {
      sent.push(headers['webhook-id'] ?? '');
      return new Promise((resolve) => {
        killed = () => resolve(refused);
      });
    }),
  );
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  const other = worker(async ({ headers }) => {
    sent.push(headers['webhook-id'] ?? '');
    return accepted;
  });
  nowMs += leaseMs - 1;
  expect(await deliverDue(other)).toBe(0);
  nowMs += 1;
  expect(await deliverDue(other)).toBe(1);
  expect(new Set(sent).size).toBe(1);
  expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  // It was not dead, and comes back late with a failure: that is written down and changes nothing.
  killed();
  await hanging;
  expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
});

test('whenever a worker dies, it is delivered at least once, with one id, and ends as delivered', async () => {
  const mortal = mortalDatabase(db.worker);
  const deaths = await eachDeath(async (transactions, moment) => {
    const endpoint = await open();
    await deposit();
    const sent: string[] = [];
    const post = async ({ headers, url }: Posting) => {
      if (url === endpoint.url) sent.push(headers['webhook-id'] ?? '');
      return accepted;
    };
    const life = mortal.doom(transactions, moment);
    await deliverDue(worker(post, mortal)).catch(() => undefined);
    const { isOver } = life;
    mortal.revive();
    nowMs += leaseMs;
    await rounds(worker(post));
    const own = (await deliveries()).filter(({ endpointId }) => endpointId === endpoint.id);
    expect(own).toMatchObject([{ state: 'delivered' }]);
    expect(sent.length).toBeGreaterThanOrEqual(1);
    expect(new Set(sent).size).toBe(1);
    await db.app.withCompany(company.id, async (tx) => {
      const row = await lockEndpoint(tx, endpoint.id);
      if (row) await turnOff(tx, row, 'member', { actor: { kind: 'system', id: 'test' }, at: clock.now() });
    });
    return isOver;
  });
  // Claiming, reading, writing down: before the commit and after it.
  expect(deaths).toBe(6);
});

test('while both secrets are valid a delivery is signed with both, afterwards with the new one', async () => {
  const endpoint = await open();
  const next = newSecret();
  await db.app.withCompany(company.id, async (tx) => {
    await endCurrent(tx, endpoint.id, new Date(nowMs + 3_600_000));
    await insertSecret(tx, endpoint.id, sealSecret(keys, next, endpoint.id));
  });
  const sent: Posting[] = [];
  const deps = worker(keeping(sent, accepted));
  await deposit();
  await rounds(deps);
  // By the receivers' own clocks, which are real.
  for (const secret of [next, endpoint.secret]) {
    expect(new Webhook(secret).verify(sent[0]?.body ?? '', { ...sent[0]?.headers })).toMatchObject({
      type: 'deposit.credited',
    });
  }
  nowMs += 3_600_000;
  await deposit();
  await rounds(deps);
  expect(sent[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  const { headers = {}, body = '' } = sent[1] ?? {};
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  expect(headers['webhook-signature']).toBe(new Webhook(next).sign(headers['webhook-id'] ?? '', at, body));
});

test('410 switches an endpoint off: what waits fails, and administrators are notified', async () => {
  const endpoint = await open();
  for (let count = 0; count < 3; count += 1) await deposit();
  const gone: Outcome = { ...refused, status: 410, problem: 'gone' };
  await deliverDue(worker(async ({ url }) => (url === endpoint.url ? gone : accepted)));
  const rows = await deliveries();
  expect(rows.every(({ state }) => state === 'failed')).toBe(true);
  expect(await noticesOf()).toEqual(['organisation.webhookGone']);
  const row = await db.app.withCompany(company.id, (tx) => lockEndpoint(tx, endpoint.id));
  expect(row).toMatchObject({ enabled: false, offReason: 'gone' });
  await deposit();
  expect(await deliveries()).toHaveLength(3);
});

test('five days of failures switch it off, a success in between does not', async () => {
  const endpoint = await open();
  await deposit();
  let outcome = refused;
  const deps = worker(async () => outcome);
  await deliverDue(deps);
  nowMs += (webhookFailingDays * 86_400 - 1) * 1000;
  outcome = accepted;
  await rounds(deps);
  outcome = refused;
  await deposit();
  nowMs += 60_000;
  await deliverDue(deps);
  expect(await noticesOf()).toEqual([]);
  nowMs += webhookFailingDays * 86_400_000;
  await deliverDue(deps);
  expect(await noticesOf()).toEqual(['organisation.webhookFailing']);
  const row = await db.app.withCompany(company.id, (tx) => lockEndpoint(tx, endpoint.id));
  expect(row).toMatchObject({ enabled: false, offReason: 'failing' });
});

test('an endpoint that fails again and again is left alone, and then tried with one', async () => {
  const endpoint = await open();
  for (let count = 0; count < 12; count += 1) await deposit();
  let sent = 0;
  const deps = worker(async ({ url }) => {
    if (url === endpoint.url) sent += 1;
    return refused;
  });
  while (sent < failuresBeforePause) await deliverDue(deps);
  const before = sent;
  expect(await deliverDue(deps)).toBe(0);
  nowMs += 3_600_000;
  expect(await deliverDue(deps)).toBe(1);
  expect(sent).toBe(before + 1);
  // The others have waited and used up no try.
  expect((await deliveries()).filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(0);
});

test('a slow endpoint holds up no other', async () => {
  const slow = await open('https://slow.example/');
  for (let count = 0; count < 20; count += 1) await deposit();
  const other = await openTestCompany(db);
  const sent: string[] = [];
  let hanging = 0;
  const loop = startDelivering({
    ...worker(async () => accepted),
    post: ({ url }, signal) => {
      sent.push(url);
      if (url !== slow.url) return Promise.resolve(accepted);
      hanging += 1;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  try {
    await vi.waitFor(() => expect(hanging).toBe(mostPerEndpoint), { timeout: 10_000 });
    company = other;
    await db.app.withCompany(other.id, async (tx) => {
      await sql`insert into company (company_id, name) values (company_id(), 'Other')`.execute(tx);
      await sql`insert into member (company_id, id, identifier, email, language, role_id)
        values (company_id(), ${member}, ${newId()}, ${`other-${member}@example.com`}, 'en_US', ${systemRoleIds.administrator})`.execute(
        tx,
      );
    });
    const fast = await open('https://fast.example/');
    nowMs = Date.now() + aheadMs;
    await deposit();
    await vi.waitFor(() => expect(sent).toContain(fast.url), { timeout: 10_000 });
    await vi.waitFor(async () => expect(await deliveries()).toMatchObject([{ state: 'delivered' }]), {
      timeout: 10_000,
    });
    expect(hanging).toBe(mostPerEndpoint);
  } finally {
    await loop.stop();
  }
  // What was under way is given back at the stop, and no try is used up.
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql`select from webhook_delivery where endpoint_id = ${slow.id} and (attempts > 0 or lease_id is not null)`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([]);
});
