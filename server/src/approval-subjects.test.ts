import { approvalKinds } from '@causeway/contract/approval-kinds.ts';
import { approvalKindPattern } from '@causeway/contract/approvals-rules.ts';
import { locales } from '@causeway/contract/locale.ts';
import { expect, test } from 'vitest';
import { approvalSubjects, subjectsByKind } from './approval-subjects.ts';
import { noticeEvents } from './features/approvals/service/notify.ts';
import { subjectOf } from './features/approvals/service/subjects.ts';
import { systemClock } from './platform/clock.ts';
import { hasText } from './platform/text/texts.ts';
import { chainFamilies } from './testing/chain-families.ts';

const subjects = approvalSubjects(systemClock, chainFamilies, {});

test('the kinds that lists can be filtered by are those that are approved', () => {
  const kinds = subjects.map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual([...approvalKinds].toSorted());
  expect(subjectsByKind(subjects).size).toBe(kinds.length);
  for (const kind of kinds) expect(kind).toMatch(approvalKindPattern);
});

test('a task of a kind without a subject is a fault of ours, and never shown', () => {
  const registered = subjectsByKind(subjects);
  expect(() => subjectOf(registered, { kind: 'gift' })).toThrow('a subject is registered for tasks of kind gift');
  for (const subject of subjects) expect(subjectOf(registered, subject)).toBe(subject);
});

test.each(locales)('each subject has words for every notice and for the audit log in %s', (locale) => {
  const missing = subjects.flatMap(({ notices, auditKind, adoptable, changesControls }) => {
    const events = noticeEvents.filter(
      (event) => (event !== 'Abandoned' || adoptable) && (event !== 'Applied' || changesControls),
    );
    const ids = events.flatMap((event) => [`notice.${notices}${event}.title`, `notice.${notices}${event}.body`]);
    return [...ids, `audit.subject.${auditKind}`].filter((id) => !hasText(locale, id));
  });
  expect(missing).toEqual([]);
});
