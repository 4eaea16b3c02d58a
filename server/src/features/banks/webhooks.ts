import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { countRefusals } from '../../platform/http/count-refusals.ts';
import { insertEvent } from './intake/deposit-store.ts';

/**
 * Events of banks with an HTTP API: `POST /hooks/banks/BANK`, signed as Airwallex does, `x-signature` = hex HMAC-SHA256 of `x-timestamp`
 * (milliseconds) and the raw body. An event is stored once and then acknowledged with 200; it posts nothing. It makes the worker ask the bank, so
 * that an event that is forged, doubled, late or out of order changes nothing that the bank does not say itself.
 */
export interface WebhookDependencies {
  app: FastifyInstance;
  database: Database;
  clock: Clock;
  /** By bank; the current secret, and the one before while it is being changed. */
  secrets: ReadonlyMap<string, readonly string[]>;
}

const largestBytes = 64 * 1024;
const toleranceMs = 5 * 60_000;

const event = z.looseObject({
  id: z.string().min(1).max(100),
  name: z.string().min(1).max(100),
  data: z.looseObject({ id: z.string().min(1).max(100).optional() }).nullish(),
});

export async function registerBankWebhooks({ app, database, clock, secrets }: WebhookDependencies): Promise<void> {
  if (secrets.size === 0) return;
  const refusals = countRefusals(clock);
  await app.register(async (scope) => {
    // The signature is of the bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { bank: string } }>('/hooks/banks/:bank', async (request, reply) => {
      const { bank } = request.params;
      const keys = secrets.get(bank);
      if (!keys) throw new DomainError('notFound');
      if (refusals.tooMany(request.ip)) throw new DomainError('tooManyRequests');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (!isSigned(request, body, keys) || !isRecent(request, clock)) {
        refusals.count(request.ip);
        throw new DomainError('bankEventRefused');
      }
      const { id, name, data } = read(body);
      const stored = { bank, id, name, objectId: data?.id ?? null, body };
      await database.withoutCompany((tx) => insertEvent(tx, stored));
      return reply.status(200).header('cache-control', 'no-store').send({ received: true });
    });
  });
}

function isSigned({ headers }: FastifyRequest, body: Buffer, keys: readonly string[]): boolean {
  const { 'x-signature': signature, 'x-timestamp': timestamp } = headers;
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !/^[0-9a-f]{64}$/i.test(signature))
    return false;
  const given = Buffer.from(signature, 'hex');
  const matches = keys.map((key) =>
    timingSafeEqual(createHmac('sha256', key).update(timestamp).update(body).digest(), given),
  );
  return matches.includes(true);
}

/** A signed event that was overheard cannot be sent again later. */
function isRecent({ headers }: FastifyRequest, clock: Clock): boolean {
  const { 'x-timestamp': timestamp } = headers;
  if (typeof timestamp !== 'string' || !/^\d{1,15}$/.test(timestamp)) return false;
  return Math.abs(clock.now().getTime() - Number(timestamp)) <= toleranceMs;
}

/** @throws DomainError validationFailed */
function read(body: Buffer): z.output<typeof event> {
  try {
    return event.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new DomainError('validationFailed');
  }
}
