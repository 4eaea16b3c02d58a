import type { AuditEvent } from '@causeway/contract/audit.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmountText } from '@causeway/contract/money.ts';
import { hasText, textsUnder, translate } from '../text/texts.ts';
import { listSeparator, readDetail } from './detail.ts';
import { eventOf } from './events.ts';
import { type Field, fieldAt } from './fields.ts';
import { type AuditNames, idPattern, type NameAt, nameIn } from './names.ts';
import type { ListedEvent } from './search.ts';

/** Puts events into the reader's words: who, what, of what, and what changed. */

export function asAuditEvent(event: ListedEvent, names: NameAt, locale: Locale): AuditEvent {
  const { changes, facts } = readDetail(event.detail);
  const fields = eventOf(event.action)?.fields ?? {};
  const nameOf = (id: string) => names(event, id);
  const said = (path: readonly string[], value: string | null) =>
    value === null ? null : sayValue(fieldAt(fields, path), path, value, { nameOf, locale });
  const isShown = (path: readonly string[], others: readonly { path: readonly string[] }[]) => {
    const field = fieldAt(fields, path);
    if (field?.is === 'reference') return false;
    const beside = field?.is === 'named' ? field.beside : undefined;
    return beside === undefined || !others.some((other) => isSame(other.path, [...path.slice(0, -1), beside]));
  };
  return {
    id: event.id,
    at: new Date(event.time).toISOString(),
    actor: { kind: event.actorKind, id: event.actorId, name: actorName(event, nameOf, locale) },
    action: event.action,
    what: actionName(event.action, locale),
    subject: {
      kind: event.subjectKind,
      kindName: subjectKindName(event.subjectKind, locale),
      id: event.subjectId,
      name: subjectName(event, nameOf),
    },
    changes: changes.flatMap(({ path, before, after }) => {
      if (!isShown(path, changes)) return [];
      const isSwitch = fieldAt(fields, path)?.is === 'switch';
      const byId = changes.find((other) => isSame(other.path, idBeside(fieldAt(fields, path), path)));
      return [
        {
          field: path.join('.'),
          label: labelOf(path, locale),
          before: (byId?.before && nameOf(byId.before)) ?? said(path, before),
          after: (byId?.after && nameOf(byId.after)) ?? said(path, after),
          switched: isSwitch && before !== null && after !== null ? switchOf(after) : null,
        },
      ];
    }),
    facts: facts.flatMap(({ path, value }) => {
      if (!isShown(path, facts)) return [];
      const isDigest = fieldAt(fields, path)?.is === 'digest';
      return [{ field: path.join('.'), label: labelOf(path, locale), value: said(path, value) ?? '', isDigest }];
    }),
    ip: event.ip,
    requestId: event.requestId,
    seal: sealOf(event),
  };
}

/** The path of the id that a recorded name belongs to; empty where none is recorded. */
function idBeside(field: Field | undefined, path: readonly string[]): readonly string[] {
  return field?.is === 'plain' && field.id !== undefined ? [...path.slice(0, -1), field.id] : [];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

function switchOf(value: string): 'on' | 'off' | null {
  if (value === 'true') return 'on';
  return value === 'false' ? 'off' : null;
}

/** Members, the company and what features know go by their names of today; all else by the name that the event recorded. */
function subjectName(event: ListedEvent, nameOf: (id: string) => string | undefined): string | null {
  if (event.subjectKind === 'member') return nameOf(event.subjectId) ?? null;
  return nameIn(event.detail) ?? nameOf(event.subjectId) ?? null;
}

interface Reader {
  nameOf: (id: string) => string | undefined;
  locale: Locale;
}

/** A recorded value in the reader's language. An id that nothing names is not shown: the verifiable export has it. */
function sayValue(field: Field | undefined, path: readonly string[], value: string, reader: Reader): string {
  const { nameOf, locale } = reader;
  const each = (say: (part: string) => string) =>
    value.split(listSeparator).map(say).join(translate(locale, 'audit.separator'));
  const text = (id: string) => (hasText(locale, id) ? translate(locale, id) : null);
  switch (field?.is) {
    case 'switch':
      return text(`audit.switch.${value}`) ?? value;
    case 'truth':
      return text(`audit.truth.${value}`) ?? value;
    case 'word':
      return each((part) => text((field.under ?? `audit.value.${path.at(-1) ?? ''}.`) + part) ?? part);
    case 'sentence':
      return each((part) => text(part) ?? part);
    case 'amount':
      return sayAmountText(value);
    case 'instant':
    case 'digest':
      return value;
    default:
      // A name, whether or not an id was expected here.
      return each((part) => nameOf(part) ?? (idPattern.test(part) ? translate(locale, 'audit.unknown') : part));
  }
}

function sealOf({ seq, hash, previousHash, sealedAt }: ListedEvent): AuditEvent['seal'] {
  if (seq === null || !hash || !previousHash || !sealedAt) return null;
  return {
    seq,
    previousHash: previousHash.toString('hex'),
    hash: hash.toString('hex'),
    sealedAt: sealedAt.toISOString(),
  };
}

function actorName(event: ListedEvent, nameOf: (id: string) => string | undefined, locale: Locale): string | null {
  // In the operator's own log they have names; a company sees that it was the operator.
  if (event.actorKind !== 'system' && nameOf(event.actorId) !== undefined) return nameOf(event.actorId) ?? null;
  if (event.actorKind === 'user') return null;
  return translate(locale, `audit.actor.${event.actorKind}`);
}

/** Actions whose sentence a language lacks are shown by their names: a log leaves nothing out. */
function actionName(action: string, locale: Locale): string {
  const id = `audit.action.${action}`;
  return hasText(locale, id) ? translate(locale, id) : action;
}

function subjectKindName(kind: string, locale: Locale): string {
  const id = `audit.subject.${kind}`;
  return hasText(locale, id) ? translate(locale, id) : kind;
}

/** What is recorded under no company: by the operator's people, the command line, and of sign-ins with unknown addresses. */
const ofOperator =
  /^(staff|proposal|operator|audit)\.|^identity\.(signInFailed|signInGuarded|createInvitation|revokeInvitation)$/;
/** What no company's log holds. */
const ofOperatorAlone = /^(staff|proposal)\.|^(operator|proposal)$/;

/** Every action that a log may hold and the program knows a sentence for, by name. */
export function actionsKnown(locale: Locale, { side }: Pick<AuditNames, 'side'>): { action: string; name: string }[] {
  const holds = (action: string) => (side === 'operator' ? ofOperator.test(action) : !ofOperatorAlone.test(action));
  return [...textsUnder(locale, 'audit.action.')].flatMap(([action, name]) =>
    holds(action) ? [{ action, name }] : [],
  );
}

export function subjectKindsKnown(
  locale: Locale,
  { side }: Pick<AuditNames, 'side'>,
): { kind: string; name: string }[] {
  const holds = (kind: string) => (side === 'operator' ? kind !== 'member' : !ofOperatorAlone.test(kind));
  return [...textsUnder(locale, 'audit.subject.')].flatMap(([kind, name]) => (holds(kind) ? [{ kind, name }] : []));
}

/** `nodes.0.people` as "Nodes › 1 › People"; parts without a text stay as they are. */
function labelOf(path: readonly string[], locale: Locale): string {
  const part = (name: string): string => {
    if (/^\d+$/.test(name)) return String(Number(name) + 1);
    const id = `audit.field.${name}`;
    return hasText(locale, id) ? translate(locale, id) : name;
  };
  return path.map(part).join(' › ');
}
