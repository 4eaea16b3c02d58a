import type { WebhookEvent } from '@causeway/sandbox/bank/model.ts';
import { bodyOf, signatureOf } from '@causeway/sandbox/bank/webhooks.ts';
import { fastify } from 'fastify';
import { registerBankWebhooks } from '../features/banks/index.ts';
import type { TestDatabase } from './database.ts';

/** The address to which a bank with an HTTP API sends its events, and the bank's own way of sending them. */
export interface EventDoor {
  /** As the bank sends it. @returns whether it was acknowledged, so that the bank sends it no more */
  send(event: WebhookEvent): Promise<boolean>;
  /** The same event, signed with another secret. */
  forge(event: WebhookEvent): Promise<boolean>;
  close(): Promise<void>;
}

const secret = 'secret-of-the-test';

export async function openEventDoor(db: TestDatabase, bank: string): Promise<EventDoor> {
  const app = fastify();
  const clock = { now: () => new Date() };
  await registerBankWebhooks({ app, database: db.app, clock, secrets: new Map([[bank, [secret]]]) });
  const post = async (event: WebhookEvent, key: string) => {
    const [body, timestamp] = [bodyOf(event), String(Date.now())];
    const headers = { 'x-timestamp': timestamp, 'x-signature': signatureOf(key, timestamp, body) };
    const response = await app.inject({ method: 'POST', url: `/hooks/banks/${bank}`, headers, payload: body });
    return response.statusCode === 200;
  };
  return {
    send: (event) => post(event, secret),
    forge: (event) => post(event, 'another-secret'),
    close: () => app.close(),
  };
}
