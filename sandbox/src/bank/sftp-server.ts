import { timingSafeEqual } from 'node:crypto';
import type { AuthContext, Connection, ParsedKey, Server } from 'ssh2';
import { hasCode, SandboxFailure } from '../failure.ts';
import type { HostKey, SftpMode } from './sftp-modes.ts';
import { serveFiles } from './sftp-session.ts';

export type SftpServer = {
  readonly port: number;
  state(): { mode: SftpMode; hostKey: HostKey; connections: number };
  /** Open connections are closed by a change. */
  change(changes: {
    mode?: SftpMode | undefined;
    hostKey?: HostKey | undefined;
    delayMs?: number | undefined;
  }): Promise<void>;
  stop(): Promise<void>;
};

export type SftpOptions = {
  port: number;
  root: string;
  user: string;
  /** OpenSSH's text of the one public key that may sign in. */
  clientKey: string;
  hostKeys: Readonly<Record<HostKey, string>>;
  /** A client has finished a file, renamed or removed one. */
  onChange: () => void;
};

const SLOW_MS = 2_000;

/**
 * A real SFTP server over the bank's folders: one user, key sign-in only, nothing but SFTP.
 *
 * @throws SandboxFailure port_taken
 */
export async function startSftp(options: SftpOptions): Promise<SftpServer> {
  // Loaded here: the library takes a moment that the start of the sandbox need not wait for elsewhere.
  const { default: ssh2 } = await import('ssh2');
  const parsed = ssh2.utils.parseKey(options.clientKey);
  if (parsed instanceof Error) throw parsed;
  const clientKey = parsed;
  const connections = new Set<Connection>();
  let mode: SftpMode = 'ok';
  let hostKey: HostKey = 'usual';
  let delay_ms = SLOW_MS;

  function make(): Server {
    const server = new ssh2.Server({ hostKeys: [options.hostKeys[hostKey]], ident: 'HarbourBank' });
    server.on('connection', (client) => {
      connections.add(client);
      // SFTP is many small answers: each would wait for the client's acknowledgement of the one before.
      (client as Connection & { setNoDelay(isOn: boolean): void }).setNoDelay(true);
      client.once('close', () => connections.delete(client));
      // A client that breaks off, or refuses the host key, is no reason to end the server.
      client.on('error', () => undefined);
      client.on('authentication', (context) => authenticate(context, options.user, clientKey));
      client.on('session', (accept) => {
        const session = accept();
        session.on('sftp', (acceptSftp) => {
          serveFiles(acceptSftp(), {
            root: options.root,
            fault: () => ({ mode, delay_ms }),
            breakOff: () => client.end(),
            onChange: options.onChange,
          });
        });
      });
    });
    return server;
  }

  async function close(server: Server): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    for (const client of connections) client.end();
    await closed;
  }

  let server: Server | undefined = make();
  const port = await listen(server, options.port);
  return {
    port,
    state: () => ({ mode, hostKey, connections: connections.size }),
    async change(changes) {
      if (server !== undefined) await close(server);
      mode = changes.mode ?? mode;
      hostKey = changes.hostKey ?? hostKey;
      delay_ms = changes.delayMs ?? delay_ms;
      server = mode === 'down' ? undefined : make();
      if (server !== undefined) await listen(server, port);
    },
    async stop() {
      if (server !== undefined) await close(server);
      server = undefined;
    },
  };
}

function authenticate(context: AuthContext, user: string, key: ParsedKey): void {
  if (isAllowed(context, user, key)) context.accept();
  else context.reject(['publickey']);
}

function isAllowed(context: AuthContext, user: string, key: ParsedKey): boolean {
  if (context.method !== 'publickey' || context.username !== user) return false;
  const known = key.getPublicSSH();
  const { algo, data } = context.key;
  if (algo !== key.type || data.length !== known.length || !timingSafeEqual(data, known)) return false;
  // Without a signature the client only asks whether the key would do.
  if (context.signature === undefined) return true;
  return context.blob !== undefined && key.verify(context.blob, context.signature, context.hashAlgo) === true;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => {
      const sentence = `Port ${port}, wanted for the sandbox's bank with files, is taken by another program.`;
      reject(hasCode(error, 'EADDRINUSE') ? new SandboxFailure('port_taken', sentence) : error);
    };
    server.once('error', refuse);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refuse);
      server.on('error', () => undefined);
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : port);
    });
  });
}
