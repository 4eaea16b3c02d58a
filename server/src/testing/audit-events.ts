import { readDetail } from '../platform/audit/detail.ts';
import { eventOf } from '../platform/audit/events.ts';
import { type Field, fieldAt } from '../platform/audit/fields.ts';
import { idPattern } from '../platform/audit/names.ts';

export interface RecordedEvent {
  action: string;
  subjectKind: string;
  detail: unknown;
}

/** What an event of the audit log has that `events.ts` does not declare; empty for one that is as declared. */
export function undeclaredIn({ action, subjectKind, detail }: RecordedEvent): string[] {
  const event = eventOf(action);
  // The type of what is recorded refuses any other action; a test may insert rows of its own.
  if (!event) return [];
  const { changes, facts } = readDetail(detail);
  const values = [
    ...changes.flatMap(({ path, before, after }) => [before, after].map((value) => ({ path, value }))),
    ...facts,
  ];
  return [
    ...((event.of as readonly string[]).includes(subjectKind) ? [] : [`${action}: of a ${subjectKind}`]),
    ...values.flatMap(({ path, value }) => {
      const field = fieldAt(event.fields, path);
      const wrong = field ? misfit(field, value) : 'is not declared';
      return wrong === null ? [] : [`${action}: ${path.join('.')} ${wrong}`];
    }),
  ];
}

/** Why a value is none of its field's kind. Words are not looked at: tests make up some. */
function misfit(field: Field, value: string | null): string | null {
  if (value === null) return null;
  const isTruth = value === 'true' || value === 'false';
  const wantsTruth = field.is === 'switch' || field.is === 'truth';
  if (isTruth !== wantsTruth) return `is ${value}, as ${field.is}`;
  if (field.is === 'instant' && Number.isNaN(Date.parse(value))) return `is no instant: ${value}`;
  const mayBeId = field.is === 'named' || field.is === 'reference';
  return idPattern.test(value) && !mayBeId ? `is an id, as ${field.is}` : null;
}
