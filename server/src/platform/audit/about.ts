import type { AuditEvent } from '@causeway/contract/audit.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { Tx } from '../database/database.ts';
import { readRows } from '../database/list.ts';
import { type AuditNames, namesFor } from './names.ts';
import { eventList } from './search.ts';
import { asAuditEvent } from './words.ts';

export type { AuditNames };

/** More events than these are not read of one thing. */
const mostEvents = 100;

/** What the company's audit log says of one thing, under any of its ids, in the reader's words; newest first. */
export async function listAbout(
  tx: Tx,
  { names, locale }: { names: AuditNames; locale: Locale },
  { ids }: { ids: readonly string[] },
): Promise<AuditEvent[]> {
  const found = await Promise.all(
    ids.map((subjectId) => readRows(tx, eventList, { subjectId }, { actions: [], actors: [] }, mostEvents)),
  );
  const events = found
    .flatMap(({ items }) => items)
    .sort((one, other) => (one.time < other.time ? 1 : -1))
    .slice(0, mostEvents);
  const known = await namesFor(tx, names, events, locale);
  return events.map((event) => asAuditEvent(event, known, locale));
}
