import type { Socket } from 'node:net';
import { uploadFile } from '@causeway/contract/files.ts';
import { freePort } from '@causeway/sandbox/free-port.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connected, exchange, listen, requestOf, untilClosed } from '../../testing/raw-http.ts';
import { noDatabase } from '../../testing/session-app.ts';
import { systemClock } from '../clock.ts';
import { configSchemas, httpLimitsOf, type MainConfig } from '../config/config.ts';
import { newId } from '../ids.ts';
import { createHealth, serveHealth } from '../process/health.ts';
import { createApp } from './app.ts';
import { defaultHttpLimits, type HttpLimits } from './http-limits.ts';
import { route } from './route.ts';

/** Slow clients against short limits: every wait here is for the server's own act, or for a byte that is due. */

const short: HttpLimits = {
  ...defaultHttpLimits,
  headersTimeoutMs: 500,
  bodyGraceMs: 150,
  bodyMinBytesPerSecond: 2_000,
  idleTimeoutMs: 1_000,
  keepAliveTimeoutMs: 200,
  checkIntervalMs: 20,
};

let app: FastifyInstance | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const log = pino({ level: 'silent' });

async function started(
  limits: Partial<HttpLimits> = {},
  trustedProxies: readonly string[] = [],
): Promise<{ port: number; stored: string[] }> {
  const stored: string[] = [];
  app = await createApp({
    log,
    trustedProxies,
    inlineHashes: { script: [], style: [] },
    limits: { ...short, ...limits },
  });
  const session = { id: newId(), companyId: newId(), userId: newId(), userName: 'Ada Wong' };
  const authenticate = async () => ({ ...session, permissions: [uploadFile.access] });
  const http = { app, authenticate, database: noDatabase, clock: systemClock };
  route.open(http, uploadFile, 'slow work', async ({ upload }) => {
    stored.push(upload.name);
    const sizeBytes = upload.content.length;
    return {
      id: newId(),
      name: upload.name,
      type: 'application/pdf' as const,
      sizeBytes,
      createdAt: new Date().toISOString(),
    };
  });
  app.post('/echo', async (request) => request.body);
  app.get('/ok', async () => 'ok');
  return { port: await listen(app), stored };
}

/** Writes a byte every few milliseconds until the server hangs up. */
function dribble(socket: Socket, bytes: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (!socket.writable || at >= bytes.length) clearInterval(timer);
    else socket.write(bytes[at++] ?? '');
  }, 10);
  socket.once('close', () => clearInterval(timer));
}

const endless = 'x'.repeat(100_000);
const json = { 'content-type': 'application/json', 'content-length': '100000', connection: 'keep-alive' };
const authorised = { authorization: `Bearer ${'a'.repeat(43)}` };

function uploadHead(length: number): string {
  return requestOf(uploadFile.method, uploadFile.path, {
    ...authorised,
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': String(length),
  }).toString('latin1');
}
const partHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="scan.pdf"\r\n\r\n';

describe('a client that dribbles', () => {
  test('the body of a call is ended with 408', async () => {
    const { port } = await started();
    const socket = await connected(port);
    const answer = untilClosed(socket);
    socket.write(requestOf('POST', '/echo', json));
    dribble(socket, endless);
    const { status, headers, body } = await answer;
    expect(status).toBe(408);
    expect(JSON.parse(body)).toMatchObject({ code: 1013, key: 'requestTooSlow', data: null });
    expect(headers).toMatchObject({ connection: 'close', 'x-content-type-options': 'nosniff' });
  });

  test('a chunked body is ended with 408', async () => {
    const { port } = await started();
    const socket = await connected(port);
    const answer = untilClosed(socket);
    const { 'content-length': _, ...chunked } = json;
    socket.write(requestOf('POST', '/echo', { ...chunked, 'transfer-encoding': 'chunked' }));
    dribble(socket, '1\r\nx\r\n'.repeat(10_000));
    expect((await answer).status).toBe(408);
  });

  test('the headers is ended with 408', async () => {
    const { port } = await started();
    const socket = await connected(port);
    const answer = untilClosed(socket);
    dribble(socket, `GET /ok HTTP/1.1\r\nhost: localhost\r\nx: ${endless}`);
    expect((await answer).status).toBe(408);
  });

  test('an upload is ended with 408, and nothing of it is stored', async () => {
    const { port, stored } = await started();
    const socket = await connected(port);
    const answer = untilClosed(socket);
    socket.write(uploadHead(1_000_000) + partHead);
    dribble(socket, endless);
    expect((await answer).status).toBe(408);
    expect(stored).toEqual([]);
  });

  test('a body that was refused already is ended without a second answer', async () => {
    const { port } = await started();
    const socket = await connected(port);
    const answer = untilClosed(socket);
    socket.write(requestOf('GET', '/nothing', json));
    dribble(socket, endless);
    const { status, body } = await answer;
    expect(status).toBe(404);
    expect(body.match(/HTTP\/1\.1/g)).toBeNull();
  });
});

