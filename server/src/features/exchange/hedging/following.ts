import type { Database } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/process/log.ts';
import { isSame, sumOf } from './domain.ts';
import type { LiveOrder } from './store.ts';
import * as store from './store.ts';
import { type Venue, VenueError, type VenueOrder } from './venue.ts';

/**
 * Takes one order further: sends it, asks what became of it, records its fills, cancels what is not filled in time. A request to the venue is made with no
 * transaction open, and what it could have done is stored before it: the worker after a kill knows whether it may have been sent.
 */

export interface Following {
  database: Database;
  venue: Venue;
  log: Log;
  times: FollowingTimes;
}

/** Milliseconds. */
export interface FollowingTimes {
  /** A venue that gets an order so late does not place it: also what a price is good for. */
  deadlineMs: number;
  /** So long after its deadline an order that the venue does not have never arrived. */
  settleMs: number;
  cancelAfterMs: number;
}

/** Kraken's own limits for a deadline are 2 and 60 seconds. */
export const usualDeadlineMs = 10_000;

/** @throws VenueError where the venue could not be asked: the order stays as it is, for the next round */
export async function follow(deps: Following, order: LiveOrder): Promise<void> {
  switch (order.state) {
    case 'stored':
      return send(deps, order);
    case 'sending':
      // The worker that was sending it is gone: the order may have arrived.
      await deps.database.withoutCompany((tx) => store.markUnknown(tx, order.id, null));
      return ask(deps, { ...order, state: 'unknown' });
    case 'unknown':
    case 'open':
      return ask(deps, order);
  }
}

async function send(deps: Following, order: LiveOrder): Promise<void> {
  const { database, venue, times, log } = deps;
  // Decided by a price that is none any more: nothing has been sent.
  if (order.ageMs > times.deadlineMs) return endUnplaced(deps, order, 'notPlaced', 'stale');
  const begun = await database.withoutCompany((tx) => store.beginSending(tx, order.id, times.deadlineMs));
  if (begun === null) return;
  try {
    const venueOrderId = await venue.place({ ...order, deadline: begun.deadline });
    await database.withoutCompany((tx) => store.markOpen(tx, order.id, venueOrderId));
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
    log.warn({ err: error, order: order.id, outcome: error.outcome }, 'a hedge order was not taken');
    if (error.outcome === 'unknown') {
      await database.withoutCompany((tx) => store.markUnknown(tx, order.id, error.message));
      return;
    }
    await endUnplaced(deps, order, error.outcome === 'refused' ? 'refused' : 'notPlaced', error.message);
  }
}

async function endUnplaced(
  { database }: Following,
  { id }: LiveOrder,
  state: 'refused' | 'notPlaced',
  reason: string,
): Promise<void> {
  await database.withoutCompany((tx) => store.endUnplaced(tx, id, state, reason));
}

async function ask(deps: Following, order: LiveOrder): Promise<void> {
  const { database, venue, times, log } = deps;
  const { id, asset, counter, venueOrderId, sentAt } = order;
  if (sentAt === null) throw new Error(`the order ${id} was never sent`);
  const found = await venue.find({ id, venueId: venueOrderId, asset, counter, sentAt });
  if (found === null) {
    // Until its deadline it may still arrive. One that was open is there: the venue is behind.
    const isGone = order.state === 'unknown' && (order.overdueMs ?? 0) > times.settleMs;
    if (isGone) return endUnplaced(deps, order, 'notPlaced', 'neverArrived');
    await database.withoutCompany((tx) => store.markAsked(tx, id));
    return;
  }
  await record(deps, order, found);
  if (!found.isOpen || venue.cancel === null || (order.openMs ?? 0) <= times.cancelAfterMs) return;
  await database.withoutCompany((tx) => store.markCancelled(tx, id));
  await venue.cancel({ id, venueId: found.venueId });
  log.info({ order: id }, 'the rest of a hedge order is cancelled');
}

/** Fills, and the end once all of them are known. */
async function record({ database, venue }: Following, order: LiveOrder, found: VenueOrder): Promise<void> {
  const isWhole = isSame(sumOf(found.fills.map(({ quantity }) => quantity)), found.filled);
  await database.withoutCompany(async (tx) => {
    await store.markOpen(tx, order.id, found.venueId);
    if (found.fills.length > 0) {
      const fills = found.fills.map((fill) => ({ ...fill, id: newId() }));
      await store.insertFills(tx, { id: order.id, venue: venue.id }, fills);
    }
    await store.markAsked(tx, order.id);
    if (!found.isOpen && isWhole) await store.endDone(tx, order.id, found.reason);
  });
}
