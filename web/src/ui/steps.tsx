import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

interface Props {
  label: string;
  steps: readonly string[];
  /** Counted from 0; as many as there are steps when all are done. */
  current: number;
}

/** Where one is in a flow. */
export function Steps({ label, steps, current }: Props) {
  const t = useText();
  return (
    <ol aria-label={label} className="m-0 flex list-none flex-wrap gap-x-3 gap-y-2 p-0">
      {steps.map((step, index) => {
        const done = index < current;
        const here = index === current;
        return (
          <li key={step} aria-current={here ? 'step' : undefined} className="flex items-center gap-2.5 text-13">
            {index > 0 && <span aria-hidden="true" className="hidden h-px w-8 bg-line-strong sm:block" />}
            <span
              aria-hidden="true"
              className={classNames(
                'figures inline-flex size-6 items-center justify-center rounded-full text-12 font-medium',
                done ? 'bg-positive-soft text-positive' : here ? 'bg-accent text-on-accent' : 'bg-sunken text-faint',
              )}
            >
              {done ? <Icon name="check" size={14} /> : index + 1}
            </span>
            <span className={here ? 'font-medium' : 'text-muted'}>
              {step}
              {done && <span className="sr-only"> ({t('ui.steps.done')})</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
