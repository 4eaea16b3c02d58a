import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import PO from 'pofile';
import { answerDeskCall, type DeskParts } from './desk-api.ts';
import { DeskError } from './desk-call.ts';
import { type HttpTimeouts, isForeign } from './http-listen.ts';
import { bodyOf, startHttp } from './http-service.ts';

export type Desk = { url: string; port: number; stop(): Promise<void> };

type StaticFile = { type: string; content: string };

const LOCALES = ['en-us', 'zh-hk', 'zh-cn'] as const;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const HEADERS = {
  'cache-control': 'no-cache',
  // Mails are shown in a sandboxed frame: their own style is welcome, scripts and remote content are not.
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
const LARGEST_BODY = 1_000_000;

/**
 * The web page and JSON API with which a person or a test plays the world outside of Causeway. Reachable from this
 * machine only, and closed to web pages of other origins.
 *
 * @throws SandboxFailure port_taken
 */
export async function startDesk(options: { parts: DeskParts; port?: number; timeouts?: HttpTimeouts }): Promise<Desk> {
  const files = await loadFiles();
  const { url, port, stop } = await startHttp({
    port: options.port,
    purpose: 'the sandbox desk',
    timeouts: options.timeouts,
    serve: (request, response) => handle(request, response, options.parts, files),
    failed(response, error) {
      const status = error instanceof DeskError ? error.status : 500;
      sendJson(response, status, { error: error instanceof Error ? error.message : String(error) });
    },
  });
  return { url, port, stop };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  parts: DeskParts,
  files: ReadonlyMap<string, StaticFile>,
): Promise<void> {
  // A page of another origin could otherwise have the reader's browser pay from the faucet.
  if (isForeign(request)) throw new DeskError(403, 'Only for the desk itself, on this machine.');
  const url = new URL(request.url ?? '/', 'http://desk');
  const method = request.method ?? 'GET';
  if (url.pathname === '/readyz') return sendJson(response, 200, { status: 'ready' });
  if (url.pathname.startsWith('/api/')) {
    const body = method === 'GET' ? undefined : await readBody(request);
    return sendJson(
      response,
      200,
      await answerDeskCall(parts, { method, path: url.pathname, query: url.searchParams, body }),
    );
  }
  const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname);
  if (file === undefined || method !== 'GET') throw new DeskError(404, 'There is nothing here.');
  response.writeHead(200, { ...HEADERS, 'content-type': file.type }).end(file.content);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new DeskError(415, 'JSON is expected.');
  const text = await bodyOf(request, LARGEST_BODY);
  if (text === null) throw new DeskError(413, 'The body is too large.');
  try {
    return JSON.parse(text);
  } catch {
    throw new DeskError(400, 'The body is not JSON.');
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  response
    .writeHead(status, { ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(body));
}

/** Page, styles and scripts of desk/, scripts without their types, and the texts of each language as JSON. */
async function loadFiles(): Promise<Map<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  const directory = fileURLToPath(new URL('../desk/', import.meta.url));
  for (const name of await readdir(directory)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const source = await readFile(join(directory, name), 'utf8');
    files.set(`/${name}`, { type, content: name.endsWith('.ts') ? stripTypeScriptTypes(source) : source });
  }
  for (const locale of LOCALES) {
    const catalogue = PO.parse(await readFile(new URL(`../locales/${locale}.po`, import.meta.url), 'utf8'));
    const texts = Object.fromEntries(catalogue.items.map((item) => [item.msgid, item.msgstr[0] ?? '']));
    files.set(`/texts/${locale}.json`, { type: 'application/json; charset=utf-8', content: JSON.stringify(texts) });
  }
  return files;
}
