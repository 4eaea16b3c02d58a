import type { ApprovalRule, ChangeContent } from '@causeway/contract/approvals.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { translate } from '../../../platform/text/texts.ts';
import { centsOf } from '../domain.ts';
import type { ShownChange } from './draft-settings.ts';
import { nameOf } from './names.ts';
import type { Reading } from './subjects.ts';

/** A change of the approval settings line by line, so that what differs can be seen. */
export function linesOfChange({ before, after }: ShownChange, reading: Reading): ChangeContent {
  const [was, is] = [linesOf(before, reading), linesOf(after, reading)];
  const marked = (lines: readonly string[], other: readonly string[]) =>
    lines.map((text) => ({ text, changed: !other.includes(text) }));
  return { before: marked(was, is), after: marked(is, was) };
}

function linesOf({ rule, order, enabled }: ShownChange['before'], reading: Reading): string[] {
  const { locale } = reading;
  const lines: string[] = [];
  if (enabled !== null) lines.push(translate(locale, enabled ? 'approvals.line.on' : 'approvals.line.off'));
  if (order !== null) lines.push(...order.map((name, index) => `${index + 1}. ${name}`));
  if (rule !== null) {
    const state = rule.active ? 'approvals.line.active' : 'approvals.line.inactive';
    lines.push(rule.name, lineOfRange(rule, locale), lineOfSubmitters(rule, locale), translate(locale, state));
    for (const [index, { needed, approvers }] of rule.nodes.entries()) {
      const names = approvers.map((each) => nameNow(each, reading)).join(translate(locale, 'approvals.line.comma'));
      lines.push(translate(locale, 'approvals.line.node', { step: index + 1, needed, names }));
    }
  }
  return lines;
}

/** As the approver is called now; a name of the time of the change says more than that they are gone. */
function nameNow({ kind, id, name }: { kind: 'person' | 'role'; id: string; name: string }, reading: Reading): string {
  const names = kind === 'person' ? reading.people : reading.roles;
  return names.get(id)?.name ?? (name === '' ? nameOf(names, id, reading.locale) : name);
}

/** With the names of the time of the change; one from before rules were for some was for everybody. */
function lineOfSubmitters({ submittedBy }: Partial<Pick<ApprovalRule, 'submittedBy'>>, locale: Locale): string {
  if (!submittedBy) return translate(locale, 'approvals.line.everybody');
  const names = submittedBy.map(({ kind, name }) => translate(locale, `approvals.submitter.${kind}`, { name }));
  return translate(locale, 'approvals.line.submitters', {
    names: names.join(translate(locale, 'approvals.line.comma')),
  });
}

function lineOfRange({ lower, upper }: { lower: string; upper: string | null }, locale: Locale): string {
  const from = sayAmount(centsOf(lower), 2);
  return upper === null
    ? translate(locale, 'approvals.line.rangeOpen', { lower: from })
    : translate(locale, 'approvals.line.range', { lower: from, upper: sayAmount(centsOf(upper), 2) });
}
