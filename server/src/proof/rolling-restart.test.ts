import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type MainEnvironment, type MainProcess, mainEnvironment, startMain } from '../testing/main-process.ts';
import { isProof } from '../testing/proof.ts';

/** How processes end: real ones, behind a proxy that looks at /readyz as a load balancer does. */

const drainMs = 1500;
const lookMs = 100;
const askMs = 40;
let db: TestDatabase;
let environment: MainEnvironment;
const directory = mkdtempSync(join(tmpdir(), 'causeway-rolling-'));
const running: MainProcess[] = [];

beforeAll(async () => {
  db = await testDatabase();
  environment = mainEnvironment(directory, db.urlFor('causeway_app'));
});
afterEach(async () => {
  for (const { child, exited } of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  }
});
afterAll(async () => {
  await db.close();
  rmSync(directory, { recursive: true });
});

async function start(more: Record<string, string> = {}): Promise<MainProcess> {
  const main = await startMain(environment, { DRAIN_MS: String(drainMs), ...more });
  running.push(main);
  return main;
}

interface Proxy {
  port: number;
  backends: Set<number>;
  ready: ReadonlySet<number>;
  close(): Promise<void>;
}

/** Round robin over the backends whose /readyz was 200 at the last look, over connections that are kept open; no retries. */
async function startProxy(...ports: number[]): Promise<Proxy> {
  const backends = new Set(ports);
  const ready = new Set(ports);
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server: Server = createServer((incoming, outgoing) => {
    const usable = [...ready];
    const port = usable[turn++ % usable.length];
    const { method, url: path, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(passed);
  });
  const stopping = new AbortController();
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await Promise.all(
        [...backends].map(async (port) => {
          const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
            (answer) => answer.ok,
            () => false,
          );
          if (isReady) ready.add(port);
          else ready.delete(port);
        }),
      );
      await delay(lookMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    backends,
    ready,
    async close() {
      stopping.abort();
      await looking;
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

test.runIf(isProof)(
  'two processes are restarted one after the other under load, and no request fails',
  async () => {
    const old = [await start(), await start()];
    const proxy = await startProxy(...old.map(({ port }) => port));
    const statuses = new Map<number | string, number>();
    let isOver = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const status = await fetch(`http://127.0.0.1:${proxy.port}/common/password-key`).then(
          async (answer) => {
            await answer.text();
            return answer.status;
          },
          (error: unknown) => String(error),
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // Leaves room for the processes that start: asked without a pause, two cores would do nothing else.
        await delay(askMs);
      }
    });
    for (const main of old) {
      const next = await start();
      proxy.backends.add(next.port);
      await vi.waitFor(() => expect([...proxy.ready]).toContain(next.port), { timeout: 20_000 });
      main.child.kill('SIGTERM');
      expect(await main.exited).toBe(0);
      expect([...proxy.ready]).not.toContain(main.port);
      proxy.backends.delete(main.port);
    }
    isOver = true;
    await Promise.all(clients);
    await proxy.close();
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(200);
  },
  240_000,
);

test('a process that ends says so first, answers what arrives meanwhile, and then refuses', async () => {
  // Long enough for all that is asked while it drains.
  const main = await start({ DRAIN_MS: '4000' });
  const url = `http://127.0.0.1:${main.port}`;
  main.child.kill('SIGTERM');
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503), {
    timeout: 20_000,
    interval: 20,
  });
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'draining' });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/common/password-key`)).status).toBe(200);
  expect(await main.exited).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
}, 240_000);

test('a second signal ends at once', async () => {
  const main = await start({ DRAIN_MS: '60000' });
  main.child.kill('SIGTERM');
  await vi.waitFor(() => expect(main.output()).toContain('shutting down'), { timeout: 20_000 });
  main.child.kill('SIGTERM');
  expect(await main.exited).toBe(1);
}, 240_000);
