import type { ApprovalEnd } from '@causeway/contract/approvals-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { hasText, translate } from '../../../platform/text/texts.ts';
import type { ChainNode } from '../domain.ts';
import type { Range } from '../findings.ts';
import type { TaskRow } from '../store/tasks.ts';
import { type ApprovalSubjects, subjectOf } from './subjects.ts';

/** What tasks, approvers and amounts are called, in the reader's language. */

/** Names in sentences: those that would make a list too long are counted. */
const maxNames = 3;

export function taskName(subjects: ApprovalSubjects, task: TaskRow, locale: Locale): string {
  return subjectOf(subjects, task).name(task, locale);
}

export function changeName(kind: string, rule: string, locale: Locale): string {
  return named(translate(locale, `approvals.change.${kind}`), rule, locale);
}

/** A change with the name of what it is about, if that has one. */
export function named(change: string, rule: string, locale: Locale): string {
  return rule === '' ? change : translate(locale, 'approvals.task.change', { change, rule });
}

/** Why a task ended: a rejection's reason is the approver's own words, any other the id of a sentence. */
export function sayReason(end: ApprovalEnd, reason: string, locale: Locale): string {
  return end !== 'rejected' && hasText(locale, reason) ? translate(locale, reason) : reason;
}

export type Names = ReadonlyMap<string, { name: string }>;

/** A deleted person or role is named as such. */
export function nameOf(names: Names, id: string, locale: Locale): string {
  return names.get(id)?.name ?? translate(locale, 'approvals.gone');
}

export function joinNames(names: readonly string[], locale: Locale): string {
  const shown = names.slice(0, maxNames);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, translate(locale, 'approvals.more', { count: more })] : shown;
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(all);
}

/** For whom a node waits: those who have not decided yet, and of how many as many must; of one that names no one, the right it takes. */
export function sayWaiting(
  node: Omit<ChainNode, 'holders'> & { holders?: ChainNode['holders'] | undefined },
  approved: number,
  used: ReadonlySet<string>,
  names: { people: Names; roles: Names },
  locale: Locale,
): string {
  if (node.holders !== undefined) {
    const id = node.holders === 'rule.manage' ? 'rules' : 'controls';
    const permission = translate(locale, `permission.${node.holders}`);
    return translate(locale, `approvals.waiting.${id}`, id === 'rules' ? {} : { permission });
  }
  const left = [
    ...node.people.filter((id) => !used.has(id)).map((id) => nameOf(names.people, id, locale)),
    ...node.roles.map((id) => nameOf(names.roles, id, locale)),
  ];
  const joined = joinNames(left, locale);
  const needed = node.needed - approved;
  const single = needed === 1 && left.length === 1;
  return single ? joined : translate(locale, 'approvals.waiting.some', { needed, names: joined });
}

/** A range of amounts in US cents. */
export function sayRange({ lower, upper }: Range, locale: Locale): string {
  const from = sayAmount(lower, 2);
  return upper === null
    ? translate(locale, 'approvals.range.open', { lower: from })
    : translate(locale, 'approvals.range.bounded', { lower: from, upper: sayAmount(upper, 2) });
}
