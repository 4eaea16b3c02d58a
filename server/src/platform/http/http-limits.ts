import { Socket } from 'node:net';
import { maxFileBytes } from '@causeway/contract/files-rules.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { registry } from '../process/metrics.ts';
import { addressBucket } from './address-bucket.ts';

/**
 * How long a client may take, and how many connections it may hold. A slow client is served as long as it keeps a minimal
 * rate; one that dribbles gives its connection back within seconds.
 */
export interface HttpLimits {
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number;
  /** What a body may take at any size, before the rate counts. */
  bodyGraceMs: number;
  bodyMinBytesPerSecond: number;
  /** Without a byte in either direction; longer than the heartbeat of a live stream. */
  idleTimeoutMs: number;
  /** Between two requests; longer than a proxy keeps a connection, so that the proxy is the one to end it. */
  keepAliveTimeoutMs: number;
  /** How often Node looks for headers and requests that take too long. */
  checkIntervalMs: number;
  maxConnections: number;
  /** From one IPv4 address, or one /64 of IPv6. Counted only without a proxy in front, since every connection would be the proxy's. */
  maxConnectionsPerAddress: number;
}

export const defaultHttpLimits: HttpLimits = {
  headersTimeoutMs: 15_000,
  bodyGraceMs: 15_000,
  bodyMinBytesPerSecond: 8_192,
  idleTimeoutMs: 90_000,
  keepAliveTimeoutMs: 72_000,
  checkIntervalMs: 2_000,
  maxConnections: 8_192,
  maxConnectionsPerAddress: 512,
};

const refusedConnections = new Counter({
  name: 'causeway_http_connections_refused',
  help: 'Connections refused because too many were open, from one address or in all',
  labelNames: ['reason'],
  registers: [registry],
});

/** What Node's server and Fastify enforce themselves; the whole request is bounded by the slowest upload allowed. */
export function serverOptionsOf(limits: HttpLimits) {
  return {
    connectionTimeout: limits.idleTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.headersTimeoutMs + allowedMs(limits, maxFileBytes),
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: limits.checkIntervalMs },
  };
}

/** How long so many bytes of a body may take. */
function allowedMs({ bodyGraceMs, bodyMinBytesPerSecond }: HttpLimits, bytes: number): number {
  return bodyGraceMs + Math.ceil((bytes * 1000) / bodyMinBytesPerSecond);
}

export function limitConnections(app: FastifyInstance, limits: HttpLimits, trustedProxies: readonly string[]): void {
  const { server } = app;
  server.maxConnections = limits.maxConnections;
  server.on('drop', () => refusedConnections.inc({ reason: 'all' }));
  if (trustedProxies.length > 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = addressBucket(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    if (count > limits.maxConnectionsPerAddress) {
      refusedConnections.inc({ reason: 'address' });
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

/** A file and what a multipart body says of it. */
const largestBodyBytes = maxFileBytes + 64 * 1024;
/** What is read of a body after its request was answered: closing at once could take the answer from a client that still writes. */
const leftoverBytes = 1024 * 1024;

/** Whether a body is declared to be larger than any that is read. */
export function isDeclaredTooLarge({ headers }: FastifyRequest['raw']): boolean {
  return Number(headers['content-length'] ?? 0) > largestBodyBytes;
}

/**
 * Ends requests whose bodies come more slowly than the minimal rate, as Node ends those with slow headers: with 408. A body that goes
 * on after its request was refused is not read to its end.
 */
export function limitBodies(app: FastifyInstance, limits: HttpLimits): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
    if (hasBody) watchBody(app, request, reply, limits);
    done();
  });
}

function watchBody(app: FastifyInstance, { raw }: FastifyRequest, reply: FastifyReply, limits: HttpLimits): void {
  const { socket } = raw;
  const [startedAt, readBefore] = [performance.now(), socket.bytesRead];
  const judge = () => {
    const left = allowedMs(limits, socket.bytesRead - readBefore) - (performance.now() - startedAt);
    if (left > 0) timer = setTimeout(judge, left).unref();
    // A request that is not complete takes its connection with it.
    else if (reply.raw.headersSent) raw.destroy();
    else app.server.emit('clientError', Object.assign(new Error('slow body'), { code: slowRequestCode }), socket);
  };
  let timer = setTimeout(judge, limits.bodyGraceMs).unref();
  for (const event of ['end', 'close'] as const) raw.once(event, () => clearTimeout(timer));
  reply.raw.once('finish', () => {
    // What is injected by tests has no connection, and never counts as complete.
    if (!raw.complete && socket instanceof Socket) endBeyond(raw, socket.bytesRead + leftoverBytes);
  });
}

/** Node reads what follows an answer and drops it, so that the connection can be used again. Beyond so many bytes of a connection it is closed instead. */
function endBeyond(raw: FastifyRequest['raw'], bytesRead: number): void {
  // What a parser has left unread would wait for ever.
  raw.resume();
  // Node announces nothing of what it drops, so its count is looked at until the body is over.
  const timer = setInterval(() => {
    if (raw.socket.bytesRead > bytesRead) raw.destroy();
    if (raw.complete || raw.destroyed || raw.socket.destroyed) clearInterval(timer);
  }, 10).unref();
  raw.once('close', () => clearInterval(timer));
}

/** Node's own code for a request that took too long. */
export const slowRequestCode = 'ERR_HTTP_REQUEST_TIMEOUT';
