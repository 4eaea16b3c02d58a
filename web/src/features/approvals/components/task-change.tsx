import type { ApprovalTaskDetail, ReviewChangeContent } from '@causeway/contract/approvals.ts';
import type { ControlContent } from '@causeway/contract/control.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { rangeText } from './range-text.ts';

/** A change of the rules or of another control: what is, and what would be, side by side. */
export function TaskChange({ task: { change, control } }: { task: ApprovalTaskDetail }) {
  if (control !== null) return <ControlDifference control={control} />;
  return change === null ? null : <ChangeDifference change={change} />;
}

function ControlDifference({ control: { lines } }: { control: ControlContent }) {
  const t = useText();
  if (lines.length === 0) return null;
  const side = (of: 'before' | 'after') =>
    lines.flatMap((line) => {
      const value = line[of];
      return value === null || value === '' ? [] : [t('approvals.change.line', { label: line.label, value })];
    });
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Side title={t('approvals.change.before')} lines={side('before')} other={[]} />
      <Side title={t('approvals.change.after')} lines={side('after')} other={[]} />
    </div>
  );
}

export function ChangeDifference({ change }: { change: ReviewChangeContent }) {
  const t = useText();
  const before = linesOf(change.before, t);
  const after = linesOf(change.after, t);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Side title={t('approvals.change.before')} lines={before} other={after} />
      <Side title={t('approvals.change.after')} lines={after} other={before} />
    </div>
  );
}

function Side({ title, lines, other }: { title: string; lines: readonly string[]; other: readonly string[] }) {
  const t = useText();
  return (
    <fieldset aria-label={title} className="m-0 min-w-0 rounded-10 border border-line bg-sunken px-4 py-3">
      <h3 className="m-0 mb-2 text-12 font-medium text-faint">{title}</h3>
      {lines.length === 0 ? (
        <p className="m-0 text-13 text-faint">{t('approvals.change.nothing')}</p>
      ) : (
        <ul className="m-0 flex list-none flex-col gap-1 p-0 text-13 break-words">
          {lines.map((line) => (
            <li key={line} className={`whitespace-pre-line ${other.includes(line) ? 'text-muted' : 'font-medium'}`}>
              {line}
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

/** One side in lines, so that what differs can be seen line by line. */
function linesOf({ rule, order, enabled }: ReviewChangeContent['before'], t: Translate): string[] {
  const lines: string[] = [];
  if (enabled !== null) lines.push(t(enabled ? 'approvals.review.on' : 'approvals.review.off'));
  if (order !== null) lines.push(...order.map((name, index) => `${index + 1}. ${name}`));
  if (rule !== null) {
    lines.push(rule.name, rangeText(rule, t), t(rule.active ? 'approvals.rule.active' : 'approvals.rule.inactive'));
    for (const [index, node] of rule.nodes.entries()) {
      const names = node.approvers.map(({ name }) => name).join(t('approvals.chain.comma'));
      lines.push(t('approvals.rule.node', { step: index + 1, needed: node.needed, names }));
    }
  }
  return lines;
}