test('an upload at more than the minimal rate is taken, however long past the grace', async () => {
  const { port, stored } = await started();
  const socket = await connected(port);
  const answer = untilClosed(socket);
  const content = Buffer.alloc(60_000, '%');
  const tail = '\r\n--b--\r\n';
  const began = performance.now();
  socket.write(uploadHead(partHead.length + content.length + tail.length) + partHead);
  for (let at = 0; at < content.length; at += 2_000) {
    socket.write(content.subarray(at, at + 2_000));
    // Each step is worth a second at the minimal rate.
    const due = began + (at / 2_000 + 1) * 20;
    await vi.waitFor(() => expect(performance.now()).toBeGreaterThan(due), { interval: 2, timeout: 20_000 });
  }
  socket.write(tail);
  expect((await answer).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThan(2 * short.bodyGraceMs);
  expect(stored).toEqual(['scan.pdf']);
});

test('requests without a connection leave nothing behind that runs on', async () => {
  await started();
  const begun = vi.spyOn(globalThis, 'setInterval');
  for (let left = 5; left > 0; left -= 1) {
    expect((await app?.inject({ method: 'POST', url: '/echo', payload: { at: left } }))?.statusCode).toBe(200);
    expect((await app?.inject({ method: 'POST', url: '/nowhere', payload: { at: left } }))?.statusCode).toBe(404);
  }
  expect(begun).not.toHaveBeenCalled();
  begun.mockRestore();
});

test('a connection without a byte is closed, as is one that is kept alive and not used', async () => {
  const { port } = await started();
  const silent = await connected(port);
  const kept = await connected(port);
  kept.write(requestOf('GET', '/ok', { connection: 'keep-alive' }));
  const [nothing, ok] = await Promise.all([untilClosed(silent), untilClosed(kept)]);
  expect([0, 408]).toContain(nothing.status);
  expect(ok.status).toBe(200);
});

describe('connections', () => {
  test('are counted by address, and given back', async () => {
    const { port } = await started({ maxConnectionsPerAddress: 2, headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 });
    const held = [await connected(port), await connected(port)];
    expect((await exchange(port, requestOf('GET', '/ok'))).status).toBe(0);
    held[0]?.end();
    await vi.waitFor(async () => expect((await exchange(port, requestOf('GET', '/ok'))).status).toBe(200), {
      timeout: 20_000,
    });
    held[1]?.destroy();
  });

  test('behind a proxy are not counted by address', async () => {
    const { port } = await started({ maxConnectionsPerAddress: 1 }, ['127.0.0.1']);
    const held = await connected(port);
    expect((await exchange(port, requestOf('GET', '/ok'))).status).toBe(200);
    held.destroy();
  });

  test('are limited in all', async () => {
    const { port } = await started({ maxConnections: 2, headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 }, [
      '127.0.0.1',
    ]);
    const held = [await connected(port), await connected(port)];
    expect((await exchange(port, requestOf('GET', '/ok'))).status).toBe(0);
    for (const socket of held) socket.destroy();
    await vi.waitFor(async () => expect((await exchange(port, requestOf('GET', '/ok'))).status).toBe(200), {
      timeout: 20_000,
    });
  });
});

test('every limit comes from the configuration', () => {
  const names = Object.keys(configSchemas.main.shape).filter((name) =>
    /^HTTP_.*(_MS|_SECOND|CONNECTIONS|_ADDRESS)$/.test(name),
  );
  expect(names).toHaveLength(Object.keys(defaultHttpLimits).length);
  const shape = Object.fromEntries(
    names.map((name, index) => [
      name,
      configSchemas.main.shape[name as 'HTTP_IDLE_TIMEOUT_MS'].parse(String(index + 1000)),
    ]),
  );
  expect(Object.values(httpLimitsOf(shape as unknown as MainConfig)).sort()).toEqual(
    names.map((_, index) => index + 1000),
  );
});

test('a health port ends slow requests, and says what every answer says', async () => {
  const port = await freePort();
  const health = await serveHealth(port, createHealth(), log, { headersTimeout: 500, connectionsCheckingInterval: 20 });
  const socket = await connected(port);
  const answer = untilClosed(socket);
  dribble(socket, `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${endless}`);
  expect((await answer).status).toBe(408);
  for (const path of ['/healthz', '/readyz', '/metrics', '/other']) {
    const { headers } = await exchange(port, requestOf('GET', path));
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  }
  await health.close();
});
