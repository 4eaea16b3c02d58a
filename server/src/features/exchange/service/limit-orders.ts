import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { type DueOrder, findDueOrders } from '../store/limit-orders.ts';
import { executeResting } from './execute.ts';

/**
 * Limit orders (docs/adr/0085-…). The loop runs in the HTTP process, which seals exchanges; the lock of an order's transaction lets one process
 * exchange it, end it, or its initiator cancel it.
 */

const everyMs = 1000;
const pageSize = 100;

export interface LimitOrders {
  database: Database;
  seal: Seal;
  log: Log;
}

export function startLimitOrders(orders: LimitOrders): Loop {
  return startLoop({
    name: 'exchange.limitOrders',
    everyMs,
    log: orders.log,
    alone: { database: orders.database, lock: 'exchange.limitOrders' },
    step: (signal) => executeDueOrders(orders, signal),
  });
}

/** One round over all orders that may have reached their limit, or are over; one that fails keeps no others from their turn. */
export async function executeDueOrders({ database, seal, log }: LimitOrders, signal?: AbortSignal): Promise<void> {
  const dueAfter = (after: DueOrder | null) =>
    database.withoutCompany((tx) => findDueOrders(tx, after?.id ?? null, pageSize));
  for (let due = await dueAfter(null); due.length > 0; due = await dueAfter(due.at(-1) ?? null)) {
    for (const { companyId, id } of due) {
      if (signal?.aborted) return;
      await database
        .withCompany(companyId, (tx) => executeResting(tx, seal, id))
        .catch((error: unknown) =>
          log.warn({ err: error, companyId, exchange: id }, 'a limit order could not be carried out'),
        );
    }
  }
}
