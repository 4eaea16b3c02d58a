import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import { type WebhookEventType, webhookEventOf } from '@causeway/contract/webhooks-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { readTransactions, type TransactionRow } from '../../transactions/index.ts';
import { bodyOf } from '../body.ts';
import { findListening } from '../store/endpoints.ts';
import { findReached, insertDeliveries, insertEvent, type NewEvent } from '../store/events.ts';

/**
 * Makes the events of a transaction and their deliveries. The lines of its timeline are what happened, so it does not matter which announcement came, or how
 * often: a line is one event, and an endpoint has one delivery of it.
 */
export async function noteTransaction(tx: Tx, transactionId: string): Promise<void> {
  const listening = await findListening(tx);
  if (listening.length === 0) return;
  const [row] = await readTransactions(tx, [transactionId]);
  // The operator's own payments are at companies' addresses, and none of their events.
  if (!row) return;
  const since = new Date(Math.min(...listening.map(({ since: on }) => on.getTime())));
  const twins = transactionLives[row.type].twin === null || row.relatedId === null ? [] : [row.relatedId];
  const made: string[] = [];
  for (const each of [row, ...(await readTransactions(tx, twins))])
    made.push(...(await note(tx, each, listening, since)));
  await announce(
    tx,
    made.map((id) => live('webhook', id)),
  );
}

/** Makes an event whose source is no transaction's timeline, and its deliveries; `id` names it, so it is made once. */
export async function noteEvent(tx: Tx, event: NewEvent & { type: WebhookEventType }): Promise<void> {
  const made = await deliverTo(tx, await findListening(tx), event);
  await announce(
    tx,
    made.map((id) => live('webhook', id)),
  );
}

type Listening = Awaited<ReturnType<typeof findListening>>;

/** @returns the ids of the deliveries that are made */
async function deliverTo(
  tx: Tx,
  listening: Listening,
  event: NewEvent & { type: WebhookEventType },
): Promise<string[]> {
  const to = listening.filter(
    ({ since, events }) => since <= event.at && (events === null || events.includes(event.type)),
  );
  if (to.length === 0) return [];
  await insertEvent(tx, event);
  return insertDeliveries(
    tx,
    event.id,
    to.map(({ id }) => id),
  );
}

async function note(tx: Tx, row: TransactionRow, listening: Listening, since: Date): Promise<string[]> {
  const made: string[] = [];
  for (const reached of await findReached(tx, row.id, since)) {
    const type = webhookEventOf(row.type, reached.stage);
    if (type === null) continue;
    const { id, at } = reached;
    const event = { id, type, transactionId: row.id, body: bodyOf(type, row, reached), at };
    made.push(...(await deliverTo(tx, listening, event)));
  }
  return made;
}
