import { chmod, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Postgres, startPostgres } from './postgres.ts';

let dir: string;
let running: Postgres[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  await chmod(dir, 0o711);
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((instance) => instance.stop()));
  await rm(dir, { recursive: true, force: true });
});

async function start(options: Parameters<typeof startPostgres>[0]): Promise<Postgres> {
  const instance = await startPostgres(options);
  running.push(instance);
  return instance;
}

async function query(instance: Postgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: instance.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Tests of this file wait for a database to start: what the whole product's own tests show as well, with `npm run proof`. */
const proofTest = test.runIf(process.env['PROOF_ROUNDS'] !== undefined);

proofTest('a fresh cluster is UTF-8, has the builtin locale, asks for SCRAM passwords and writes through', async () => {
  const instance = await start({ dir: join(dir, 'db') });
  expect(await query(instance, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  expect(
    await query(
      instance,
      `SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding) AS encoding
         FROM pg_database WHERE datname = 'postgres'`,
    ),
  ).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8' }]);
  await expect(
    query({ ...instance, url: instance.urlFor('postgres', 'postgres', 'wrong') }, 'SELECT 1'),
  ).rejects.toThrow(/password authentication failed/);
  expect((await stat(join(instance.home, 'superuser-password'))).mode & 0o777).toBe(0o600);
});

test('what was committed is there after stop and after kill -9', async () => {
  const first = await start({ dir: join(dir, 'db') });
  await query(first, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)');
  await first.stop();
  const second = await start({ dir: join(dir, 'db') });
  await query(second, 'INSERT INTO kept VALUES (2)');
  await second.kill();
  const third = await start({ dir: join(dir, 'db') });
  expect(await query(third, 'SELECT n FROM kept ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
});

proofTest('an ephemeral instance leaves nothing behind', async () => {
  const instance = await startPostgres({ fsync: false });
  expect(await query(instance, 'SHOW max_connections')).toEqual([{ max_connections: '200' }]);
  await instance.stop();
  await expect(stat(instance.home)).rejects.toThrow(/ENOENT/);
});

test('a taken port, a running cluster and a damaged one are told apart', async () => {
  const instance = await start({ dir: join(dir, 'db') });
  await expect(startPostgres({ dir: join(dir, 'db') })).rejects.toMatchObject({ kind: 'in_use' });
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  await expect(startPostgres({ dir: join(dir, 'other'), port })).rejects.toMatchObject({ kind: 'port_taken' });
  listener.close();
  await instance.stop();
  await truncate(join(instance.home, 'cluster', 'global', 'pg_control'), 100);
  await expect(startPostgres({ dir: join(dir, 'db') })).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining(join(instance.home, 'cluster')),
  });
});

proofTest('a first start that was cut off in the middle is begun again', async () => {
  const instance = await start({ dir: join(dir, 'db') });
  await instance.stop();
  await rm(join(instance.home, 'cluster'), { recursive: true });
  await writeFile(join(instance.home, 'cluster.new'), 'left over');
  const again = await start({ dir: join(dir, 'db') });
  expect(await query(again, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
