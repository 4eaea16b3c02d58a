import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/database.ts';
import { findRestoreMode } from '../../../../platform/database/restore-mode.ts';
import type { OrderFolder, TransferDesk } from '../../../banks/index.ts';
import type { OutgoingKinds } from '../../../outgoing/index.ts';
import { deliverOrders } from './delivering.ts';
import { makeOrders, makeTransfers } from './orders.ts';
import { quietMs, sendTransfers } from './transferring.ts';

/** What waits for banks, as the visits to them ask for it. */
export function bankOrders(
  database: Database,
  kinds: OutgoingKinds,
): {
  isDue(bank: string): Promise<boolean>;
  deliver(bank: string, orders: OrderFolder | TransferDesk): Promise<void>;
} {
  return {
    // A bank that could not be visited is tried again at its next turn.
    isDue: (bank) =>
      database.withoutCompany(async (tx) => {
        const { rows } = await sql`
          select where not exists (select from bank_connection_state where bank_id = ${bank} and problem is not null)
            and not exists (select from restore_mode where released_at is null)
            and (exists (select from bank_order_line where bank_id = ${bank} and state = 'waiting')
              or exists (select from bank_order where bank_id = ${bank} and state in ('made', 'uploading', 'uploaded')
                and (tried_at is null or state = 'made' or tried_at < now() - make_interval(secs => ${quietMs / 1000}))))`.execute(
          tx,
        );
        return rows.length > 0;
      }),
    async deliver(bank, orders) {
      if (await database.withoutCompany(findRestoreMode)) return;
      try {
        if (orders.kind === 'folder') await makeOrders(database, bank, new Date());
        else await makeTransfers(database, bank);
      } finally {
        if (orders.kind === 'folder') await deliverOrders(database, bank, orders);
        else await sendTransfers(database, kinds, { bank, desk: orders });
      }
    },
  };
}
