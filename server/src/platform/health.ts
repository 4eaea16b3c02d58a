import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Log } from './log.ts';
import { registry } from './metrics.ts';

/** Resolves when what the process needs answers; rejects with the reason otherwise. */
export type Check = () => Promise<void>;

/**
 * `/healthz`: the process runs. `/readyz`: what it needs answers, each check by name. `/metrics`: Prometheus. Meant for
 * the inside network: a proxy in front does not pass them on.
 */
export function registerHealth(app: FastifyInstance, checks: Record<string, Check>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check().then(() => 'ok', reasonOf)] as const),
    );
    const ready = results.every(([, result]) => result === 'ok');
    return reply
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unready', checks: Object.fromEntries(results) });
  });
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The health port of a process that serves nothing else. */
export async function serveHealth(port: number, checks: Record<string, Check>, log: Log): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  registerHealth(app, checks);
  await app.listen({ host: '127.0.0.1', port });
  return app;
}
