import type { Server } from 'node:http';
import { hasCode, SandboxFailure } from './failure.ts';

/**
 * Listens on 127.0.0.1 and answers the port; 0 takes any free one. `purpose` completes "wanted for …".
 *
 * @throws SandboxFailure port_taken
 */
export function listenHttp(server: Server, port: number, purpose: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => {
      const sentence = `Port ${port}, wanted for ${purpose}, is taken by another program.`;
      reject(hasCode(error, 'EADDRINUSE') ? new SandboxFailure('port_taken', sentence) : error);
    };
    server.once('error', refuse);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refuse);
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : port);
    });
  });
}

/** Stops listening and hangs up on whoever is connected. */
export function closeHttp(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
