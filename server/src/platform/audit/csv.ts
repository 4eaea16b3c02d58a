import { Readable } from 'node:stream';
import type { AuditEvent, exportAudit } from '@causeway/contract/audit.ts';
import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { stringify } from 'csv-stringify';
import { countRows, readBatches } from '../database/list.ts';
import type { FileAnswer } from '../http/call-answer.ts';
import { maxExactTotal } from '../http/page.ts';
import { actorOf } from '../session.ts';
import { csvForm } from '../text/csv.ts';
import { translate } from '../text/texts.ts';
import { namedBy, type OpenAuditContext } from './list.ts';
import { namesFor } from './names.ts';
import { audit } from './record.ts';
import { eventList } from './search.ts';
import { asAuditEvent } from './words.ts';

const batchEvents = 500;

const columns = [
  'time',
  'actor',
  'what',
  'action',
  'subjectKind',
  'subject',
  'subjectId',
  'changes',
  'ip',
  'requestId',
  'seq',
  'hash',
] as const;

/**
 * The filtered log for people, newest first: CSV (RFC 4180, UTF-8 with byte order mark), cells that a spreadsheet would
 * take for a formula neutralised. It proves nothing: that is what the other format is for.
 */
export async function exportCsv(context: OpenAuditContext, query: Query<typeof exportAudit>): Promise<FileAnswer> {
  const { database } = context;
  const { companyId } = context.session;
  const { format, ...filters } = query;
  const count = await database.withCompany(companyId, async (tx) => {
    const named = await namedBy(tx, context, filters.keyword);
    const found = await countRows(tx, eventList, filters, named, maxExactTotal + 1);
    await audit(tx, {
      actor: actorOf(context),
      action: 'audit.export',
      subjectKind: 'company',
      subjectId: companyId,
      detail: { format, ...filters },
    });
    return found;
  });
  const header = Object.fromEntries(columns.map((name) => [name, translate(context.locale, `audit.csv.${name}`)]));
  const csv = stringify({
    header: true,
    columns: header,
    ...csvForm,
  });
  const rows = Readable.from(records(context, filters));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `audit-log-${new Date().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
    ...(count <= maxExactTotal && { rows: count }),
  };
}

async function* records(
  context: OpenAuditContext,
  filters: Omit<Query<typeof exportAudit>, 'format'>,
): AsyncGenerator<Record<string, string>> {
  const { database, names, session, locale } = context;
  // What happens while it is written is not part of it: it would never end.
  const until = { ...filters, to: filters.to ?? new Date().toISOString() };
  const batches = readBatches(database, session.companyId, eventList, until, {
    scope: (tx) => namedBy(tx, context, filters.keyword),
    size: batchEvents,
    async more(tx, rows) {
      const known = await namesFor(tx, names, rows, locale);
      return rows.map((row) => asAuditEvent(row, known, locale));
    },
  });
  for await (const events of batches) {
    for (const event of events) yield asRecord(event, locale);
  }
}

const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

function asRecord(event: AuditEvent, locale: Locale): Record<(typeof columns)[number], string> {
  const none = translate(locale, 'audit.csv.none');
  const said = (value: string | null) => (value === null ? none : value.replace(instant, '$1 $2 UTC'));
  // Of what is new or gone, what it is: it was not changed from nothing.
  const isOneSided =
    event.changes.every(({ before }) => before === null) || event.changes.every(({ after }) => after === null);
  const changes = event.changes.map(({ label, before, after, switched }) => {
    if (switched !== null) return translate(locale, `audit.csv.switched.${switched}`, { label });
    if (isOneSided) return translate(locale, 'audit.csv.fact', { label, value: said(before ?? after) });
    return translate(locale, 'audit.csv.change', { label, before: said(before), after: said(after) });
  });
  const facts = event.facts.map(({ label, value }) =>
    translate(locale, 'audit.csv.fact', { label, value: said(value) }),
  );
  return {
    time: event.at,
    actor: event.actor.name ?? event.actor.id,
    what: event.what,
    action: event.action,
    subjectKind: event.subject.kindName,
    subject: event.subject.name ?? '',
    subjectId: event.subject.id,
    changes: [...changes, ...facts].join('\n'),
    ip: event.ip ?? '',
    requestId: event.requestId ?? '',
    seq: event.seal ? String(event.seal.seq) : '',
    hash: event.seal?.hash ?? '',
  };
}
