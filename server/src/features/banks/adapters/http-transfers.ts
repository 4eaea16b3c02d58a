import { type BankApi, BankApiError, timeOf } from '../api/client.ts';
import { createTransfer, findTransfer, type ListedTransfer, transferById, transfersSince } from '../api/transfers.ts';
import { BankConnectionError, type TransferDesk } from '../gateway.ts';
import type { TransferMemory } from '../intake/transfer-store.ts';

/** Transfers of a bank that is reached by Airwallex's public HTTP API: what it says of them, and the desk that takes orders. */

/** Transfers that are not at their end and that one visit asks about. */
const askedAtOnce = 200;

/** How far a transfer is. The bank's list may be behind itself: what is said of an earlier state is old. */
const ranks: Readonly<Record<string, number>> = { SENT: 1, PAID: 2, FAILED: 3, CANCELLED: 4 };
const rankOf = (status: string) => ranks[status] ?? 0;

export interface TransferFinder {
  /** Transfers whose state is not stored yet, by the names of their messages. */
  fresh(named: readonly string[], since: 'open' | { backMs: number }): Promise<Map<string, ListedTransfer>>;
  remember(transfer: ListedTransfer): Promise<void>;
}

export function transferFinder(api: BankApi, memory: TransferMemory): TransferFinder {
  async function find(named: readonly string[], since: 'open' | { backMs: number }): Promise<ListedTransfer[]> {
    const found = new Map<string, ListedTransfer>();
    if (since !== 'open') {
      const newest = await memory.newest();
      const from = newest && new Date(newest.getTime() - since.backMs);
      for (const transfer of await transfersSince(api, from)) found.set(transfer.id, transfer);
    }
    for (const id of new Set([...named, ...(await memory.open(askedAtOnce))])) {
      const transfer = found.get(id) ?? (await transferById(api, id));
      if (transfer) found.set(id, transfer);
    }
    return [...found.values()];
  }

  const remember = ({ id, request_id: requestId, status, created_at: createdAt }: ListedTransfer) =>
    memory.remember({ id, requestId: requestId ?? '', status, begunAt: timeOf(createdAt) });

  return {
    remember,
    async fresh(named, since) {
      const transfers = await find(named, since);
      const known = await memory.states(transfers.map(({ id }) => id));
      const changed = new Map<string, ListedTransfer>();
      for (const transfer of transfers) {
        const { id, status } = transfer;
        const before = known.get(id) ?? '';
        // Asked, and no further: the next visit asks about others first.
        if (before === status && !(status in ranks)) await remember(transfer);
        if (before === status || rankOf(status) < rankOf(before)) continue;
        changed.set(`transfer ${id} ${status}`, transfer);
      }
      return changed;
    },
  };
}

/** Takes orders one by one. @throws BankConnectionError as `asConnection` makes it */
export function transferDesk(
  api: BankApi,
  memory: TransferMemory,
  asConnection: <T>(work: () => Promise<T>) => Promise<T>,
): TransferDesk {
  const taken = async ({ id, created_at: createdAt }: ListedTransfer, requestId: string) => {
    await memory.expect({ id, requestId, begunAt: timeOf(createdAt) });
    return id;
  };
  return {
    kind: 'desk',
    find: (requestId) =>
      asConnection(async () => {
        const found = await findTransfer(api, requestId);
        return found && { id: await taken(found, requestId) };
      }),
    order: (requestId, content) =>
      asConnection(async () => {
        try {
          const made = await createTransfer(api, Buffer.from(content).toString('utf8'));
          return { outcome: 'taken', id: await taken(made, requestId) };
        } catch (error) {
          if (!(error instanceof BankApiError)) throw error;
          if (isRefusal(error)) return { outcome: 'refused', reason: error.code, words: error.message };
          if (error.outcome !== 'notSent') throw error;
          const { isSignIn, message } = error;
          const problem = isSignIn ? 'signInRefused' : 'unreachable';
          return { outcome: 'notSent', error: new BankConnectionError(problem, message) };
        }
      }),
  };
}

/** Of the order itself: 400 and 422. Others say that we may not ask so, or not now: nothing about the payment. */
function isRefusal({ outcome, status }: BankApiError): boolean {
  return outcome === 'refused' && (status === 400 || status === 422);
}
