import { useText } from '../../../lib/locale.tsx';
import { classNames } from '../../../ui/class-names.ts';
import type { Rule } from '../review-setting.ts';
import { rangeText } from './range-text.ts';
import { namesText, submittersText } from './submitters-field.tsx';

/**
 * The bands of the active rules over the same axis, one line each in the order in which they are asked: overlaps and gaps can be
 * seen, and which bands are for some alone. The axis is by orders of magnitude, since there are rules for thousands and rules for millions. For the eye alone: the list
 * below says the same in words.
 */
export function RuleScale({ rules }: { rules: readonly Rule[] }) {
  const t = useText();
  const active = rules.filter((rule) => rule.active);
  if (active.length === 0) return null;
  const bounds = active.flatMap(({ lower, upper }) => [Number(lower), Number(upper ?? lower)]);
  const end = 10 ** Math.ceil(Math.log10(Math.max(...bounds, 10) * 4));
  const place = (usd: number) => (Math.log10(1 + usd) / Math.log10(1 + end)) * 100;
  const marks = spaced(
    [...new Set(bounds)].filter((bound) => bound > 0).sort((a, b) => a - b),
    place,
  );
  return (
    <div aria-hidden="true" className="relative">
      <div className="flex flex-col gap-1.5">
        {active.map((rule) => {
          const from = place(Number(rule.lower));
          const to = rule.upper === null ? 100 : place(Number(rule.upper));
          return (
            <div
              key={rule.id}
              className="relative h-6 rounded-6 bg-sunken"
              title={[
                rule.name,
                rangeText(rule, t),
                ...(rule.submittedBy ? [submittersText(rule.submittedBy, t)] : []),
              ].join(' · ')}
            >
              <span
                className={classNames(
                  'absolute inset-y-0 flex items-center overflow-hidden rounded-6 border border-accent px-2 text-12 text-accent',
                  // Covers these amounts for some alone.
                  rule.submittedBy === null ? 'bg-accent-soft' : 'border-dashed',
                )}
                style={{ left: `${from}%`, width: `${Math.max(to - from, 1)}%` }}
              >
                <span className="truncate">
                  {rule.submittedBy === null ? rule.name : `${rule.name} · ${namesText(rule.submittedBy, t)}`}
                </span>
              </span>
            </div>
          );
        })}
      </div>
      <div className="figures relative mt-1 h-4 text-12 text-faint">
        <span className="absolute left-0">0</span>
        {marks.map((mark) => (
          <span key={mark} className="absolute -translate-x-1/2" style={{ left: `${place(mark)}%` }}>
            {compact(mark)}
          </span>
        ))}
        <span className="absolute right-0">USD</span>
      </div>
    </div>
  );
}

/** The least distance of two ticks, and from the ends of the axis, in hundredths of its length. */
const tickGap = 12;

/** The marks that can be told apart when they are written under the axis; the list says all of them. */
function spaced(marks: readonly number[], place: (usd: number) => number): number[] {
  const kept: number[] = [];
  for (const mark of marks) {
    const at = place(mark);
    const last = kept.at(-1);
    if (at >= (last === undefined ? 0 : place(last)) + tickGap && at <= 100 - tickGap) kept.push(mark);
  }
  return kept;
}

/** Ticks of a drawing: 1K, 2.5M. */
function compact(usd: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(usd);
}
