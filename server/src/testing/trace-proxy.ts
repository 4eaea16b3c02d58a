import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How the node behind the proxy serves trace methods. missing: it does not offer them. hanging: it never responds. lying: it
 * shows a payment that did not happen, and none that did. slow: every answer comes after the caller has given up.
 */
export type TraceMode = 'ok' | 'missing' | 'hanging' | 'lying' | 'slow';

export interface TraceProxy {
  url: string;
  mode: TraceMode;
  /** Whom the lies name. */
  liesAbout: string;
  /** Trace calls that were asked and not answered yet. */
  open(): number;
  /** The highest that `open` has been. */
  mostOpen(): number;
  /** Trace calls by method. */
  asked: Map<string, number>;
  close(): Promise<void>;
}

const slowMs = 3000;

/** A JSON-RPC proxy in front of a node, which passes on everything but traces. */
export async function startTraceProxy(target: string): Promise<TraceProxy> {
  let open = 0;
  let mostOpen = 0;
  const asked = new Map<string, number>();

  async function trace(method: string, body: string): Promise<string | null> {
    asked.set(method, (asked.get(method) ?? 0) + 1);
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    const { id } = JSON.parse(body) as { id: number };
    const answer = (content: object) => JSON.stringify({ jsonrpc: '2.0', id, ...content });
    if (proxy.mode === 'hanging') return null;
    if (proxy.mode === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs).unref());
    open -= 1;
    if (proxy.mode === 'missing') {
      return answer({ error: { code: -32601, message: `the method ${method} does not exist/is not available` } });
    }
    if (proxy.mode !== 'lying') return forward(body);
    const frame = { type: 'CALL', from: proxy.liesAbout, to: proxy.liesAbout, value: '0x0' };
    const told = { ...frame, calls: [{ ...frame, value: '0xde0b6b3a7640000' }] };
    return answer({
      result: method === 'debug_traceTransaction' ? told : [{ txHash: `0x${'1'.repeat(64)}`, result: told }],
    });
  }

  async function forward(body: string): Promise<string> {
    const response = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return response.text();
  }

  const server = createServer(async (request, response) => {
    const body = await read(request);
    const parsed = JSON.parse(body) as { method?: string };
    const isTrace = /^(debug_)?trace_?/.test(parsed.method ?? '');
    const text = await (isTrace ? trace(parsed.method ?? '', body) : forward(body)).catch(() => undefined);
    if (text === null) return;
    if (text === undefined) response.destroy();
    else response.setHeader('content-type', 'application/json').end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: TraceProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    liesAbout: `0x${'0'.repeat(40)}`,
    open: () => open,
    mostOpen: () => mostOpen,
    asked,
    close: () => closed(server),
  };
  return proxy;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
