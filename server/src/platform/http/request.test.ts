import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { RequestError, type RequestProblem, request } from './request.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const bounds = { timeoutMs: 20_000, maxBytes: 1000 };

async function problemOf(asked: Promise<unknown>): Promise<RequestProblem | null> {
  const error = await asked.then(
    () => null,
    (reason) => reason,
  );
  if (error !== null && !(error instanceof RequestError)) throw error;
  return error?.problem ?? null;
}

test('an answer comes whole, whatever its status', async () => {
  const address = await serve((asked, answer) => {
    asked.resume().on('end', () => answer.writeHead(418, { 'x-of': asked.method ?? '' }).end('short'));
  });
  const { status, headers, bytes } = await request(address, { method: 'POST', body: 'tea', ...bounds });
  expect([status, headers.get('x-of'), bytes.toString()]).toEqual([418, 'POST', 'short']);
});

test('a redirect is an answer: no other address is asked', async () => {
  let others = 0;
  const other = await serve((_, answer) => {
    others += 1;
    answer.end();
  });
  const address = await serve((_, answer) => answer.writeHead(302, { location: other }).end());
  expect((await request(address, { headers: { authorization: 'secret' }, ...bounds })).status).toBe(302);
  expect(others).toBe(0);
});

test('what has no whole answer says what is known of it', async () => {
  const large = await serve((_, answer) => answer.end('x'.repeat(1001)));
  expect(await problemOf(request(large, bounds))).toBe('tooLarge');
  const cut = await serve((_, answer) => {
    answer.writeHead(200, { 'content-length': '10' });
    answer.write('half', () => answer.destroy());
  });
  expect(await problemOf(request(cut, bounds))).toBe('lost');
  const silent = await serve(() => undefined);
  expect(await problemOf(request(silent, { ...bounds, timeoutMs: 50 }))).toBe('late');
  const gone = await serve(() => undefined);
  const [server] = servers.splice(-1);
  await new Promise((resolve) => server?.close(resolve));
  expect(await problemOf(request(gone, bounds))).toBe('notSent');
});
