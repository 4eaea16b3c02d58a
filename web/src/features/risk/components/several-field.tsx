import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { Field } from '../../../ui/field.tsx';
import type { Option } from '../../../ui/select-field.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';

interface Props {
  label: string;
  options: readonly Option[];
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  error: string | undefined;
  name: string;
}

/** Any of a few, all in sight. */
export function SeveralField({ label, options, value, onChange, error, name }: Props) {
  return (
    <Field label={label} error={error} group>
      {(aria) => (
        <div role="presentation" aria-describedby={aria['aria-describedby']} className="flex flex-wrap gap-x-5 gap-y-2">
          {options.map((option) => (
            <Checkbox
              key={option.value}
              name={name}
              checked={value.includes(option.value)}
              aria-invalid={aria['aria-invalid']}
              onChange={(event) =>
                onChange(
                  event.target.checked ? [...value, option.value] : value.filter((other) => other !== option.value),
                )
              }
            >
              {option.label}
            </Checkbox>
          ))}
        </div>
      )}
    </Field>
  );
}

interface ManyProps extends Props {
  hint?: string;
  /** Names of what was chosen before and can no longer be chosen. */
  former?: readonly Option[];
}

/** Any of many: found by typing, each removable again. */
export function ManyField({ label, hint, options, former = [], value, onChange, error, name }: ManyProps) {
  const t = useText();
  // The box is emptied after each choice by being a new one.
  const [round, setRound] = useState(0);
  const left = options.filter((option) => !value.includes(option.value));
  return (
    <div className="flex flex-col gap-2">
      <ComboboxField
        key={round}
        label={label}
        {...(hint !== undefined && { hint })}
        name={name}
        options={left}
        value=""
        error={error}
        onChange={(next) => {
          if (next === '') return;
          onChange([...value, next]);
          setRound(round + 1);
        }}
      />
      <ul className="m-0 flex list-none flex-wrap gap-1.5 p-0" aria-live="polite">
        {value.map((chosen) => {
          const name = [...options, ...former].find((option) => option.value === chosen)?.label ?? chosen;
          return (
            <li key={chosen} className="inline-flex items-center gap-1 rounded-6 bg-sunken pl-2 text-13">
              {name}
              <IconButton
                icon="close"
                size="small"
                label={t('risk.remove', { name })}
                onClick={() => onChange(value.filter((other) => other !== chosen))}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
