import { type BatchField, batchFields } from '@causeway/contract/batches-rules.ts';
import type { BatchRow } from './api.ts';

/** What every batch is shown with; further fields where a row has them, or a problem is about them. */
const always: readonly BatchField[] = ['payee', 'account', 'asset', 'place', 'amount', 'remittance'];

export function columnsOf(rows: readonly BatchRow[]): BatchField[] {
  const used = new Set<BatchField>(always);
  for (const { written, problems } of rows) {
    for (const field of batchFields) if (written[field] !== undefined) used.add(field);
    for (const { column } of problems) used.add(column);
  }
  return batchFields.filter((field) => used.has(field));
}
