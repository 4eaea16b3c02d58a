import type { ComponentProps } from 'react';
import { useText } from '../lib/locale.tsx';
import { controlClass, Field, type FieldFrame, splitFrame } from './field.tsx';

export interface AmountFieldProps
  extends FieldFrame,
    Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange' | 'value' | 'type'> {
  value: string;
  onChange: (amount: string) => void;
  coin: string;
  /** Decimals that the coin has; more cannot be typed. */
  decimals: number;
  /** Offers "all": fills in the whole of what may be sent. */
  onAll?: () => void;
}

/** An amount in whole units as a plain decimal text: ASCII digits and one point, nothing else (decisions, "Amount rules"). */
export function AmountField({ value, onChange, coin, decimals, onAll, ...props }: AmountFieldProps) {
  const t = useText();
  const [frame, control] = splitFrame(props);
  return (
    <Field {...frame}>
      {(aria) => (
        <div className="relative flex items-center">
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.00"
            {...control}
            {...aria}
            value={value}
            className={`figures ${controlClass(onAll ? 'h-11 pr-28 text-16' : 'h-11 pr-16 text-16')}`}
            onChange={(event) => {
              const next = acceptAmount(event.target.value, decimals);
              if (next !== null) onChange(next);
            }}
          />
          <span className="absolute right-3 flex items-center gap-2 text-13 text-muted">
            {coin}
            {onAll && (
              <button
                type="button"
                className="rounded-6 bg-accent-soft px-2 py-0.5 text-12 font-medium text-accent hover:text-accent-strong"
                onClick={onAll}
              >
                {t('ui.amount.all')}
              </button>
            )}
          </span>
        </div>
      )}
    </Field>
  );
}

/**
 * What an amount field keeps of a keystroke or a paste: the text itself while it is the beginning of an amount, null when
 * it is not, so that the field stays as it was. Group separators of a pasted "1,234.50" are not guessed at.
 */
export function acceptAmount(text: string, decimals: number): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const match = /^(\d{0,60})(\.\d*)?$/.exec(trimmed);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction !== '' && decimals === 0) return null;
  if (fraction.length - 1 > decimals) return null;
  return `${whole === '' ? '0' : whole.replace(/^0+(?=\d)/, '')}${fraction}`;
}
