import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { certificateFor } from '../../../testing/certificates.ts';
import type { AddressRules } from './addresses.ts';
import { createPost, type PostLimits } from './posting.ts';

/** Against real servers of this machine, which the rules have to allow. */

const servers: Pick<Server, 'close'>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
  }
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const allowing = (port: number, allowedNetworks = ['127.0.0.0/8']): AddressRules => ({
  allowedNetworks,
  ports: [443, port],
  allowHttp: true,
});
const body = '{"type":"webhook.test"}';
const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };
const short: PostLimits = { connectMs: 300, totalMs: 400, answerBytes: 64 * 1024 };
const never = new AbortController().signal;

const to = (port: number, host = 'erp.example') => ({ url: `http://${host}:${port}/hooks?of=x`, headers, body });
const here = async () => [{ address: '127.0.0.1', family: 4 }];

test('sends body and headers to the address that was checked, whatever the name leads to afterwards', async () => {
  const seen: { url: string | undefined; host: string | undefined; id: unknown; body: string }[] = [];
  const port = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      seen.push({ url: request.url, host: request.headers.host, id: request.headers['webhook-id'], body: text });
      response.writeHead(202).end('taken');
    });
  });
  // The name changes with each look-up, as in a rebinding attack: the first answer is checked, and it alone is used.
  const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254'];
  let asked = 0;
  const resolve = async () => {
    const address = answers[Math.min(asked, answers.length - 1)] ?? '';
    asked += 1;
    return [{ address, family: 4 }];
  };
  const post = createPost(allowing(port), { resolve });
  expect(await post(to(port), never)).toEqual({
    status: 202,
    problem: null,
    answer: 'taken',
    durationMs: expect.any(Number),
  });
  expect(asked).toBe(1);
  expect(seen).toEqual([{ url: '/hooks?of=x', host: `erp.example:${port}`, id: 'evt_1', body }]);
  // The second time it leads inside, and nothing is sent.
  expect(await post(to(port), never)).toMatchObject({ status: null, problem: 'address' });
  expect(seen).toHaveLength(1);
});

test('a name that leads inside is refused before anything is sent, and one that leads nowhere', async () => {
  let requests = 0;
  const port = await serve((_, response) => {
    requests += 1;
    response.end();
  });
  const strict = createPost({ allowedNetworks: [], ports: [443, port], allowHttp: true }, { resolve: here });
  expect(await strict(to(port), never)).toMatchObject({ problem: 'address', status: null });
  expect(await strict({ ...to(port), url: `https://127.0.0.1:${port}/` }, never)).toMatchObject({ problem: 'address' });
  const nowhere = createPost(allowing(port), { resolve: async () => [] });
  expect(await nowhere(to(port), never)).toMatchObject({ problem: 'name', status: null });
  expect(requests).toBe(0);
});

test('redirects are not followed, and each answer is what it says', async () => {
  const paths: string[] = [];
  const port = await serve((request, response) => {
    paths.push(request.url ?? '');
    const status = Number(new URL(request.url ?? '/', 'http://x').pathname.slice(1));
    response.writeHead(status, status === 302 ? { location: '/200' } : {}).end('said');
  });
  const post = createPost(allowing(port), { resolve: here });
  const problemOf = async (status: number) =>
    (await post({ url: `http://erp.example:${port}/${status}`, headers, body }, never)).problem;
  expect(await problemOf(200)).toBeNull();
  expect(await problemOf(204)).toBeNull();
  expect(await problemOf(302)).toBe('redirect');
  expect(await problemOf(410)).toBe('gone');
  expect(await problemOf(404)).toBe('status');
  expect(await problemOf(503)).toBe('status');
  expect(paths).toEqual(['/200', '/204', '/302', '/410', '/404', '/503']);
});

test('a server that does not answer in time, closes, or refuses the connection', async () => {
  const silent = await serve(() => undefined);
  const post = createPost(allowing(silent), { resolve: here, limits: short });
  const outcome = await post(to(silent), never);
  expect(outcome).toMatchObject({ problem: 'timeout', status: null });
  expect(outcome.durationMs).toBeGreaterThanOrEqual(350);

  const closing = await serve((request) => request.socket.destroy());
  expect(await createPost(allowing(closing), { resolve: here })(to(closing), never)).toMatchObject({
    problem: 'broken',
  });

  const closed = createTcp();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  expect(await createPost(allowing(port), { resolve: here })(to(port), never)).toMatchObject({ problem: 'connect' });
});

test('an answer that dribbles ends with the time, and one that never ends with its size', async () => {
  const dribbling = await serve((_, response) => {
    response.writeHead(200);
    response.write('a');
  });
  expect(await createPost(allowing(dribbling), { resolve: here, limits: short })(to(dribbling), never)).toMatchObject({
    problem: 'timeout',
  });
  const endless = await serve((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(1000))) if (response.destroyed) return;
    };
    response.on('drain', more);
    more();
  });
  const outcome = await createPost(allowing(endless), { resolve: here })(to(endless), never);
  expect(outcome).toMatchObject({ status: 200, problem: null });
  expect(outcome.answer).toHaveLength(2048);
});

test('TLS is verified: a server that speaks none, at an https address, is refused', async () => {
  const port = await serve((_, response) => response.end());
  const post = createPost(allowing(port), { resolve: here });
  expect(await post({ ...to(port), url: `https://erp.example:${port}/` }, never)).toMatchObject({ problem: 'tls' });
});

test('NUL in an answer, which a text of the database cannot hold, is replaced', async () => {
  const port = await serve((_, response) => response.end('a\0b'));
  expect(await createPost(allowing(port), { resolve: here })(to(port), never)).toMatchObject({ answer: 'a�b' });
});

test('a stop breaks off what is under way', async () => {
  const silent = await serve(() => undefined);
  const stopping = new AbortController();
  const sent = createPost(allowing(silent), { resolve: here })(to(silent), stopping.signal);
  stopping.abort(new Error('stopped'));
  await expect(sent).rejects.toThrow('stopped');
});

describe('with a certificate', () => {
  const before = tls.getCACertificates();
  afterEach(() => tls.setDefaultCACertificates(before));

  /** A server at these names, and the authority of its certificate. */
  async function secured(names: readonly string[]): Promise<{ port: number; authority: string }> {
    const { certificate, key, authority } = await certificateFor(names);
    const server = createSecure({ cert: certificate, key }, (_, response) => response.end('secured'));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { port: (server.address() as AddressInfo).port, authority };
  }

  test('it is verified against the name of the address, and must be of an authority that is trusted', async () => {
    const { port, authority } = await secured(['erp.example']);
    const post = createPost(allowing(port), { resolve: here });
    const at = (host: string) => post({ ...to(port), url: `https://${host}:${port}/` }, never);
    expect(await at('erp.example')).toMatchObject({ problem: 'tls', status: null });
    tls.setDefaultCACertificates([...before, authority]);
    expect(await at('erp.example')).toMatchObject({ problem: null, status: 200, answer: 'secured' });
    // The same server and authority under another name.
    expect(await at('books.example')).toMatchObject({ problem: 'tls', status: null });
    expect(await at('127.0.0.1')).toMatchObject({ problem: 'tls', status: null });
  });
});
