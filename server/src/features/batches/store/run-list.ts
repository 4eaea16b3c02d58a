import { type BatchRowState, listBatchRunRows } from '@causeway/contract/batch-runs.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList, type List, readRows } from '../../../platform/database/list.ts';
import { type EntryRow, entryColumns, entryJoins, isUnsentEntry } from './runs.ts';

/** The rows of a run as a list: in their order, or those first that an approver should look at. */

const conditions: Record<BatchRowState, RawBuilder<unknown>> = {
  waiting: sql`t.status = 'pending' and ${isUnsentEntry}`,
  underWay: sql`t.status = 'pending' and not ${isUnsentEntry}`,
  completed: sql`t.status = 'completed'`,
  failed: sql`t.status = 'failed'`,
};

export const runRowList = defineList(listBatchRunRows, {
  from: () => sql`payout_batch_entry e ${entryJoins}`,
  where: ({ runId }: { runId: string }) => sql`e.company_id = company_id() and e.run_id = ${runId}`,
  filters: {
    state: (state) => conditions[state],
  },
  columns: () => entryColumns,
  orders: {
    position: { by: sql`e.position`, kind: 'number' },
    remarkable: { by: sql`(e.rank * 10000 + e.position)`, kind: 'number' },
  },
  first: { sort: 'position', order: 'asc' },
} as List<typeof listBatchRunRows, EntryRow, { runId: string }>);

/** The first rows of a run, those to look at before the others. */
export async function findRunRows(tx: Tx, runId: string, most: number): Promise<EntryRow[]> {
  const { items } = await readRows(tx, runRowList, { sort: 'remarkable' }, { runId }, most);
  return items;
}
