import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select } from '@base-ui/react/select';
import type { ReactNode } from 'react';
import { useText } from '../lib/locale.tsx';
import { controlClass, popupClass } from './control-look.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';
import { Icon } from './icon.tsx';
import { popupContainer } from './popup-container.ts';

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
  /** A second line or figure: balance, chain. */
  detail?: ReactNode;
  disabled?: boolean;
}

export interface SelectFieldProps<Value extends string> extends FieldFrame {
  options: readonly Option<Value>[];
  value: Value | '';
  onChange: (value: Value) => void;
  onBlur?: () => void;
  placeholder?: string;
  disabled?: boolean;
  name?: string;
}

/** One of a known few. More than about fifteen call for a ComboboxField. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const t = useText();
  const [frame, { options, value, onChange, onBlur, placeholder, disabled, name }] = splitFrame(props);
  const chosen = options.find((option) => option.value === value);
  return (
    <Field {...frame}>
      {(aria) => (
        <Select.Root
          items={options}
          value={value === '' ? null : value}
          // The library also reports the option that was chosen before; what depends on the choice is then kept.
          onValueChange={(next) => next !== null && next !== value && onChange(next as Value)}
          onOpenChange={(open) => open || onBlur?.()}
          disabled={disabled ?? false}
          {...(name !== undefined && { name })}
        >
          <Select.Trigger {...aria} className={controlClass('flex h-9 items-center justify-between gap-2 text-left')}>
            <span className={chosen ? 'min-w-0 truncate' : 'text-faint'}>
              {chosen?.label ?? placeholder ?? t('ui.select.placeholder')}
            </span>
            <Select.Icon>
              <Icon name="chevronDown" className="text-faint" />
            </Select.Icon>
          </Select.Trigger>
          {/* The content security policy allows no style element; the popup needs none of Base UI's. */}
          <CSPProvider disableStyleElements>
            <Select.Portal container={popupContainer}>
              <Select.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50 outline-none">
                <Select.Popup className={`${popupClass} max-h-(--available-height) w-(--anchor-width) overflow-y-auto`}>
                  <Select.List>
                    {options.map((option) => (
                      <OptionRow key={option.value} option={option} />
                    ))}
                  </Select.List>
                </Select.Popup>
              </Select.Positioner>
            </Select.Portal>
          </CSPProvider>
        </Select.Root>
      )}
    </Field>
  );
}

function OptionRow({ option }: { option: Option }) {
  return (
    <Select.Item
      value={option.value}
      disabled={option.disabled ?? false}
      className="flex min-h-8 cursor-default select-none items-center gap-2 rounded-6 px-2.5 py-1.5 outline-none data-disabled:opacity-50 data-highlighted:bg-hover"
    >
      <div className="min-w-0 flex-1">
        <Select.ItemText>{option.label}</Select.ItemText>
        {option.detail !== undefined && <div className="figures text-12 text-faint">{option.detail}</div>}
      </div>
      <Select.ItemIndicator>
        <Icon name="check" className="text-accent" />
      </Select.ItemIndicator>
    </Select.Item>
  );
}
