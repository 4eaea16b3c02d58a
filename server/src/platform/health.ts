import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { bareHeaders } from './headers.ts';
import type { Log } from './log.ts';
import { registry } from './metrics.ts';

/** Resolves when what the process needs answers; rejects with the reason otherwise. */
export type Check = () => Promise<void>;

interface Answer {
  status: number;
  type: string;
  body: string;
}

const json = 'application/json; charset=utf-8';

/**
 * `/healthz`: the process runs. `/readyz`: what it needs answers, each check by name. `/metrics`: Prometheus. Meant for
 * the inside network: a proxy in front does not pass them on.
 */
function pagesOf(checks: Record<string, Check>): Record<string, () => Promise<Answer>> {
  return {
    '/healthz': async () => ({ status: 200, type: json, body: JSON.stringify({ status: 'ok' }) }),
    '/readyz': async () => {
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await check().then(() => 'ok', reasonOf)] as const),
      );
      const ready = results.every(([, result]) => result === 'ok');
      const body = JSON.stringify({ status: ready ? 'ok' : 'unready', checks: Object.fromEntries(results) });
      return { status: ready ? 200 : 503, type: json, body };
    },
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The health pages beside the calls of the HTTP process. */
export function registerHealth(app: FastifyInstance, checks: Record<string, Check>): void {
  for (const [path, page] of Object.entries(pagesOf(checks))) {
    app.get(path, async (_request, reply) => {
      const { status, type, body } = await page();
      return reply.status(status).type(type).send(body);
    });
  }
}

/** Monitors ask seldom and briefly: one that does not read or write gives its connection back. */
const healthTimeouts = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
const healthIdleMs = 90_000;
const healthConnections = 64;

export interface HealthServer {
  /** Ends with the last answer. */
  close(): Promise<void>;
}

/** The health port of a process that serves nothing else; Node's own server, for the framework would cost 12 MB of memory. */
export async function serveHealth(
  port: number,
  checks: Record<string, Check>,
  log: Log,
  timeouts: Partial<typeof healthTimeouts> = {},
): Promise<HealthServer> {
  const pages = pagesOf(checks);
  const server = createServer({ ...healthTimeouts, ...timeouts }, (request, response) => {
    const page = request.method === 'GET' ? pages[request.url?.split('?')[0] ?? ''] : undefined;
    if (!page) {
      response.writeHead(404, bareHeaders).end();
      return;
    }
    page().then(
      ({ status, type, body }) => response.writeHead(status, { ...bareHeaders, 'content-type': type }).end(body),
      (error: unknown) => {
        log.error({ err: error }, 'a health page failed');
        response.writeHead(500, bareHeaders).end();
      },
    );
  });
  server.maxConnections = healthConnections;
  server.setTimeout(healthIdleMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
