import { randomUUID } from 'node:crypto';
import { maxFileBytes } from '@causeway/contract/files.ts';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { Histogram } from 'prom-client';
import type { Log } from '../process/log.ts';
import { registry } from '../process/metrics.ts';
import { handleFailures, refuseUnreadable, refuseUnroutable } from './failure.ts';
import { type HeaderOptions, protectReaders } from './headers.ts';
import { defaultHttpLimits, type HttpLimits, limitBodies, limitConnections, serverOptionsOf } from './http-limits.ts';

/** JSON bodies are small; files travel as multipart with a limit of their own. */
const bodyLimitBytes = 128 * 1024;

const requestDuration = new Histogram({
  name: 'causeway_http_request_seconds',
  help: 'Duration of requests by call and status',
  labelNames: ['call', 'status'],
  registers: [registry],
});

export interface AppOptions extends HeaderOptions {
  log: Log;
  /** Addresses or networks whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  limits?: HttpLimits;
}

/** The HTTP application with everything that holds for every route; features add their calls to it. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const limits = options.limits ?? defaultHttpLimits;
  const app = Fastify({
    ...serverOptionsOf(limits),
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    // A child for each request costs more than the few lines that are written; those name their request.
    childLoggerFactory: (logger) => logger,
    // A request that arrives on an open connection while the process drains is answered, and the connection closed.
    return503OnClosing: false,
    trustProxy: [...options.trustedProxies],
    bodyLimit: bodyLimitBytes,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    frameworkErrors: refuseUnroutable,
    clientErrorHandler: (error, socket) => refuseUnreadable(options.log, error, socket),
  });
  limitConnections(app, limits, options.trustedProxies);
  protectReaders(app, options);
  limitBodies(app, limits);
  await app.register(cookie);
  await app.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: maxFileBytes, headerPairs: 20 } });
  handleFailures(app);
  app.addHook('onResponse', (request, reply, done) => {
    const call = request.routeOptions.config.call?.name ?? 'other';
    requestDuration.observe({ call, status: reply.statusCode }, reply.elapsedTime / 1000);
    request.log.debug({ requestId: request.id, call, status: reply.statusCode, ms: reply.elapsedTime }, 'answered');
    done();
  });
  return app;
}
