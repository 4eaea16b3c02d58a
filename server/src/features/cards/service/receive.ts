import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { countRefusals } from '../../../platform/http/count-refusals.ts';
import type { Log } from '../../../platform/process/log.ts';
import type { IssuerProtocol, SignedRequest } from '../issuer.ts';
import { authorize } from './authorize.ts';
import { takeInMessage } from './take-in.ts';

/**
 * What the issuer asks and says: `POST /hooks/cards/authorization`, answered at once, and `POST /hooks/cards/events`. Both are signed, as the issuer's protocol has it; nothing
 * of what is not is read any further.
 */
export interface CardHooks {
  app: FastifyInstance;
  database: Database;
  clock: Clock;
  log: Log;
  /** Null: no issuer is connected, and there are no such addresses. */
  protocol: IssuerProtocol | null;
  /** From the arrival of a question; milliseconds. */
  deadlineMs?: number;
}

const largestBytes = 64 * 1024;

export async function registerCardHooks({ app, protocol, deadlineMs, ...parts }: CardHooks): Promise<void> {
  if (protocol === null) return;
  const { database, clock } = parts;
  const refusals = countRefusals(clock);
  const authorizing = { ...parts, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
  const refuse = (request: FastifyRequest): DomainError => {
    refusals.count(request.ip);
    return new DomainError('cardEventRefused');
  };
  await app.register(async (scope) => {
    // The signature is of the bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/hooks/cards/authorization', async (request, reply) => {
      if (refusals.tooMany(request.ip)) throw new DomainError('tooManyRequests');
      const asked = protocol.readAuthorization(signed(request), clock.now());
      if (asked === null) throw refuse(request);
      const answer = await authorize(authorizing, asked);
      return reply.status(200).header('cache-control', 'no-store').send(protocol.writeAnswer(asked, answer));
    });
    scope.post('/hooks/cards/events', async (request, reply) => {
      if (refusals.tooMany(request.ip)) throw new DomainError('tooManyRequests');
      const message = protocol.readMessage(signed(request), clock.now());
      if (message === null) throw refuse(request);
      // What cannot be booked is kept, and was received all the same.
      await takeInMessage(database, message, signed(request).body);
      return reply.status(200).header('cache-control', 'no-store').send({ received: true });
    });
  });
}

function signed({ headers, body }: FastifyRequest): SignedRequest {
  return { headers, body: Buffer.isBuffer(body) ? body.toString('utf8') : '' };
}
