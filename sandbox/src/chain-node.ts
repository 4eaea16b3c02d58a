import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { RpcError } from './anvil.ts';
import type { Answer } from './chain-answer.ts';
import { twist } from './chain-lies.ts';
import { closeHttp, HTTP_TIMEOUTS, isForeign, listenHttp } from './http-listen.ts';

/**
 * How a node behaves. down: its port is closed. slow: every response is late. lying: it responds at once and
 * wrongly (see `twist`).
 */
export const NODE_MODES = ['ok', 'down', 'slow', 'lying'] as const;
export type NodeMode = (typeof NODE_MODES)[number];

export type ChainNode = {
  url: string;
  port: number;
  mode(): NodeMode;
  setMode(mode: NodeMode, delayMs?: number): Promise<void>;
  close(): Promise<void>;
};

const DEFAULT_DELAY_MS = 15_000;
const LARGEST_BODY = 5_000_000;

type Call = { id: unknown; method: string; params: readonly unknown[] };

/**
 * One JSON-RPC 2.0 address of the chain over HTTP, single calls and batches, as a node of a provider offers it:
 * without the development node's own methods.
 *
 * @throws SandboxFailure port_taken
 */
export async function startChainNode(port: number, answer: Answer): Promise<ChainNode> {
  let mode: NodeMode = 'ok';
  let delayMs = DEFAULT_DELAY_MS;
  const server = createServer(HTTP_TIMEOUTS, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isForeign(request)) {
      reply(response, 403, failure(null, new RpcError(-32600, 'not for web pages of other origins')));
      return;
    }
    if (request.method !== 'POST') {
      reply(response, 405, failure(null, new RpcError(-32600, 'only POST is allowed')));
      return;
    }
    const body = await readBody(request);
    if (mode === 'slow') await delay(delayMs);
    reply(
      response,
      200,
      await answerBody(body, mode === 'lying' ? (method, params) => twist(method, params, answer) : answer),
    );
  }

  const taken = await listenHttp(server, port, 'the local chain');
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    mode: () => mode,
    async setMode(next, nextDelayMs = DEFAULT_DELAY_MS) {
      delayMs = nextDelayMs;
      if (next === 'down' && mode !== 'down') await closeHttp(server);
      if (next !== 'down' && mode === 'down') await listenHttp(server, taken, 'the local chain');
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

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function answerBody(body: string, answer: Answer): Promise<unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return failure(null, new RpcError(-32700, 'parse error'));
  }
  if (!Array.isArray(parsed)) return answerCall(parsed, answer);
  return Promise.all(parsed.map((call) => answerCall(call, answer)));
}

async function answerCall(value: unknown, answer: Answer): Promise<unknown> {
  const call = toCall(value);
  if (call === undefined) return failure(null, new RpcError(-32600, 'invalid request'));
  try {
    return { jsonrpc: '2.0', id: call.id, result: (await answer(call.method, call.params)) ?? null };
  } catch (error) {
    return failure(call.id, error instanceof RpcError ? error : new RpcError(-32603, 'internal error'));
  }
}

function toCall(value: unknown): Call | undefined {
  if (typeof value !== 'object' || value === null || !('method' in value) || typeof value.method !== 'string')
    return undefined;
  const params = 'params' in value && Array.isArray(value.params) ? value.params : [];
  return { id: 'id' in value ? value.id : null, method: value.method, params };
}

function failure(id: unknown, error: RpcError): unknown {
  const { code, message, data } = error;
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}
