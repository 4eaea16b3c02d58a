import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/**
 * The four meanings; `progress` for what goes on without anybody, so that `pending` is left for what waits for a person;
 * `neutral` for what has no meaning.
 */
export type Tone = 'positive' | 'pending' | 'negative' | 'notice' | 'progress' | 'neutral';

const dots: Record<Tone, string> = {
  positive: 'bg-positive',
  pending: 'bg-pending',
  negative: 'bg-negative',
  notice: 'bg-notice',
  progress: 'bg-accent',
  neutral: 'bg-control',
};

interface Props {
  tone: Tone;
  /** The status' word; the same word everywhere. */
  children: ReactNode;
  /** What a pending thing waits for, and since when. */
  detail?: ReactNode;
}

/** A status: a word with a dot. The colour only repeats what the word says. */
export function StatusDot({ tone, children, detail }: Props) {
  return (
    <span className="inline-flex max-w-full items-baseline gap-2 text-left whitespace-nowrap">
      <span
        aria-hidden="true"
        className={classNames('inline-block size-1.5 shrink-0 -translate-y-0.5 rounded-full', dots[tone])}
      />
      <span>
        {children}
        {detail !== undefined && <span className="block whitespace-normal text-12 text-faint">{detail}</span>}
      </span>
    </span>
  );
}

const tags: Record<Tone, string> = {
  positive: 'bg-positive-soft text-positive',
  pending: 'bg-pending-soft text-pending',
  negative: 'bg-negative-soft text-negative',
  notice: 'bg-notice-soft text-notice',
  progress: 'bg-accent-soft text-accent',
  neutral: 'bg-sunken text-muted',
};

/** A small word on a ground: a count, a kind. */
export function Tag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center rounded-6 px-1.5 py-px text-12 font-medium whitespace-nowrap',
        tags[tone],
      )}
    >
      {children}
    </span>
  );
}
