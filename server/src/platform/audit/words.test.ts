import { locales } from '@causeway/contract/locale.ts';
import { describe, expect, test } from 'vitest';
import { hasText, textsUnder } from '../text/texts.ts';
import { subjectKinds } from './event-declaration.ts';
import { type AuditAction, auditEvents, eventOf } from './events.ts';
import { type Field, type Fields, isField } from './fields.ts';
import { idPattern } from './names.ts';
import type { ListedEvent } from './search.ts';
import { asAuditEvent } from './words.ts';

const someId = '0198b3c2-0000-7000-8000-00000000abcd';
const actions = Object.keys(auditEvents) as AuditAction[];

function eventWith(action: AuditAction, detail: unknown): ListedEvent {
  return {
    id: someId,
    companyId: someId,
    time: '2026-01-05T10:00:00.000000Z',
    actorKind: 'system',
    actorId: 'test',
    action,
    subjectKind: eventOf(action)?.of[0] ?? '',
    subjectId: someId,
    detail,
    ip: null,
    requestId: null,
    seq: null,
    hash: null,
    previousHash: null,
    sealedAt: null,
  };
}

/** Every declared field with its path. */
function leaves(fields: Fields, path: string[] = []): { path: string[]; field: Field }[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    isField(value) ? [{ path: [...path, name], field: value }] : leaves(value, [...path, name]),
  );
}

/** Values as they are recorded, at least one of each that reads differently. */
function samples(field: Field): unknown[] {
  switch (field.is) {
    case 'switch':
    case 'truth':
      return [true, false];
    case 'word':
      // The actions are this very list.
      return field.values.length === 0 ? ['payees.add'] : [...field.values, [...field.values]];
    case 'named':
      return [someId, [someId]];
    case 'instant':
      return ['2026-01-05T10:00:00.000Z'];
    case 'amount':
      return ['1250.500000'];
    case 'sentence':
      return [{ text: 'control.value.on' }, { texts: ['permission.audit.view'] }, 'Too late'];
    case 'digest':
      return ['00'.repeat(32)];
    default:
      return ['as typed'];
  }
}

function put(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

describe.each(locales)('every event of the audit log, in %s', (locale) => {
  test('has a sentence, and its subject a name; nothing else has', () => {
    expect(actions.length).toBeGreaterThan(90);
    expect([...textsUnder(locale, 'audit.action.').keys()].toSorted()).toEqual(actions.toSorted());
    expect([...textsUnder(locale, 'audit.subject.').keys()].toSorted()).toEqual([...subjectKinds].toSorted());
  });

  test.each(actions)(
    '%s: each field has a word, and no value is an id, a raw truth or a word of the program',
    (action) => {
      for (const { path, field } of leaves(eventOf(action)?.fields ?? {})) {
        const missing = path.filter((name) => !hasText(locale, `audit.field.${name}`));
        expect(missing, path.join('.')).toEqual([]);
        for (const sample of samples(field)) {
          const event = asAuditEvent(eventWith(action, put(path, sample)), () => undefined, locale);
          expect(event.changes).toEqual([]);
          expect(event.facts.map((fact) => fact.field)).toEqual(field.is === 'reference' ? [] : [path.join('.')]);
          for (const { value } of event.facts) {
            expect(value).not.toMatch(idPattern);
            expect(value).not.toMatch(/^(true|false)$|control\.|permission\./);
            if (field.is === 'word') expect(field.values, `${path.join('.')}: ${value}`).not.toContain(value);
            if (field.is === 'amount') expect(value).toBe('1,250.50');
          }
        }
      }
    },
  );

  test('says what a setting was switched to, and names what is named', () => {
    const [change] = asAuditEvent(
      eventWith('alerts.choose', { before: { newPayee: false }, after: { newPayee: true } }),
      () => undefined,
      locale,
    ).changes;
    expect(change?.switched).toBe('on');
    expect([change?.before, change?.after].every((text) => text && !/true|false/.test(text))).toBe(true);
    const event = eventWith('organisation.editDepartment', { before: { parentId: null }, after: { parentId: someId } });
    expect(asAuditEvent(event, () => 'Treasury', locale).changes[0]).toMatchObject({ before: null, after: 'Treasury' });
    const moved = { before: { role: 'Clerk', roleId: '1' }, after: { role: 'Head', roleId: someId } };
    const { changes } = asAuditEvent(eventWith('organisation.editMember', moved), () => undefined, locale);
    expect(changes.map(({ field, after }) => [field, after])).toEqual([['role', 'Head']]);
    const inLanguage = asAuditEvent(eventWith('organisation.editMember', moved), (_, id) => `role ${id}`, locale);
    expect(inLanguage.changes).toMatchObject([{ before: 'role 1', after: `role ${someId}` }]);
  });

  test.skipIf(locale === 'en-us')('uses full-width punctuation', () => {
    const texts = [...textsUnder(locale, 'audit.').values()];
    expect(texts.filter((text) => /[\u4e00-\u9fff}]\s?[,:;?!()]|[,:;?!()]\s?[\u4e00-\u9fff]/.test(text))).toEqual([]);
  });
});
