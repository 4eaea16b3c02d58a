import { useText } from '../../../lib/locale.tsx';
import { classNames } from '../../../ui/class-names.ts';

/** Marks a pair as a favourite, and unmarks it. */
export function Favourite({ pair, on, onToggle }: { pair: string; on: boolean; onToggle: () => void }) {
  const t = useText();
  return (
    <button
      type="button"
      aria-label={t('rates.favourite', { pair })}
      aria-pressed={on}
      title={t(on ? 'rates.favouriteOff' : 'rates.favouriteOn')}
      onClick={onToggle}
      className={classNames(
        'inline-flex size-8 items-center justify-center rounded-6 hover:bg-hover',
        on ? 'text-accent' : 'text-faint',
      )}
    >
      <svg width={16} height={16} viewBox="0 0 16 16" stroke="currentColor" strokeWidth={1.2} aria-hidden="true">
        <path
          d="M8 1.800l1.900 3.900 4.300.6-3.100 3 .7 4.300L8 11.600l-3.800 2 .7-4.300-3.100-3 4.300-.6z"
          fill={on ? 'currentColor' : 'none'}
          strokeLinejoin="round"
        />
      </svg>
    </button>
  );
}
