import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeHttp, HTTP_TIMEOUTS, isForeign, listenHttp } from './http-listen.ts';

/**
 * How a node behaves. down: its port is closed. slow: every response is late. lying: it responds at once and
 * wrongly.
 */
export const NODE_MODES = ['ok', 'down', 'slow', 'lying'] as const;
export type NodeMode = (typeof NODE_MODES)[number];

/** The switch of a node, which the desk turns. Some nodes have further modes. */
export type NodeSwitch<Mode extends string = NodeMode> = {
  url: string;
  port: number;
  mode(): Mode | NodeMode;
  setMode(mode: Mode | NodeMode, delayMs?: number): Promise<void>;
  close(): Promise<void>;
};

export type NodeAnswer = { status: number; body: string | Buffer; headers?: Readonly<Record<string, string>> };

export type NodeFrontOptions<Mode extends string> = {
  port: number;
  /** Completes "wanted for …". */
  purpose: string;
  /** Serves one request; its body has been read. */
  answer: (request: IncomingMessage, body: string, mode: Mode | NodeMode) => Promise<NodeAnswer>;
  /** What a web page of another origin gets instead. */
  foreign: NodeAnswer;
};

const DEFAULT_DELAY_MS = 15_000;
const LARGEST_BODY = 5_000_000;

/** One address of a chain's node over HTTP. @throws SandboxFailure port_taken */
export async function startNodeFront<Mode extends string = NodeMode>({
  port,
  purpose,
  answer,
  foreign,
}: NodeFrontOptions<Mode>): Promise<NodeSwitch<Mode>> {
  let mode: Mode | NodeMode = 'ok';
  let delayMs = DEFAULT_DELAY_MS;
  const server = createServer(HTTP_TIMEOUTS, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isForeign(request)) return reply(response, foreign);
    const body = await readBody(request);
    if (mode === 'slow') await delay(delayMs);
    reply(response, await answer(request, body, mode));
  }

  const taken = await listenHttp(server, port, purpose);
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    mode: () => mode,
    async setMode(next, nextDelayMs = DEFAULT_DELAY_MS) {
      delayMs = nextDelayMs;
      if (next === 'down' && mode !== 'down') await closeHttp(server);
      if (next !== 'down' && mode === 'down') await listenHttp(server, taken, purpose);
      mode = next;
    },
    async close() {
      if (mode !== 'down') await closeHttp(server);
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Error('the request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reply(response: ServerResponse, { status, body, headers }: NodeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
