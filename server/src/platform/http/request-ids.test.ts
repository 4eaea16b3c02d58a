import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { failure } from '@causeway/contract/call.ts';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadTexts } from '../text/texts.ts';
import { createApp } from './app.ts';
import { registerWebApp } from './web-app.ts';

/** Every failure that a caller sees carries a request id, and the log has a line with the same id. */

let app: FastifyInstance;
let port: number;
let lines: Record<string, unknown>[] = [];
const directory = mkdtempSync(join(tmpdir(), 'causeway-ids-'));
const outages: Record<string, Error> = {
  sentence: new Error('Connection terminated unexpectedly'),
  readOnly: Object.assign(new pg.DatabaseError('read-only', 1, 'error'), { code: '25006' }),
  reset: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
};

beforeAll(async () => {
  loadTexts();
  writeFileSync(join(directory, 'index.html'), '<!doctype html>');
  writeFileSync(join(directory, 'file.txt'), 'text');
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const inlineHashes = { script: [], style: [] };
  app = await createApp({ log: pino({ level: 'info' }, stream), trustedProxies: [], inlineHashes });
  app.post('/web/echo', async ({ body }) => body);
  app.get('/web/fault', async () => {
    throw new Error('a fault of ours');
  });
  app.get<{ Params: { name: string } }>('/web/outage/:name', async ({ params }) => {
    throw outages[params.name] ?? new Error('none');
  });
  await registerWebApp(app, directory);
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  lines = [];
});

const xml = { method: 'POST', body: '<a/>', headers: { 'content-type': 'application/xml' } };
const json = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });

test.each<[string, string, RequestInit, number, string]>([
  ['an unknown call', '/web/nothing', {}, 404, 'notFound'],
  ['an unknown asset', '/assets/nothing.js', {}, 404, 'notFound'],
  ['an address that cannot be decoded', '/web/%ff', {}, 404, 'notFound'],
  ['a body that is no JSON', '/web/echo', json('{'), 400, 'validationFailed'],
  ['a body that is too large', '/web/echo', json(`"${'a'.repeat(200_000)}"`), 413, 'bodyTooLarge'],
  ['a body of another kind', '/web/echo', xml, 415, 'unsupportedMediaType'],
  ['a fault of ours', '/web/fault', {}, 500, 'unexpected'],
  ['a connection that was lost', '/web/outage/sentence', {}, 503, 'unavailable'],
  ['a database that is read-only', '/web/outage/readOnly', {}, 503, 'unavailable'],
  ['a connection that was reset', '/web/outage/reset', {}, 503, 'unavailable'],
])('%s', async (_what, path, init, status, key) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const envelope = failure.parse(await answer.json());
  expect({ status: answer.status, key: envelope.key }).toEqual({ status, key });
  expect(envelope.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('x-request-id')).toBe(envelope.requestId);
  expect(lines.filter((line) => line['requestId'] === envelope.requestId)).toContainEqual(
    expect.objectContaining({ key, msg: 'refused' }),
  );
});

test.each([
  ['what is not HTTP', 'HELO example.com\r\n\r\n', 400, 'validationFailed'],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
    431,
    'headersTooLarge',
  ],
])('%s', async (_what, bytes, status, key) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const envelope = failure.parse(JSON.parse(body));
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain(`x-request-id: ${envelope.requestId}`);
  expect(envelope.key).toBe(key);
  expect(lines).toContainEqual(expect.objectContaining({ requestId: envelope.requestId, key }));
});

test('what succeeds carries an id as well, streams and files included', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/file.txt`);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});
