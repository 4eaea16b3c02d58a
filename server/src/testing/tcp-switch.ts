import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy in front of a real server that a test can break: cut every connection, refuse new ones, hold bytes back,
 * or lead to another server, as a proxy that follows a database's leader does.
 */
export interface TcpSwitch {
  port: number;
  /** Resets every open connection. */
  cut(): void;
  /** Refuses new connections and resets the open ones, until `mend`. */
  down(): void;
  mend(): void;
  /** Cuts the connection on which the client sends bytes that contain `text`, before the server sees them; once. */
  cutOn(text: string): Promise<void>;
  /** Cuts the connection after the server has got bytes that contain `text`, and before the client hears of it; once. */
  cutAfter(text: string): Promise<void>;
  /** Keeps the client's bytes that contain `text`, and all that follow, from the server, and leaves the connection open; once. */
  holdOn(text: string): Promise<void>;
  /** Leads new connections elsewhere. */
  leadTo(port: number): void;
  readonly connections: number;
  close(): Promise<void>;
}

interface Trap {
  text: string;
  moment: 'before' | 'after' | 'hold';
  sprung: () => void;
}

export async function openTcpSwitch(target: number): Promise<TcpSwitch> {
  let port = target;
  let isDown = false;
  let traps: Trap[] = [];
  const pairs = new Map<Socket, Socket>();

  const cut = (): void => {
    for (const [client, server] of pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  };
  const server = createServer((client) => {
    if (isDown) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    pairs.set(client, upstream);
    let isDeaf = false;
    let isHeld = false;
    client.on('data', (bytes) => {
      const trap = traps.find(({ text }) => bytes.includes(text));
      traps = traps.filter((other) => other !== trap);
      if (trap?.moment === 'hold') {
        isHeld = true;
        trap.sprung();
      }
      if (isHeld) return;
      if (trap?.moment === 'before') {
        client.resetAndDestroy();
        upstream.destroy();
        trap.sprung();
        return;
      }
      upstream.write(bytes);
      if (!trap) return;
      isDeaf = true;
      // The answer shows that the server has done what it was asked.
      upstream.once('data', () => {
        client.resetAndDestroy();
        upstream.destroy();
        trap.sprung();
      });
    });
    upstream.on('data', (bytes) => {
      if (!isDeaf) client.write(bytes);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        other.destroy();
        pairs.delete(client);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const trap = (text: string, moment: Trap['moment']): Promise<void> =>
    new Promise((resolve) => {
      traps.push({ text, moment, sprung: resolve });
    });
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    down() {
      isDown = true;
      cut();
    },
    mend() {
      isDown = false;
    },
    cutOn: (text) => trap(text, 'before'),
    cutAfter: (text) => trap(text, 'after'),
    holdOn: (text) => trap(text, 'hold'),
    leadTo(other) {
      port = other;
    },
    get connections() {
      return pairs.size;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
