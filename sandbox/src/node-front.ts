import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isForeign } from './http-listen.ts';
import { bodyOf, startHttp } from './http-service.ts';

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

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isForeign(request)) return reply(response, foreign);
    const body = await bodyOf(request, LARGEST_BODY);
    if (body === null) return void response.destroy();
    if (mode === 'slow') await delay(delayMs);
    reply(response, await answer(request, body, mode));
  }

  const service = await startHttp({ port, purpose, serve: handle, failed: (response) => void response.destroy() });
  return {
    url: service.url,
    port: service.port,
    mode: () => mode,
    async setMode(next, nextDelayMs = DEFAULT_DELAY_MS) {
      delayMs = nextDelayMs;
      await service.setDown(next === 'down');
      mode = next;
    },
    close: () => service.stop(),
  };
}

function reply(response: ServerResponse, { status, body, headers }: NodeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
