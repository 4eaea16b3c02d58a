import type { AuditEvent } from '@causeway/contract/audit.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { Tx } from '../database/database.ts';
import { hasText, textsUnder, translate } from '../text/texts.ts';
import type { ListedEvent } from './search.ts';

/** Puts events into the reader's words: who, what, of what, and what changed. */

/** What features know of names; that of any other subject is read from its event. */
export interface AuditNames {
  /** Whose log it is; absent: a company's. */
  side?: 'operator';
  /** Members by id, those who are gone included; all of them for `null`. */
  people(tx: Tx, ids: readonly string[] | null): Promise<Map<string, string>>;
  companyName(tx: Tx): Promise<string>;
}

type Names = ReadonlyMap<string, string>;

/** The names of the people that these events are about, and of the company. */
export async function namesFor(tx: Tx, names: AuditNames, events: readonly ListedEvent[]): Promise<Names> {
  const ids = events.flatMap(({ actorId, subjectKind, subjectId, detail }) => [
    actorId,
    ...[...flatten(detail).values()].flatMap((value) => value.split(', ')),
    ...(subjectKind === 'member' || subjectKind === 'operator' ? [subjectId] : []),
  ]);
  const wanted = [...new Set(ids)].filter((id) => idPattern.test(id));
  const found = await names.people(tx, wanted);
  const company = events.find(({ subjectKind }) => subjectKind === 'company');
  return company ? new Map([...found, [company.subjectId, await names.companyName(tx)]]) : found;
}

/** Kinds of subjects whose names are asked for. */
const isNamed = (kind: string) => kind === 'member' || kind === 'operator' || kind === 'company';

const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function asAuditEvent(event: ListedEvent, names: Names, locale: Locale): AuditEvent {
  const { changes, facts } = readDetail(event.detail);
  const say = (path: readonly string[]) => labelOf(path, locale);
  // A person in a detail is named; another id stays as it was recorded.
  const words = (path: readonly string[], value: string) =>
    value
      .split(', ')
      .map((part) => names.get(part) ?? part)
      .some((part) => idPattern.test(part))
      ? value
      : inWords(
          path,
          value
            .split(', ')
            .map((part) => names.get(part) ?? part)
            .join(', '),
          locale,
        );
  return {
    id: event.id,
    at: new Date(event.time).toISOString(),
    actor: { kind: event.actorKind, id: event.actorId, name: actorName(event, names, locale) },
    action: event.action,
    what: actionName(event.action, locale),
    subject: {
      kind: event.subjectKind,
      kindName: subjectKindName(event.subjectKind, locale),
      id: event.subjectId,
      name: (isNamed(event.subjectKind) ? names.get(event.subjectId) : null) ?? nameIn(event.detail),
    },
    changes: changes.map(({ path, before, after }) => ({
      field: path.join('.'),
      label: say(path),
      before: before === null ? null : words(path, before),
      after: after === null ? null : words(path, after),
    })),
    facts: facts.map(({ path, value }) => ({
      field: path.join('.'),
      label: say(path),
      value: words(path, value),
    })),
    ip: event.ip,
    requestId: event.requestId,
    seal: sealOf(event),
  };
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

function actorName(event: ListedEvent, names: Names, locale: Locale): string | null {
  if (event.actorKind === 'user') return names.get(event.actorId) ?? null;
  // In the operator's own log they have names; a company sees that it was the operator.
  if (event.actorKind === 'operator' && names.has(event.actorId)) return names.get(event.actorId) ?? null;
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

/** Values that are words of the program's own (a language, a method) are said in the reader's. */
function inWords(path: readonly string[], value: string, locale: Locale): string {
  const start = `audit.value.${path.at(-1) ?? ''}.`;
  const word = (part: string) => (hasText(locale, start + part) ? translate(locale, start + part) : part);
  if (value === 'true' || value === 'false') {
    return hasText(locale, start + value) ? word(value) : translate(locale, `audit.truth.${value}`);
  }
  return value.split(', ').map(word).join(translate(locale, 'audit.separator'));
}

interface Change {
  path: string[];
  before: string | null;
  after: string | null;
}

interface Fact {
  path: string[];
  value: string;
}

/**
 * What an event's detail says: `before` and `after` side by side where they differ, everything else as facts. The pair may
 * surround the whole (`{ before: { name }, after: { name } }`) or at one field (`{ name: { before, after } }`).
 */
export function readDetail(detail: unknown): { changes: Change[]; facts: Fact[] } {
  const changes: Change[] = [];
  const facts: Fact[] = [];
  const read = (value: unknown, path: string[]): void => {
    if (isPair(value)) changes.push(...differences(value.before, value.after, path));
    if (isRecord(value) || (Array.isArray(value) && value.some(isNested))) {
      for (const [name, member] of Object.entries(value)) {
        if (!(isPair(value) && (name === 'before' || name === 'after'))) read(member, [...path, name]);
      }
    } else if (value !== null && value !== undefined && value !== '') facts.push({ path, value: plain(value) });
  };
  read(detail, []);
  return { changes, facts };
}

function differences(before: unknown, after: unknown, path: string[]): Change[] {
  const [old, now] = [flatten(before), flatten(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const pair = { before: old.get(name) ?? null, after: now.get(name) ?? null };
    const own = name === '' ? [] : name.split('\n');
    return pair.before === pair.after ? [] : [{ path: [...path, ...own], ...pair }];
  });
}

/** The plain values in a value by their paths, joined with line breaks; nulls and empty lists are left out. */
function flatten(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (value === null || value === undefined || value === '') return new Map();
  if (isRecord(value) || (Array.isArray(value) && value.some(isNested))) {
    return new Map(Object.entries(value).flatMap(([name, member]) => [...flatten(member, [...path, name])]));
  }
  if (Array.isArray(value) && value.length === 0) return new Map();
  return new Map([[path.join('\n'), plain(value)]]);
}

function plain(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isPair(value: unknown): value is { before?: unknown; after?: unknown } {
  return isRecord(value) && ('before' in value || 'after' in value);
}

/** What the subject was called then, as its event says. */
function nameIn(detail: unknown): string | null {
  if (!isRecord(detail)) return null;
  for (const holder of [detail, detail['after'], detail['before']]) {
    if (!isRecord(holder)) continue;
    for (const name of ['name', 'label', 'title']) {
      const value = holder[name];
      if (typeof value === 'string' && value !== '') return value;
      if (isPair(value) && typeof value.after === 'string') return value.after;
    }
  }
  return null;
}
