import type { exportAudit, getAuditEvent, listAudit, listAuditFilters } from '@causeway/contract/audit.ts';
import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { Tx } from '../database.ts';
import { DomainError } from '../domain-error.ts';
import { maxExactTotal, pageOf, sizeOf, timeCursor, totalOf } from '../page.ts';
import { translate } from '../texts.ts';
import { type AuditFilter, countEvents, findEvent, searchEvents } from './search.ts';
import { type CheckpointRow, findCovering } from './store.ts';
import { type AuditNames, actionsKnown, asAuditEvent, namesFor, subjectKindsKnown } from './words.ts';

/** One page of the company's audit log, newest first. @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  names: AuditNames,
  query: Query<typeof listAudit>,
  locale: Locale,
): Promise<OutputInput<typeof listAudit>> {
  const filter = await filterOf(tx, names, query, locale);
  const size = sizeOf(query.size);
  const rows = await searchEvents(tx, filter, timeCursor(query.cursor), size + 1);
  const { items, next } = pageOf(rows, size, (row) => [row.time, row.id]);
  const known = await namesFor(tx, names, items);
  const total = totalOf(await countEvents(tx, filter, maxExactTotal + 1));
  return { items: items.map((row) => asAuditEvent(row, known, locale)), ...total, next };
}

/** One event, with the first checkpoint that covers it. @throws DomainError notFound */
export async function get(
  tx: Tx,
  names: AuditNames,
  companyId: string,
  id: string,
  locale: Locale,
): Promise<OutputInput<typeof getAuditEvent>> {
  const row = await findEvent(tx, id);
  if (!row) throw new DomainError('notFound');
  const known = await namesFor(tx, names, [row]);
  const checkpoint = row.seq === null ? null : await findCovering(tx, companyId, row.seq);
  return { ...asAuditEvent(row, known, locale), checkpoint: checkpoint && asCheckpoint(checkpoint) };
}

function asCheckpoint({ seq, signedAt, keyId, signature }: CheckpointRow) {
  return { seq, at: signedAt, keyId, signature: signature.toString('base64url') };
}

/** What one can filter by: the company's people by name, and everything that the program records. */
export async function filters(
  tx: Tx,
  names: AuditNames,
  locale: Locale,
): Promise<OutputInput<typeof listAuditFilters>> {
  const people = [...(await names.people(tx, null))].map(([id, name]) => ({ id, name }));
  const others = (['operator', 'system'] as const).map((id) => ({ id, name: translate(locale, `audit.actor.${id}`) }));
  return {
    actors: [...people.sort((a, b) => a.name.localeCompare(b.name, locale)), ...others],
    actions: actionsKnown(locale),
    subjectKinds: subjectKindsKnown(locale),
  };
}

type Filters = Omit<Query<typeof exportAudit>, 'format'>;

/** The query as the search takes it; a keyword also finds people by name and actions by their sentence. */
export async function filterOf(tx: Tx, names: AuditNames, query: Filters, locale: Locale): Promise<AuditFilter> {
  const text = query.keyword?.trim().toLowerCase() ?? '';
  const has = (name: string) => name.toLowerCase().includes(text);
  const keyword = text === '' ? null : { text, actions: [] as string[], actors: [] as string[] };
  if (keyword) {
    keyword.actions = actionsKnown(locale).flatMap(({ action, name }) => (has(name) ? [action] : []));
    keyword.actors = [...(await names.people(tx, null))].flatMap(([id, name]) => (has(name) ? [id] : []));
  }
  return {
    actor: query.actor ?? null,
    action: query.action ?? null,
    subjectKind: query.subjectKind ?? null,
    subjectId: query.subjectId ?? null,
    from: instantOf(query.from),
    to: instantOf(query.to),
    keyword,
  };
}

/** Times stay within what the database can hold, which has no year 0. */
export function instantOf(text: string | undefined): string | null {
  return text === undefined ? null : new Date(Math.max(new Date(text).getTime(), 0)).toISOString();
}
