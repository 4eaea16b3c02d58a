import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import { bareHeaders } from '../http/headers.ts';
import { type TextValues, translate } from '../text/texts.ts';
import type { Log } from './log.ts';
import { registry } from './metrics.ts';

/**
 * What a process says of itself. Every dependency registers a check under a name; `/readyz` reports each by name. A
 * check that fails makes the process unready when the process needs the dependency, and degraded otherwise.
 */
export interface HealthCheck {
  /** Lower case with hyphens, a chain or node after a colon: `database`, `node:ethereum:2`. */
  name: string;
  /** What a failure means: `needed` returns 503, so that a proxy sends requests elsewhere; `degraded` stays 200. */
  need: 'needed' | 'degraded';
  /** Resolves when all is well. Rejects with a `HealthProblem`, whose text is shown, or any error, of which the code is. */
  check(): Promise<unknown>;
  /** An answer is kept for this long; for checks that cost something. Default 2 seconds. */
  keepMs?: number;
}

/** A sentence by its id, `health.reason.<reason>`, and its blanks: each reader gets it in their own language. */
export interface HealthReason {
  id: string;
  values: TextValues;
}

/** A problem in words that may be shown: no addresses, no names of companies, no secrets. `/readyz` and the logs have it in English. */
export class HealthProblem extends Error {
  readonly reason: HealthReason;
  constructor(reason: string, values: TextValues = {}) {
    const id = `health.reason.${reason}`;
    super(translate('en-us', id, values));
    this.reason = { id, values };
  }
}

export type CheckState =
  | { state: 'ok' }
  | { state: 'failed'; need: HealthCheck['need']; reason: string; said: HealthReason };

export interface HealthState {
  status: 'ok' | 'degraded' | 'unready' | 'draining';
  checks: Record<string, CheckState>;
}

export interface Health {
  register(check: HealthCheck): void;
  /** From now on `/readyz` is 503: the process is about to end. */
  drain(): void;
  state(): Promise<HealthState>;
  /** Whether nothing that is needed is missing; for people, who should not hear of a process that drains. */
  hasWhatItNeeds(): Promise<boolean>;
}

const usualKeepMs = 2000;
const usualTimeoutMs = 3000;

const gauge = new Gauge({
  name: 'causeway_health_check',
  help: '1 when the dependency is well, 0 when it is not; need says what a failure means',
  labelNames: ['check', 'need'],
  registers: [registry],
});
const draining = new Gauge({
  name: 'causeway_draining',
  help: '1 while the process is about to end',
  registers: [registry],
});

export function createHealth({ timeoutMs = usualTimeoutMs, keepMs = usualKeepMs } = {}): Health {
  const checks = new Map<string, () => Promise<CheckState>>();
  let isDraining = false;
  draining.set(0);
  const states = () => Promise.all([...checks.values()].map((look) => look()));
  const isMissing = (state: CheckState) => state.state === 'failed' && state.need === 'needed';
  return {
    register(check) {
      if (checks.has(check.name)) throw new Error(`The health check ${check.name} is registered twice`);
      checks.set(check.name, kept(check, timeoutMs, check.keepMs ?? keepMs));
    },
    drain() {
      isDraining = true;
      draining.set(1);
    },
    async state() {
      const names = [...checks.keys()];
      const found = await states();
      const failed = found.some(({ state }) => state === 'failed');
      const status = isDraining ? 'draining' : found.some(isMissing) ? 'unready' : failed ? 'degraded' : 'ok';
      return { status, checks: Object.fromEntries(found.map((state, index) => [names[index], state])) };
    },
    async hasWhatItNeeds() {
      return !(await states()).some(isMissing);
    },
  };
}

/** Runs a check once at a time and keeps its answer for a while, so that polling costs the dependency nothing. */
function kept(check: HealthCheck, timeoutMs: number, keepMs: number): () => Promise<CheckState> {
  const { name, need } = check;
  let answer: Promise<CheckState> | undefined;
  let staleAt = 0;
  return () => {
    if (answer !== undefined && performance.now() < staleAt) return answer;
    staleAt = Number.POSITIVE_INFINITY;
    answer = stateOf(check, timeoutMs).then((state) => {
      staleAt = performance.now() + keepMs;
      gauge.set({ check: name, need }, state.state === 'ok' ? 1 : 0);
      return state;
    });
    return answer;
  };
}

async function stateOf({ check, need }: HealthCheck, timeoutMs: number): Promise<CheckState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new HealthProblem('late', { seconds: timeoutMs / 1000 })), timeoutMs);
  });
  try {
    await Promise.race([check(), late]);
    return { state: 'ok' };
  } catch (error) {
    return { state: 'failed', need, ...reasonOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** A driver's own text may name an address or a user; its code says enough. */
function reasonOf(error: unknown): { reason: string; said: HealthReason } {
  if (error instanceof HealthProblem) return { reason: error.message, said: error.reason };
  const code = codeOf(error);
  return { reason: code, said: { id: 'health.reason.code', values: { code } } };
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'failed';
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

const json = 'application/json; charset=utf-8';

/**
 * `/healthz`: the process runs. `/readyz`: whether it can work. `/metrics`: Prometheus. Meant for the inside network: a
 * proxy in front does not pass them on.
 */
function pagesOf(health: Health): Record<string, () => Promise<Answer>> {
  return {
    '/healthz': async () => ({ status: 200, type: json, body: JSON.stringify({ status: 'ok' }) }),
    '/readyz': async () => {
      const state = await health.state();
      const isReady = state.status === 'ok' || state.status === 'degraded';
      return { status: isReady ? 200 : 503, type: json, body: JSON.stringify(state, withoutIds) };
    },
    '/metrics': async () => {
      // The checks set the gauges.
      await health.state();
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    },
  };
}

/** Monitors read the English sentence alone. */
function withoutIds(name: string, value: unknown): unknown {
  return name === 'said' ? undefined : value;
}

/** The health pages beside the calls of the HTTP process. */
export function registerHealth(app: FastifyInstance, health: Health): void {
  for (const [path, page] of Object.entries(pagesOf(health))) {
    app.get(path, async (_request, reply) => {
      const { status, type, body } = await page();
      return reply.status(status).type(type).header('cache-control', 'no-store').send(body);
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
  readonly port: number;
  /** Ends with the last answer. */
  close(): Promise<void>;
}

/** The health port of a process that serves nothing else; Node's own server, for the framework would cost 12 MB of memory. */
export async function serveHealth(
  port: number,
  health: Health,
  log: Log,
  timeouts: Partial<typeof healthTimeouts> = {},
): Promise<HealthServer> {
  const pages = pagesOf(health);
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
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
