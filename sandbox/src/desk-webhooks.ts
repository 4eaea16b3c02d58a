/**
 * The part of the desk's API that commands the receiver of webhooks (see desk-api.ts).
 *
 * GET  /api/webhooks                                    { url, mode, hasSecret, received }: the newest first
 * POST /api/webhooks       { mode?: ok | failing | hanging | redirecting | gone, secret?: whsec_…, forget?: true }
 */
import * as z from 'zod/mini';
import { DeskError, type DeskRequest, read } from './desk-call.ts';
import { RECEIVER_MODES, type WebhookReceiver } from './webhook-receiver.ts';

const body = z.object({
  mode: z.exactOptional(z.enum(RECEIVER_MODES)),
  secret: z.exactOptional(z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'not a secret'))),
  forget: z.exactOptional(z.literal(true)),
});

type Route = (parts: { webhooks: WebhookReceiver }, request: DeskRequest) => unknown;

export const WEBHOOK_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/webhooks': ({ webhooks }) => shown(webhooks),
  'POST /api/webhooks': ({ webhooks }, request) => {
    const { mode, secret, forget } = read(body, request.body);
    if (secret !== undefined) {
      try {
        webhooks.setSecret(secret);
      } catch {
        throw new DeskError(422, 'secret: not a secret');
      }
    }
    if (mode !== undefined) webhooks.setMode(mode);
    if (forget) webhooks.forget();
    return shown(webhooks);
  },
};

function shown(webhooks: WebhookReceiver) {
  const { url } = webhooks;
  return { url, mode: webhooks.mode(), hasSecret: webhooks.hasSecret(), received: webhooks.received() };
}
