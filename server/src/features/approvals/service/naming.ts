import type { ApprovalEnd } from '@causeway/contract/approvals-rules.ts';
import type { ControlContent } from '@causeway/contract/control.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { hasText, translate } from '../../../platform/texts.ts';
import type { Shown } from '../../organisation/index.ts';
import type { ChainNode } from '../domain.ts';
import type { Range } from '../findings.ts';
import type { ControlChangeContent, TaskRow } from '../store/tasks.ts';

/** What tasks, approvers and amounts are called, in the reader's language. */

/** Names in sentences: those that would make a list too long are counted. */
const maxNames = 3;

export function taskName({ content }: Pick<TaskRow, 'content'>, locale: Locale): string {
  if (content.kind === 'transfer') {
    return translate(locale, 'approvals.task.transfer', { payee: content.payeeName });
  }
  if (content.kind === 'control_change') {
    const { change, shown } = content;
    return named(translate(locale, `approvals.control.${change.kind}`), sayShown(shown.subject, locale) ?? '', locale);
  }
  return changeName(content.change.kind, content.ruleName, locale);
}

export function changeName(kind: string, rule: string, locale: Locale): string {
  return named(translate(locale, `approvals.change.${kind}`), rule, locale);
}

function named(change: string, rule: string, locale: Locale): string {
  return rule === '' ? change : translate(locale, 'approvals.task.change', { change, rule });
}

export function sayShown(shown: Shown, locale: Locale): string | null {
  if (shown === null || typeof shown === 'string') return shown;
  if ('text' in shown) return translate(locale, shown.text);
  const said = shown.texts.map((id) => translate(locale, id));
  return new Intl.ListFormat(locale, { type: 'unit' }).format(said);
}

/** A change of the controls before and after, in the reader's language. */
export function sayControl({ change, shown }: ControlChangeContent, locale: Locale): ControlContent {
  return {
    kind: change.kind,
    subject: sayShown(shown.subject, locale) ?? '',
    subjectId: shown.subjectId,
    lines: shown.lines.map(({ field, before, after }) => ({
      field,
      label: translate(locale, `control.field.${field}`),
      before: sayShown(before, locale),
      after: sayShown(after, locale),
    })),
  };
}

/** Why a task ended: the words of whoever rejected it as they are, else the id of a sentence. */
export function sayReason(end: ApprovalEnd, reason: string, locale: Locale): string {
  return end !== 'rejected' && hasText(locale, reason) ? translate(locale, reason) : reason;
}

export type Names = ReadonlyMap<string, { name: string }>;

/** What the company does not have any more is named as such. */
export function nameOf(names: Names, id: string, locale: Locale): string {
  return names.get(id)?.name ?? translate(locale, 'approvals.gone');
}

export function joinNames(names: readonly string[], locale: Locale): string {
  const shown = names.slice(0, maxNames);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, translate(locale, 'approvals.more', { count: more })] : shown;
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(all);
}

/** For whom a node waits: those who have not decided yet, and of how many as many must. */
export function sayWaiting(
  node: ChainNode,
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
