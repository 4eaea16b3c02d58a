import { randomUUID } from 'node:crypto';
import { maxFileBytes } from '@causeway/contract/files.ts';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { Histogram } from 'prom-client';
import { handleFailures, refuseUnparsable, refuseUnroutable } from './failure.ts';
import type { Log } from './log.ts';
import { registry } from './metrics.ts';

/** JSON bodies are small; files travel as multipart with a limit of their own. */
const bodyLimitBytes = 128 * 1024;

const requestDuration = new Histogram({
  name: 'causeway_http_request_seconds',
  help: 'Duration of requests by call and status',
  labelNames: ['call', 'status'],
  registers: [registry],
});

export interface AppOptions {
  log: Log;
  /** Addresses or networks whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** The inline script and style of the built page, which the content security policy lets through by their hashes. */
  inlineHashes: { script: readonly string[]; style: readonly string[] };
}

/** The HTTP application with everything that holds for every route; features add their calls to it. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    clientErrorHandler: (error, socket) => refuseUnparsable(options.log, error, socket),
    // A request that arrives on an open connection while the process drains is answered, and the connection closed.
    return503OnClosing: false,
    trustProxy: [...options.trustedProxies],
    bodyLimit: bodyLimitBytes,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    frameworkErrors: refuseUnroutable,
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...options.inlineHashes.script.map((hash) => `'${hash}'`)],
        styleSrc: ["'self'", ...options.inlineHashes.style.map((hash) => `'${hash}'`)],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        // Attachments in PDF are shown from the page's own copy.
        frameSrc: ['blob:'],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
  });
  await app.register(cookie);
  await app.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: maxFileBytes } });
  handleFailures(app);
  app.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.config.call?.name ?? 'other';
    requestDuration.observe({ call, status: reply.statusCode }, reply.elapsedTime / 1000);
    request.log.debug({ call, status: reply.statusCode, ms: reply.elapsedTime }, 'answered');
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  return app;
}
