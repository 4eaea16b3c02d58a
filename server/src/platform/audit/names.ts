import type { Locale } from '@causeway/contract/locale.ts';
import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import type { AuditSubjectKind } from './event-declaration.ts';
import type { ListedEvent } from './search.ts';

/** What the ids in events are called: as the features know it now, or as the log knew it then. */

/** What features know of names; any other name is read from the log itself. */
export interface AuditNames {
  /** Whose log it is; absent: a company's. */
  side?: 'operator';
  /** Members by id, those who are gone included; all of them for `null`. */
  people(tx: Tx, ids: readonly string[] | null): Promise<Map<string, string>>;
  companyName(tx: Tx): Promise<string>;
  /** What no event of its own names, by id, in the reader's language: system roles, wallets, transactions. */
  others(tx: Tx, ids: readonly string[], locale: Locale): Promise<Map<string, string>>;
}

/** What an id was called when an event was recorded; undefined where nothing knows it. */
export type NameAt = (event: Pick<ListedEvent, 'id'>, id: string) => string | undefined;

export const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Kinds of subjects whose events say what they were called. */
const namedInLog: readonly AuditSubjectKind[] = [
  'announcement',
  'department',
  'file',
  'invitation',
  'passkey',
  'payee',
  'riskListEntry',
  'riskPolicy',
  'role',
  'rule',
  'task',
  'webhook',
];

/** Names of everything that these events are about or mention. */
export async function namesFor(
  tx: Tx,
  names: AuditNames,
  events: readonly ListedEvent[],
  locale: Locale,
): Promise<NameAt> {
  const mentions = events.map(({ id, actorId, subjectId, detail }) => ({
    event: id,
    ids: [...new Set([actorId, subjectId, ...stringsIn(detail)])].filter((text) => idPattern.test(text)),
  }));
  const ids = [...new Set(mentions.flatMap((mention) => mention.ids))];
  const known = new Map([...(await names.people(tx, ids)), ...(await names.others(tx, ids, locale))]);
  const company = events.find(({ subjectKind }) => subjectKind === 'company');
  if (company) known.set(company.subjectId, await names.companyName(tx));
  const unknown = mentions.flatMap(({ event, ids }) => ids.filter((id) => !known.has(id)).map((id) => ({ event, id })));
  const then = await findNamesThen(tx, unknown);
  return (event, id) => known.get(id) ?? then.get(`${event.id} ${id}`);
}

/** Names by event and id: of the last event of that subject that says it, up to the one that mentions it. */
async function findNamesThen(tx: Tx, mentions: readonly { event: string; id: string }[]): Promise<Map<string, string>> {
  if (mentions.length === 0) return new Map();
  const { rows } = await sql<{ event: string; id: string; detail: unknown }>`
    select m.event, m.id, naming.detail
    from unnest(${mentions.map(({ event }) => event)}::uuid[], ${mentions.map(({ id }) => id)}::text[]) as m (event, id)
    cross join lateral (
      select e.detail from audit_event e
      where e.company_id = company_id() and e.subject_kind = any (${[...namedInLog]}::text[])
        and e.subject_id = m.id and e.id <= m.event
        and (e.detail ?| ${nameFields}::text[] or e.detail -> 'after' ?| ${nameFields}::text[]
          or e.detail -> 'before' ?| ${nameFields}::text[])
      order by e.id desc limit 1) naming`.execute(tx);
  return new Map(
    rows.flatMap(({ event, id, detail }) => {
      const name = nameIn(detail);
      return name === null ? [] : [[`${event} ${id}`, name] as const];
    }),
  );
}

const nameFields = ['name', 'label', 'title', 'account'];

/** What the subject of an event was called then, as its detail says. */
export function nameIn(detail: unknown): string | null {
  if (!isRecord(detail)) return null;
  for (const holder of [detail['after'], detail, detail['before']]) {
    if (!isRecord(holder)) continue;
    for (const name of nameFields) {
      const value = holder[name];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return null;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
