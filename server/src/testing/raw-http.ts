import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** HTTP by hand, for requests that no client library would send. */

export interface RawAnswer {
  /** 0 when the server hung up without an answer. */
  status: number;
  headers: Record<string, string>;
  body: string;
}

export async function listen(app: FastifyInstance): Promise<number> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server has no address');
  return address.port;
}

export async function connected(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Everything that the server says until it hangs up. */
export async function untilClosed(socket: Socket): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // Not `once`, which takes an error on the way for the end of the waiting.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return parse(Buffer.concat(chunks).toString('latin1'));
}

/** Sends these bytes as they are; `Connection: close` among them ends the exchange. */
export async function exchange(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = await connected(port);
  const answer = untilClosed(socket);
  socket.write(bytes);
  return answer;
}

/** A request line, headers and body; the connection ends with the answer. */
export function requestOf(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Buffer {
  const all = {
    host: 'localhost',
    connection: 'close',
    ...(body.length > 0 ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

function parse(said: string): RawAnswer {
  const text = said.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  const end = text.indexOf('\r\n\r\n');
  const lines = text.slice(0, end === -1 ? undefined : end).split('\r\n');
  const headers = lines.slice(1).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers: Object.fromEntries(headers), body: end === -1 ? '' : text.slice(end + 4) };
}
