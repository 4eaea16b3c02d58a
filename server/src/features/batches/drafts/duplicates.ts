import type { BatchProblem } from '@causeway/contract/batches-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findLikeness, writeMarks } from '../store/drafts.ts';

/** So many of the other rows are named. */
const named = 5;

/**
 * Marks rows that are like others of their batch, and takes the mark off those that no longer are. Only rows whose mark changes are written.
 */
export async function markDuplicates(tx: Tx, batchId: string): Promise<void> {
  const rows = await findLikeness(tx, batchId);
  const groups = new Map<string, number[]>();
  for (const { same, number } of rows) {
    if (same === null) continue;
    const group = groups.get(same);
    if (group) group.push(number);
    else groups.set(same, [number]);
  }
  const marks = rows.flatMap(({ id, number, same, marked }) => {
    const group = groups.get(same ?? '') ?? [];
    const others = group.slice(0, named + 1).filter((other) => other !== number);
    const wanted = others.length === 0 ? null : others.slice(0, named).join(', ');
    return wanted === marked ? [] : [{ id, mark: wanted === null ? null : markOf(wanted, group.length - 1) }];
  });
  await writeMarks(tx, batchId, marks);
}

function markOf(rows: string, count: number): BatchProblem {
  return { column: 'amount', key: 'duplicate', severity: 'warning', blanks: { rows, count } };
}
