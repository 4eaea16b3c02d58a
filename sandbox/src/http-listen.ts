import type { IncomingMessage, Server } from 'node:http';
import { hasCode, SandboxFailure } from './failure.ts';

/** A client that dribbles gives its connection back; what the sandbox itself takes to answer is not limited. */
export const HTTP_TIMEOUTS = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
};
export type HttpTimeouts = typeof HTTP_TIMEOUTS;

const MOST_CONNECTIONS = 512;

/**
 * Whether a request comes from a web page of another origin, or under another name than this machine's own (DNS rebinding): the
 * reader's browser must not be used against the sandbox.
 */
export function isForeign(request: IncomingMessage): boolean {
  const { host = '', origin } = request.headers;
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)) return true;
  return origin !== undefined && origin !== `http://${host}`;
}

/**
 * Listens on 127.0.0.1 and returns the port; 0 takes any free one. `purpose` completes "wanted for …".
 *
 * @throws SandboxFailure port_taken
 */
export function listenHttp(server: Server, port: number, purpose: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => {
      const sentence = `Port ${port}, wanted for ${purpose}, is taken by another program.`;
      reject(hasCode(error, 'EADDRINUSE') ? new SandboxFailure('port_taken', sentence) : error);
    };
    server.maxConnections = MOST_CONNECTIONS;
    server.once('error', refuse);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refuse);
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : port);
    });
  });
}

/** Stops listening and closes every connection. */
export function closeHttp(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
