import { type ReactNode, useId } from 'react';
import { Field, type FieldFrame } from './field.tsx';

interface RadioOption<Value extends string> {
  value: Value;
  label: string;
  /** A second line. */
  detail?: ReactNode;
}

interface Props<Value extends string> extends FieldFrame {
  options: readonly RadioOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  onBlur?: () => void;
  name?: string;
  disabled?: boolean;
}

/** One of two or three, all in sight; arrow keys move between them. */
export function RadioField<Value extends string>({
  options,
  value,
  onChange,
  onBlur,
  name,
  disabled,
  ...frame
}: Props<Value>) {
  const group = useId();
  return (
    <Field {...frame} group>
      {(aria) => (
        <div className="flex flex-col gap-2" role="presentation" aria-describedby={aria['aria-describedby']}>
          {options.map((option) => (
            <label key={option.value} className="flex items-start gap-2.5 text-14">
              <input
                type="radio"
                name={name ?? group}
                value={option.value}
                checked={option.value === value}
                disabled={disabled}
                onChange={() => onChange(option.value)}
                onBlur={onBlur}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                {option.label}
                {option.detail !== undefined && <span className="block text-12 text-faint">{option.detail}</span>}
              </span>
            </label>
          ))}
        </div>
      )}
    </Field>
  );
}
