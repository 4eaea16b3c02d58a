import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { bodyOf, startHttp } from './http-service.ts';

/**
 * A system of a company's own that receives its webhooks: it verifies each by the secret that it was given, with the published library, and keeps what came.
 * It can answer as systems that fail do.
 */

/** failing answers 500, hanging nothing, redirecting 302, gone 410. */
export const RECEIVER_MODES = ['ok', 'failing', 'hanging', 'redirecting', 'gone'] as const;
export type ReceiverMode = (typeof RECEIVER_MODES)[number];

export type ReceivedWebhook = {
  /** The header `webhook-id`. */
  id: string;
  receivedAt: string;
  path: string;
  type: string;
  /** By the secret of now; null where none is set. */
  isVerified: boolean | null;
  signatures: number;
  body: string;
};

export type WebhookReceiver = {
  url: string;
  /** The newest first. */
  received(): ReceivedWebhook[];
  mode(): ReceiverMode;
  hasSecret(): boolean;
  setMode(mode: ReceiverMode): void;
  /** @throws where it is no secret */
  setSecret(secret: string): void;
  forget(): void;
  stop(): Promise<void>;
};

const MOST_KEPT = 100;
const LARGEST_BODY = 1_000_000;

/** @throws SandboxFailure port_taken */
export async function startWebhookReceiver({ port = 0 } = {}): Promise<WebhookReceiver> {
  let mode: ReceiverMode = 'ok';
  let secret: Webhook | null = null;
  let kept: ReceivedWebhook[] = [];

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/readyz') {
      response.writeHead(200).end();
      return;
    }
    const body = await bodyOf(request, LARGEST_BODY);
    if (body === null) return void response.destroy();
    const header = (name: string): string => String(request.headers[name] ?? '');
    kept = [
      {
        id: header('webhook-id'),
        receivedAt: new Date().toISOString(),
        path: request.url ?? '/',
        type: typeOf(body),
        isVerified: secret && isVerified(secret, body, request),
        signatures: header('webhook-signature').split(' ').filter(Boolean).length,
        body,
      },
      ...kept,
    ].slice(0, MOST_KEPT);
    if (mode === 'hanging') return;
    if (mode === 'redirecting') response.writeHead(302, { location: '/elsewhere' }).end();
    else if (mode === 'ok') response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}');
    else response.writeHead(mode === 'gone' ? 410 : 500).end(mode === 'gone' ? 'gone' : 'out of order');
  }

  const service = await startHttp({
    port,
    purpose: "the sandbox's receiver of webhooks",
    serve: take,
    failed: (response) => void response.destroy(),
  });
  return {
    url: `${service.url}/hooks`,
    received: () => kept,
    mode: () => mode,
    hasSecret: () => secret !== null,
    setMode(next) {
      mode = next;
    },
    setSecret(text) {
      secret = new Webhook(text);
    },
    forget() {
      kept = [];
    },
    stop: () => service.stop(),
  };
}

function isVerified(secret: Webhook, body: string, { headers }: IncomingMessage): boolean {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    secret.verify(body, given);
    return true;
  } catch {
    return false;
  }
}

function typeOf(body: string): string {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === 'object' && read !== null && 'type' in read ? String(read.type) : '';
  } catch {
    return '';
  }
}
