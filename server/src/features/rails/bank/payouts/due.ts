import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/database.ts';
import { findRestoreMode } from '../../../../platform/database/restore-mode.ts';
import type { OrderFolder } from '../../../banks/index.ts';
import { deliverOrders } from './delivering.ts';
import { makeOrders } from './orders.ts';

/** What waits for banks, as the visits to them ask for it. */
export function bankOrders(database: Database): {
  isDue(bank: string): Promise<boolean>;
  deliver(bank: string, folder: OrderFolder): Promise<void>;
} {
  return {
    // A bank that could not be visited is tried again at its next turn.
    isDue: (bank) =>
      database.withoutCompany(async (tx) => {
        const { rows } = await sql`
          select where not exists (select from bank_connection_state where bank_id = ${bank} and problem is not null)
            and not exists (select from restore_mode where released_at is null)
            and (exists (select from bank_order_line where bank_id = ${bank} and state = 'waiting')
              or exists (select from bank_order where bank_id = ${bank} and state in ('made', 'uploading', 'uploaded')))`.execute(
          tx,
        );
        return rows.length > 0;
      }),
    async deliver(bank, folder) {
      if (await database.withoutCompany(findRestoreMode)) return;
      try {
        await makeOrders(database, bank, new Date());
      } finally {
        await deliverOrders(database, bank, folder);
      }
    },
  };
}
