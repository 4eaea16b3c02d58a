import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { figuresOf } from '../../testing/bank-intake.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type HttpBank, openHttpBank } from '../../testing/http-bank.ts';
import { type MainApp, mainApp } from '../../testing/main-app.ts';

/** Events as they come in through the HTTP process: from the sandbox's bank itself, and from those who are not it. */

let db: TestDatabase;
let bank: HttpBank;
let main: MainApp;
let url: string;
let secret: string;
const previous = randomBytes(32).toString('hex');
beforeAll(async () => {
  db = await testDatabase();
  bank = await openHttpBank(db);
  secret = readFileSync(join(bank.bank.dir, 'keys/webhook-secret'), 'utf8').trim();
  main = await mainApp(db, undefined, { bankSecrets: new Map([['meridian', [secret, previous]]]) });
  const address = await main.app.listen({ host: '127.0.0.1', port: 0 });
  url = `${address}/hooks/banks/meridian`;
});
afterAll(async () => {
  expect(main.complaints).toEqual([]);
  await main.close();
  await bank.close();
  await db.close();
});

const kept = async () => {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ id: string; name: string; objectId: string | null }>`
      select id, name, object_id as "objectId" from bank_event order by received_at, id`.execute(tx),
  );
  return rows;
};
const body = (id: string, data: unknown = { id: 'd-1' }) => JSON.stringify({ id, name: 'deposit.settled', data });
const sign = (key: string, timestamp: string, text: string) =>
  createHmac('sha256', key).update(timestamp).update(text).digest('hex');

async function send(text: string, headers: Record<string, string> = {}, to = url): Promise<number> {
  const timestamp = headers['x-timestamp'] ?? String(Date.now());
  const signed = { 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, text) };
  const all = { 'content-type': 'application/json', ...signed, ...headers };
  const response = await fetch(to, { method: 'POST', body: text, headers: all });
  await response.arrayBuffer();
  return response.status;
}

test('the bank’s own events are stored and acknowledged, and the deposit that they name is credited', async () => {
  const companyId = newId();
  await db.app.withCompany(companyId, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Pearl River Trading Limited')`.execute(tx),
  );
  await bank.openWallets(companyId);
  await bank.bank.change((turn) => {
    const settings = turn.get('settings', 'now') ?? {
      payouts: { mode: 'settle', reason: 'AC04' },
      skipStatements: false,
    };
    turn.put('settings', 'now', { ...settings, webhooks: { url, mode: 'on' } } as never);
  });
  const { rows } = await db.worker.withCompany(companyId, (tx) =>
    sql<{ id: string; number: string }>`
      select w.id, b.account_number as number from wallet w join bank_account b using (company_id, bank_id, asset_id)
      where company_id = company_id() and asset_id = 'JPY'`.execute(tx),
  );
  const [wallet] = rows;
  const deposit = await bank.payIn(wallet?.number ?? '', '5000');
  await vi.waitFor(
    async () => {
      const states = bank.bank.records.all('webhooks').map(({ state }) => state);
      expect(states).toEqual(['delivered', 'delivered']);
    },
    { timeout: 20_000 },
  );
  expect((await kept()).map(({ name, objectId }) => [name, objectId])).toEqual([
    ['deposit.pending', deposit],
    ['deposit.settled', deposit],
  ]);
  for (const { id } of bank.bank.records.all('webhooks')) {
    expect(await bank.bank.webhooks.again(id)).toBe('200');
    expect(await bank.bank.webhooks.forge(id)).toBe('401');
  }
  expect(await kept()).toHaveLength(2);
  await bank.visit();
  expect(await figuresOf(db, companyId, wallet?.id ?? '')).toEqual({ bank: -5000n, available: 5000n });
});

test('a secret that is being changed is taken as well', async () => {
  const text = body('rotated');
  const timestamp = String(Date.now());
  expect(await send(text, { 'x-timestamp': timestamp, 'x-signature': sign(previous, timestamp, text) })).toBe(200);
  expect((await kept()).map(({ id }) => id)).toContain('rotated');
});

test('what is not signed, signed otherwise, changed, or of another time is refused, and nothing is stored', async () => {
  const before = await kept();
  const text = body('forged');
  const timestamp = String(Date.now());
  const old = String(Date.now() - 6 * 60_000);
  const early = String(Date.now() + 6 * 60_000);
  const cases: Record<string, string>[] = [
    { 'x-signature': '' },
    { 'x-signature': 'f'.repeat(64) },
    { 'x-signature': sign('another secret', timestamp, text), 'x-timestamp': timestamp },
    { 'x-signature': sign(secret, timestamp, `${text} `), 'x-timestamp': timestamp },
    { 'x-signature': sign(secret, timestamp, text), 'x-timestamp': String(Number(timestamp) + 1) },
    { 'x-signature': sign(secret, old, text), 'x-timestamp': old },
    { 'x-signature': sign(secret, early, text), 'x-timestamp': early },
    { 'x-signature': sign(secret, 'soon', text), 'x-timestamp': 'soon' },
  ];
  for (const headers of cases) expect(await send(text, headers), JSON.stringify(headers)).toBe(401);
  const refused = await main.app.inject({ method: 'POST', url: '/hooks/banks/meridian', payload: { id: 'x' } });
  expect(refused.json()).toMatchObject({ key: 'bankEventRefused', code: 5040 });
  expect(await send(text, {}, url.replace('meridian', 'harbour'))).toBe(404);
  expect(await send(JSON.stringify({ id: 'x' }))).toBe(400);
  expect(await send('not json')).toBe(400);
  expect(await send(body('large', { id: 'd', filler: 'x'.repeat(70_000) }))).toBe(413);
  expect(await kept()).toEqual(before);
});

test('an event is not acknowledged before it is stored', async () => {
  const timestamp = String(Date.now());
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  await client.query('begin');
  await client.query('lock table causeway.bank_event in access exclusive mode');
  const sent = send(body('slow'), { 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, body('slow')) });
  await vi.waitFor(
    async () => {
      const { rows } = await client.query(
        `select from pg_locks where relation = 'causeway.bank_event'::regclass and not granted`,
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000 },
  );
  await client.query('commit');
  expect(await sent).toBe(200);
  expect((await kept()).map(({ id }) => id)).toContain('slow');
  await client.end();
});

test('an address that guesses is answered without further work', async () => {
  const statuses = new Set<number>();
  for (let i = 0; i < 70; i++) statuses.add(await send(body('guess'), { 'x-signature': 'f'.repeat(64) }));
  expect([...statuses]).toEqual([401, 429]);
});
