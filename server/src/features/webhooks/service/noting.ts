import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import { type WebhookEventType, webhookEventOf } from '@causeway/contract/webhooks-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { readTransactions, type TransactionRow } from '../../transactions/index.ts';
import { bodyOf } from '../body.ts';
import { findListening } from '../store/endpoints.ts';
import { findReached, insertDeliveries, insertEvent } from '../store/events.ts';

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

/**
 * Makes an event that is of no transaction, and its deliveries, in the transaction that writes what it is of. Its id is that of a line of a timeline, so it is
 * made once.
 */
export async function noteEvent(
  tx: Tx,
  event: { id: string; type: WebhookEventType; at: Date; body: string },
): Promise<void> {
  const to = (await findListening(tx)).filter(({ events }) => events === null || events.includes(event.type));
  if (to.length === 0) return;
  await insertEvent(tx, { ...event, transactionId: null });
  const made = await insertDeliveries(
    tx,
    event.id,
    to.map(({ id }) => id),
  );
  await announce(
    tx,
    made.map((id) => live('webhook', id)),
  );
}

async function note(
  tx: Tx,
  row: TransactionRow,
  listening: Awaited<ReturnType<typeof findListening>>,
  since: Date,
): Promise<string[]> {
  const made: string[] = [];
  for (const reached of await findReached(tx, row.id, since)) {
    const type = webhookEventOf(row.type, reached.stage);
    if (type === null) continue;
    const to = listening.filter(
      (endpoint) => endpoint.since <= reached.at && (endpoint.events === null || endpoint.events.includes(type)),
    );
    if (to.length === 0) continue;
    const { id, at } = reached;
    await insertEvent(tx, { id, type, transactionId: row.id, body: bodyOf(type, row, reached), at });
    made.push(
      ...(await insertDeliveries(
        tx,
        id,
        to.map((endpoint) => endpoint.id),
      )),
    );
  }
  return made;
}
