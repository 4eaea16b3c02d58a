import { type Call, call, nothing } from '@causeway/contract/call.ts';
import { uploadFile } from '@causeway/contract/files.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type SessionApp, sessionApp } from '../../testing/session-app.ts';
import type { Tx } from '../database/database.ts';
import { newId } from '../ids.ts';
import { type Http, route, withPorts } from './route.ts';

let db: TestDatabase;
let http: SessionApp;
/** What the use cases of this test were given. */
let seen: unknown[] = [];

const plain = { method: 'POST', access: 'signed-in', summary: '', output: nothing, errors: [] } as const;
const write = (tx: Tx) =>
  sql`insert into outbox (company_id, id, name, payload) values (company_id(), ${newId()}, 'test', '{}')`.execute(tx);
const written = async () => {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ n: number }>`select count(*) as n from outbox`.execute(tx),
  );
  return rows[0]?.n;
};

const calls = {
  reads: call({ ...plain, name: 'reads', path: '/test/reads' }),
  writes: call({
    ...plain,
    name: 'writes',
    path: '/test/writes/{id}',
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ size: z.string() }),
    body: z.strictObject({ name: z.string() }),
  }),
  moves: call({
    ...plain,
    name: 'moves',
    path: '/test/moves',
    movesMoney: true,
    body: z.strictObject({ id: z.string(), code: z.string() }),
    output: z.object({ moved: z.number() }),
  }),
  readsFirst: call({ ...plain, name: 'readsFirst', path: '/test/reads-first', movesMoney: true, output: z.string() }),
};

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (given) => {
    const composed = withPorts(given, { greet: (name: string) => `Hello ${name}` });
    route.read(composed, calls.reads, async (tx) => void (await write(tx)));
    route.write(composed, calls.writes, async (tx, { session, greet }, input) => {
      await write(tx);
      seen.push(input, greet(session.userName));
    });
    let moved = 0;
    route.money(composed, calls.moves, {
      request: ({ id }) => ({ id }),
      async work(tx) {
        await write(tx);
        moved += 1;
        return { moved };
      },
    });
    route.money(composed, calls.readsFirst, {
      read: async (tx) => (await sql<{ fact: string }>`select company_id()::text as fact`.execute(tx)).rows[0]?.fact,
      work: async (_tx, { session }, _input, fact) => {
        expect(fact).toBe(session.companyId);
        return `${fact}`;
      },
    });
  });
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  seen = [];
  await db.worker.withoutCompany((tx) => sql`delete from outbox`.execute(tx));
});

const post = (url: string, payload: object = {}, headers: Record<string, string> = {}) =>
  http.signIn(newId()).inject({ method: 'POST', url, payload, headers });

test('a read that writes is a failure of ours: PostgreSQL refuses it, and it is no outage', async () => {
  const answer = await post('/test/reads');
  expect(answer.statusCode).toBe(500);
  expect(await written()).toBe(0);
  // The same transaction as a write goes through.
  expect((await post('/test/writes/7?size=20', { name: 'x' })).statusCode).toBe(200);
  expect(await written()).toBe(1);
});

test('a use case gets parameters, query and body as one input, and what its feature was composed with', async () => {
  const answer = await post('/test/writes/7?size=20', { name: 'Ada' });
  expect(answer.json()).toMatchObject({ code: 0, data: null });
  expect(seen).toEqual([{ id: '7', size: '20', name: 'Ada' }, 'Hello Ada Wong']);
});

test('money moves once for a key, whatever of the request the key is not bound to; without a key it is refused', async () => {
  const caller = http.signIn(newId());
  const move = (payload: object, key?: string) =>
    caller.inject({ method: 'POST', url: '/test/moves', payload, headers: key ? { 'idempotency-key': key } : {} });
  expect((await move({ id: 'a', code: '1' })).json()).toMatchObject({ key: 'idempotencyKeyMissing' });
  expect(await written()).toBe(0);
  const first = await move({ id: 'a', code: '1' }, 'key-number-1');
  const again = await move({ id: 'a', code: '2' }, 'key-number-1');
  expect(again.json().data).toEqual(first.json().data);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  expect((await move({ id: 'b', code: '1' }, 'key-number-1')).json()).toMatchObject({ key: 'idempotencyKeyReused' });
  expect(await written()).toBe(1);
});

test('what a money call reads first reaches its work', async () => {
  const answer = await post('/test/reads-first', {}, { 'idempotency-key': 'key-number-2' });
  expect(answer.json()).toMatchObject({ code: 0, data: expect.stringMatching(/^[0-9a-f-]{36}$/) });
});

test('a call registered as the wrong kind keeps the process from starting', async () => {
  const register = (work: (given: Http) => void) => sessionApp(db.app, work);
  const never = async (): Promise<never> => {
    throw new Error('it is never called');
  };
  const money: Call = transferOut;
  await expect(register((given) => route.write(given, money, never))).rejects.toThrow('route.money');
  await expect(register((given) => route.read(given, money, never))).rejects.toThrow('route.money');
  await expect(register((given) => route.open(given, money, 'slow work', never))).rejects.toThrow('route.money');
  const free = listNotices as unknown as Call & { movesMoney: true };
  await expect(register((given) => route.money(given, free, never))).rejects.toThrow('moves no money');
  const open: Call = { ...uploadFile, access: 'public' };
  await expect(register((given) => route.write(given, open, never))).rejects.toThrow('route.open');
  const twice: Call = { ...calls.writes, body: z.strictObject({ id: z.string() }) };
  await expect(register((given) => route.write(given, twice, never))).rejects.toThrow('a field in two');
});
