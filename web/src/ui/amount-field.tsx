import { type ComponentProps, useState } from 'react';
import { useText } from '../lib/locale.tsx';
import { type AmountRefusal, amountRefusals, readAmount } from './amount-input.ts';
import { controlClass } from './control-look.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';

export interface AmountFieldProps
  extends FieldFrame,
    Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange' | 'value' | 'type'> {
  value: string;
  onChange: (amount: string) => void;
  /** The coin's symbol or the currency's code. */
  coin: string;
  /** Decimals that the asset has; more cannot be typed. */
  decimals: number;
  /** Offers "all": fills in the whole of what may be sent. */
  onAll?: () => void;
}

/**
 * An amount in whole units as a plain decimal text: ASCII digits and one point, nothing else (decisions, "Amount rules"). What is
 * pasted loses its grouping; what could be read in two ways leaves the field as it is, with the reason below.
 */
export function AmountField({ value, onChange, coin, decimals, onAll, ...props }: AmountFieldProps) {
  const t = useText();
  const [frame, control] = splitFrame(props);
  const [refused, setRefused] = useState<AmountRefusal | null>(null);
  const error = refused === null ? frame.error : t(amountRefusals[refused], { asset: coin, decimals });
  return (
    <Field {...frame} error={error}>
      {(aria) => (
        <div className="relative flex items-center">
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            placeholder={decimals === 0 ? '0' : '0.00'}
            {...control}
            {...aria}
            value={value}
            className={`figures ${controlClass(onAll ? 'h-11 pr-28 text-16' : 'h-11 pr-16 text-16')}`}
            onChange={(event) => {
              const read = readAmount(event.target.value, decimals, coin);
              setRefused('refused' in read ? read.refused : null);
              if ('amount' in read) onChange(read.amount);
            }}
            onBlur={(event) => {
              setRefused(null);
              control.onBlur?.(event);
            }}
          />
          <span className="absolute right-3 flex items-center gap-2 text-13 text-muted">
            {coin}
            {onAll && (
              <button
                type="button"
                className="rounded-6 bg-accent-soft px-2 py-0.5 text-12 font-medium text-accent hover:text-accent-strong"
                onClick={() => {
                  setRefused(null);
                  onAll();
                }}
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
