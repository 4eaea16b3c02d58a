import type { FastifyInstance } from 'fastify';
import { readSignedId, signingKeys } from '../../../platform/crypto/webhook-signature.ts';
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

export async function registerTradeHooks({ app, secrets, ...intake }: TradeHooks): Promise<void> {
  if (secrets.length === 0) return;
  const refusals = countRefusals(intake.clock);
  const keys = signingKeys(secrets);
  await app.register(async (scope) => {
    // The signature is of the bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/hooks/trades', async (request, reply) => {
      if (refusals.tooMany(request.ip)) throw new DomainError('tooManyRequests');
      const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
      const messageId = readSignedId({ headers: request.headers, body }, keys, intake.clock.now());
      if (messageId === null) {
        refusals.count(request.ip);
        throw new DomainError('tradeEventRefused');
      }
      await takeIn(intake, { messageId, body });
      return reply.status(200).header('cache-control', 'no-store').send({ received: true });
    });
  });
}
