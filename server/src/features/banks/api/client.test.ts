import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { HttpConnection } from '../../../platform/config/bank-connections.ts';
import { type BankApi, createBankApi } from './client.ts';

/** What the client makes of a server's answers, and how often it asks. */

let folder: string;
let server: Server;
let api: BankApi;
let connection: HttpConnection;
/** Answers in turn; the last one again and again. */
let answers: ((response: ServerResponse) => void)[];
let asked: string[];
let logins: number;
let tokenEnds: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-api-'));
  writeFileSync(join(folder, 'key'), 'the key\n');
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  [answers, asked, logins] = [[], [], 0];
  tokenEnds = '2999-01-01T00:00:00+0000';
  server = createServer((request, response) => {
    if (request.url?.endsWith('/login')) {
      logins += 1;
      expect(request.headers['x-api-key']).toBe('the key');
      json(201, { token: `token-${logins}`, expires_at: tokenEnds })(response);
      return;
    }
    asked.push(`${request.method} ${request.headers.authorization}`);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  connection = {
    bank: 'meridian',
    kind: 'http',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'client',
    apiKeyFile: join(folder, 'key'),
    accountCountries: {},
    pollIntervalMs: 1000,
    timeoutMs: 2000,
  };
  api = createBankApi(connection);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const shape = z.object({ amount: z.string() });
const get = () => api.get('/api/v1/x', shape);
const post = () => api.post('/api/v1/x', shape, { a: 1 });

test('a token is used for all requests, those at the same time included, and renewed before it ends', async () => {
  answers = [json(200, { amount: 1.5 })];
  expect(await Promise.all([get(), get(), post()])).toEqual(Array(3).fill({ amount: '1.5' }));
  expect(logins).toBe(1);
  tokenEnds = new Date(Date.now() + 30_000).toISOString();
  api = createBankApi(connection);
  await get();
  await get();
  expect(logins).toBe(3);
});

test('a token that ended early is renewed once, for a change as well; a key that is refused is said to be', async () => {
  answers = [json(401, { code: 'credentials_invalid' }), json(201, { amount: 2 })];
  expect(await post()).toEqual({ amount: '2' });
  expect(asked).toEqual(['POST Bearer token-1', 'POST Bearer token-2']);
  answers = [json(401, { code: 'credentials_invalid', message: 'no' })];
  await expect(get()).rejects.toMatchObject({ isSignIn: true, outcome: 'notSent' });
});

test.each([
  ['an error of the server', json(500, { code: 'internal_error' }), 'unknown'],
  ['an error of a proxy', json(502, 'bad gateway'), 'unknown'],
  ['a refusal that is not in the bank’s form', json(403, 'no'), 'unknown'],
  [
    'half an answer',
    (response: ServerResponse) => response.writeHead(200, { 'content-length': 100 }).end('{"amo'),
    'unknown',
  ],
  ['no answer in time', () => undefined, 'unknown'],
  ['a connection that is closed', (response: ServerResponse) => response.destroy(), 'unknown'],
  ['an answer of another form', json(200, { amount: [] }), 'unknown'],
  [
    'another address',
    (response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end(),
    'unknown',
  ],
  ['too many requests', json(429, { code: 'too_many_requests' }), 'notSent'],
  ['a refusal', json(400, { code: 'invalid_argument', message: 'no', source: 'amount' }), 'refused'],
] as const)('%s: a change is sent once, and its outcome said', async (_, answer, outcome) => {
  answers = [answer];
  await expect(post()).rejects.toMatchObject({ name: 'BankApiError', outcome });
  expect(asked).toHaveLength(1);
});

test('a server that is not there has carried nothing out', async () => {
  api = createBankApi({ ...connection, url: 'http://127.0.0.1:1' });
  await expect(post()).rejects.toMatchObject({ outcome: 'notSent' });
});

test('a read is repeated until it succeeds, three times at most, and not where it is refused', async () => {
  answers = [json(500, {}), (response) => response.destroy(), json(200, { amount: 3 })];
  expect(await get()).toEqual({ amount: '3' });
  expect(asked).toHaveLength(3);
  answers = [json(500, {})];
  await expect(get()).rejects.toMatchObject({ status: 500 });
  expect(asked).toHaveLength(6);
  answers = [json(404, { code: 'not_found' })];
  await expect(get()).rejects.toMatchObject({ status: 404, outcome: 'refused', code: 'not_found' });
  expect(asked).toHaveLength(7);
});
