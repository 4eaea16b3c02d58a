import { type BatchField, batchFields, type Written } from '@causeway/contract/batches-rules.ts';
import type { Mapping } from './headers.ts';

/** A record as a row is kept: the fields that were matched, those that are filled. */
export function writtenOf(record: readonly string[], mapping: Mapping): Written {
  return cleaned(
    Object.fromEntries(
      batchFields.flatMap((field) => {
        const place = mapping[field];
        return place === undefined ? [] : [[field, record[place] ?? '']];
      }),
    ),
  );
}

/** Fields that are filled, without white space at their ends and with one space for several; notes keep their lines. */
export function cleaned(written: Partial<Record<BatchField, string>>): Written {
  const filled: Written = {};
  for (const field of batchFields) {
    const value = clean(field, written[field] ?? '');
    if (value !== '') filled[field] = value;
  }
  return filled;
}

function clean(field: BatchField, text: string): string {
  const spaced = field === 'notes' ? text.replaceAll(/\r\n?/g, '\n') : text.replaceAll(/\s+/g, ' ');
  // What a database cannot hold as text: the row then says that the value has a character that is not allowed.
  return spaced.replaceAll('\0', '\ufffd').trim();
}
