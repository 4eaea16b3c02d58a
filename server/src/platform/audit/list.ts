import type { getAuditEvent, getAuditKey, listAudit, listAuditFilters } from '@causeway/contract/audit.ts';
import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Database, Tx } from '../database/database.ts';
import { readPage } from '../database/list.ts';
import { DomainError } from '../domain-error.ts';
import type { AnySignedInContext } from '../session.ts';
import { translate } from '../text/texts.ts';
import { type AuditNames, namesFor } from './names.ts';
import { eventList, findEvent, type Named } from './search.ts';
import { type CheckpointRow, findCovering, findKeys } from './store.ts';
import { actionsKnown, asAuditEvent, subjectKindsKnown } from './words.ts';

/** What the features to the right tell the audit log, beside the facts of the request. */
export interface AuditPorts {
  /** The features know what things are called. */
  names: AuditNames;
  /** How long an export waits for the signature that covers it, in milliseconds. */
  signatureWithinMs: number;
}

export type AuditContext = AnySignedInContext & AuditPorts;

/** Of the exports, which open their transactions themselves. */
export type OpenAuditContext = AuditContext & { database: Database };

/** One page of the company's audit log, newest first. @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  { names, locale }: AuditContext,
  query: Query<typeof listAudit>,
): Promise<OutputInput<typeof listAudit>> {
  const page = await readPage(tx, eventList, query, await namedBy(tx, { names, locale }, query.keyword));
  const known = await namesFor(tx, names, page.items, locale);
  return { ...page, items: page.items.map((row) => asAuditEvent(row, known, locale)) };
}

/** One event, with the first checkpoint that covers it. @throws DomainError notFound */
export async function get(
  tx: Tx,
  { names, locale, session: { companyId } }: AuditContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getAuditEvent>> {
  const row = await findEvent(tx, id);
  if (!row) throw new DomainError('notFound');
  const known = await namesFor(tx, names, [row], locale);
  const checkpoint = row.seq === null ? null : await findCovering(tx, companyId, row.seq);
  return { ...asAuditEvent(row, known, locale), checkpoint: checkpoint && asCheckpoint(checkpoint) };
}

function asCheckpoint({ seq, signedAt, keyId, signature }: CheckpointRow) {
  return { seq, at: signedAt, keyId, signature: signature.toString('base64url') };
}

/** What one can filter by: the company's people by name, and everything that the program records. */
export async function filters(tx: Tx, { names, locale }: AuditContext): Promise<OutputInput<typeof listAuditFilters>> {
  const people = [...(await names.people(tx, null))].map(([id, name]) => ({ id, name }));
  const others = (['operator', 'system'] as const).map((id) => ({ id, name: translate(locale, `audit.actor.${id}`) }));
  return {
    actors: [...people.sort((a, b) => a.name.localeCompare(b.name, locale)), ...others],
    actions: actionsKnown(locale, names),
    subjectKinds: subjectKindsKnown(locale, names),
  };
}

/** The people and actions that a keyword names in the reader's language. */
export async function namedBy(
  tx: Tx,
  { names, locale }: Pick<AuditContext, 'names' | 'locale'>,
  keyword: string | undefined,
): Promise<Named> {
  const text = keyword?.trim().toLowerCase() ?? '';
  if (text === '') return { actions: [], actors: [] };
  const has = (name: string) => name.toLowerCase().includes(text);
  return {
    actions: actionsKnown(locale, names).flatMap(({ action, name }) => (has(name) ? [action] : [])),
    actors: [...(await names.people(tx, null))].flatMap(([id, name]) => (has(name) ? [id] : [])),
  };
}

/** Times stay within what the database can hold, which has no year 0. */
export function instantOf(text: string | undefined): string | null {
  return text === undefined ? null : new Date(Math.max(new Date(text).getTime(), 0)).toISOString();
}

/** The public keys that checkpoints were signed with, newest first. */
export async function listKeys(tx: Tx): Promise<OutputInput<typeof getAuditKey>> {
  const keys = await findKeys(tx);
  return {
    keys: keys.map(({ keyId, publicKey, since }) => ({
      keyId,
      publicKey: publicKey.toString('base64url'),
      since: since.toISOString(),
    })),
  };
}
