import { once } from 'node:events';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { openTcpSwitch, type TcpSwitch } from '../../testing/tcp-switch.ts';
import { type Database, openDatabase } from './database.ts';
import { isOutage } from './outage.ts';
import { addressesOf, createClient, databaseAddressProblem } from './primary.ts';

test('an address with several hosts is one for each, with all that is said of them', () => {
  expect(
    addressesOf('postgres://u:p%40x@a,b:6000,[::1]:7000/db?sslmode=verify-full&target_session_attrs=read-write'),
  ).toEqual([
    'postgres://u:p%40x@a/db?sslmode=verify-full',
    'postgres://u:p%40x@b:6000/db?sslmode=verify-full',
    'postgres://u:p%40x@[::1]:7000/db?sslmode=verify-full',
  ]);
  expect(addressesOf('postgresql://a/db')).toEqual(['postgresql://a/db']);
  expect(addressesOf('postgres://a/db?target_session_attrs=read-write')).toEqual(['postgres://a/db']);
});

test.each([
  'postgres://u:p@db.internal:5432/causeway',
  'postgres://u:p@a,b,c:6432/causeway?target_session_attrs=read-write',
  'postgresql://u@a/causeway?target_session_attrs=primary',
])('%s is usable', (url) => {
  expect(databaseAddressProblem(url)).toBeNull();
});

test.each([
  ['https://a/db', 'is not usable'],
  ['postgres://a:x/db', 'is not usable'],
  ['postgres://u@a,/db?target_session_attrs=read-write', 'is not usable'],
  ['postgres://a,b/db', 'target_session_attrs=read-write'],
  ['postgres://a,b/db?target_session_attrs=prefer-standby', 'another target_session_attrs'],
])('%s is refused', (url, problem) => {
  expect(databaseAddressProblem(url)).toContain(problem);
});

let db: TestDatabase;
let hosts: [TcpSwitch, TcpSwitch];
let database: Database;
let url: string;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  const own = new URL(db.urlFor('causeway_worker'));
  hosts = [await openTcpSwitch(Number(own.port)), await openTcpSwitch(Number(own.port))];
  const { username, password, pathname } = own;
  const places = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
  url = `postgres://${username}:${password}@${places}${pathname}?target_session_attrs=read-write`;
  database = openDatabase(url, { poolSize: 2, applicationName: 'primary' });
});
afterEach(async () => {
  await database.close();
  await Promise.all(hosts.map((host) => host.close()));
  await setReadOnly(false);
});

/** For sessions that begin from now on. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: db.superuserUrl, options: '-c default_transaction_read_only=off' });
  await client.connect();
  const name = client.escapeIdentifier(new URL(db.superuserUrl).pathname.slice(1));
  await client.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
  await client.end();
}

const write = () => database.withoutCompany((tx) => sql`delete from outbox where false`.execute(tx));

test('the first host is used while it accepts writes, and the next one when it is gone', async () => {
  await write();
  expect(hosts[1].connections).toBe(0);
  hosts[0].down();
  await write();
  expect(hosts[1].connections).toBeGreaterThan(0);
  hosts[0].mend();
  hosts[1].down();
  await write();
  expect(hosts[0].connections).toBeGreaterThan(0);
});

test('hosts that are read-only are an outage until one accepts writes, and no connection to them is kept', async () => {
  await setReadOnly(true);
  const refused = await write().catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'NoPrimary' });
  expect(isOutage(refused)).toBe(true);
  await setReadOnly(false);
  await write();
});

test('a connection that turned out read-only is not used again, by whomever it was noticed', async () => {
  const client = await database.pool.connect();
  await client.query('set default_transaction_read_only = on');
  await expect(client.query('delete from outbox')).rejects.toMatchObject({ code: '25006' });
  // As Graphile Worker does, without saying that anything was wrong.
  client.release();
  // At once: the pool itself closes connections that were idle for long.
  expect(database.pool.idleCount).toBe(0);
  await write();
});

test('a client that listens connects to the host that accepts writes', async () => {
  hosts[0].down();
  const client = createClient(url, { application_name: 'listener' });
  await client.connect();
  await client.query('listen primary_test');
  const heard = once(client, 'notification');
  await database.pool.query("notify primary_test, 'hello'");
  expect((await heard)[0]).toMatchObject({ payload: 'hello' });
  await client.end();
});

test('a connection lost before COMMIT was sent is made again; one lost afterwards is reported', async () => {
  const single = openDatabase(`${url.split(',')[0]}${new URL(db.superuserUrl).pathname}`, {
    poolSize: 1,
    applicationName: 'commit',
  });
  let runs = 0;
  const work = (name: string) =>
    single.withoutCompany(async (tx) => {
      runs += 1;
      await sql`insert into throttle (bucket, events, window_ends_at) values (${name}, 1, now())`.execute(tx);
    });
  const before = hosts[0].cutAfter('insert into throttle');
  await work('before');
  await before;
  expect(runs).toBe(2);
  const after = hosts[0].cutAfter('commit');
  const failure = await work('after').catch((error: unknown) => error);
  await after;
  expect(isOutage(failure)).toBe(true);
  expect(runs).toBe(3);
  const { rows } = await db.worker.pool.query(
    "select bucket from throttle where bucket in ('before', 'after') order by 1",
  );
  expect(rows).toEqual([{ bucket: 'after' }, { bucket: 'before' }]);
  await single.close();
});
