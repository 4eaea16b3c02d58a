import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import type { Tone } from './status-dot.tsx';
import { Time } from './time.tsx';

export interface Stage {
  key: string;
  /** What happened, or what is waited for. */
  title: ReactNode;
  /** By whom, with what: actor, hash, reason. */
  detail?: ReactNode;
  /** When; absent for what has not happened yet. */
  at?: string | null | undefined;
  tone: Tone;
  /** Going on now. */
  active?: boolean;
}

const dots: Record<Tone, string> = {
  positive: 'bg-positive',
  pending: 'bg-pending',
  negative: 'bg-negative',
  notice: 'bg-notice',
  progress: 'bg-accent',
  neutral: 'border-2 border-line-strong bg-surface',
};

/** Stages of something with their times and actors, from the first down to what is still to come. */
export function Timeline({ label, stages }: { label: string; stages: readonly Stage[] }) {
  return (
    <ol aria-label={label} className="m-0 list-none p-0">
      {stages.map((stage, index) => (
        <li
          key={stage.key}
          aria-current={stage.active ? 'step' : undefined}
          className="relative flex gap-3 pb-5 last:pb-0"
        >
          {index < stages.length - 1 && (
            <span aria-hidden="true" className="absolute top-4 bottom-0 left-[4.5px] w-px bg-line-strong" />
          )}
          <span
            aria-hidden="true"
            className={classNames(
              'relative mt-1.5 size-2.5 shrink-0 rounded-full',
              dots[stage.tone],
              stage.active && 'animate-breathe',
            )}
          />
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className={classNames(stage.tone === 'neutral' ? 'text-faint' : 'font-medium')}>{stage.title}</span>
              {stage.at != null && (
                <span className="text-12 text-faint">
                  <Time at={stage.at} />
                </span>
              )}
            </div>
            {stage.detail !== undefined && <div className="mt-0.5 text-13 text-muted">{stage.detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
