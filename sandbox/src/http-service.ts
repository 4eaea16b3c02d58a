import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeHttp, HTTP_TIMEOUTS, type HttpTimeouts, listenHttp } from './http-listen.ts';

/** What the sandbox's HTTP servers have in common: start, failure, being down, bodies of limited size, answers in JSON. */

export type HttpServiceOptions = {
  /** 0, the default, takes any free one. */
  port?: number | undefined;
  /** Completes "wanted for …". */
  purpose: string;
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Answers a request whose `serve` was rejected. */
  failed: (response: ServerResponse, error: unknown) => void;
  timeouts?: HttpTimeouts | undefined;
};

export type HttpService = {
  port: number;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Down, it closes every connection and takes no other; up again, it listens on the same port. @throws SandboxFailure port_taken */
  setDown(isDown: boolean): Promise<void>;
  stop(): Promise<void>;
};

/** Listens on 127.0.0.1. @throws SandboxFailure port_taken */
export async function startHttp(options: HttpServiceOptions): Promise<HttpService> {
  const { purpose, serve, failed } = options;
  const server = createServer(options.timeouts ?? HTTP_TIMEOUTS, (request, response) => {
    serve(request, response).catch((error: unknown) => failed(response, error));
  });
  const port = await listenHttp(server, options.port ?? 0, purpose);
  let isListening = true;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async setDown(isDown) {
      if (isDown !== isListening) return;
      if (isDown) await closeHttp(server);
      else await listenHttp(server, port, purpose);
      isListening = !isDown;
    },
    async stop() {
      if (isListening) await closeHttp(server);
      isListening = false;
    },
  };
}

/** What a request carries, as UTF-8; null where it is more than so many bytes. */
export async function bodyOf(request: IncomingMessage, mostBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Answers in JSON, unless an answer has begun. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

/** Half of an answer in JSON; then the connection breaks. */
export function sendHalf(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length + 1 });
  response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
}
