import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../../platform/clock.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { countRefusals } from '../../../platform/http/count-refusals.ts';
import { type Intake, takeIn } from './apply.ts';

/**
 * Events of the trade platform: `POST /hooks/trades`, signed as Standard Webhooks has it (symmetric, `v1`). One that is repeated, late, early or
 * out of order is acknowledged and changes nothing that it must not (docs/adr/0101-…).
 */
export interface TradeHooks extends Intake {
  app: FastifyInstance;
  /** The current secret, and the one before while it is being changed; none: no platform is connected. */
  secrets: readonly string[];
}

const largestBytes = 64 * 1024;
const toleranceMs = 5 * 60_000;

export async function registerTradeHooks({ app, secrets, ...intake }: TradeHooks): Promise<void> {
  if (secrets.length === 0) return;
  const refusals = countRefusals(intake.clock);
  const keys = secrets.map((secret) => new Webhook(secret));
  await app.register(async (scope) => {
    // The signature is of the bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/hooks/trades', async (request, reply) => {
      if (refusals.tooMany(request.ip)) throw new DomainError('tooManyRequests');
      const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
      const messageId = verifiedId(request, body, keys, intake.clock);
      if (messageId === null) {
        refusals.count(request.ip);
        throw new DomainError('tradeEventRefused');
      }
      await takeIn(intake, { messageId, body });
      return reply.status(200).header('cache-control', 'no-store').send({ received: true });
    });
  });
}

/** The `webhook-id` of an event that one of the keys signed within five minutes; else null. */
function verifiedId({ headers }: FastifyRequest, body: string, keys: readonly Webhook[], clock: Clock): string | null {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return null;
  const at = new Date(Number(timestamp) * 1000);
  // A signed event that was overheard cannot be sent again later.
  if (Math.abs(clock.now().getTime() - at.getTime()) > toleranceMs) return null;
  const given = signatures.split(' ').slice(0, 10);
  const valid = keys.map((key) => key.sign(id, at, body)).some((own) => given.some((each) => isSame(own, each)));
  return valid ? id : null;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
