import { Combobox } from '@base-ui/react/combobox';
import { useText } from '../lib/locale.tsx';
import { controlClass, popupClass } from './control-look.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';
import { Icon } from './icon.tsx';
import { popupContainer } from './popup-container.ts';
import type { Option } from './select-field.tsx';

export interface ComboboxFieldProps<Value extends string> extends FieldFrame {
  options: readonly Option<Value>[];
  value: Value | '';
  onChange: (value: Value | '') => void;
  onBlur?: () => void;
  placeholder?: string;
  disabled?: boolean;
  name?: string;
  /** Gets what is typed, where the options come from a search of the server: they are shown as they are, and `searching` until they come. */
  onSearch?: (text: string) => void;
  searching?: boolean;
  /** The choice, where the options lack it. */
  known?: Option<Value> | null;
}

const small = 'inline-flex size-7 items-center justify-center rounded-6 text-faint hover:bg-hover hover:text-text';

/** One of many, found by typing: payees, countries; with `onSearch`, one of more than a page loads. */
export function ComboboxField<Value extends string>(props: ComboboxFieldProps<Value>) {
  const t = useText();
  const [frame, own] = splitFrame(props);
  const {
    options,
    value,
    onChange,
    onBlur,
    placeholder,
    disabled,
    name,
    onSearch,
    searching = false,
    known = null,
  } = own;
  const chosen = options.find((option) => option.value === value) ?? (known?.value === value ? known : null);
  return (
    <Field {...frame}>
      {(aria) => (
        <Combobox.Root
          items={options}
          value={chosen}
          onValueChange={(next: Option<Value> | null, details) => keepOnEscape(details) || onChange(next?.value ?? '')}
          onInputValueChange={(text, details) => {
            // The name of the choice that the field itself writes is no search.
            if (!keepOnEscape(details)) onSearch?.(details.reason === 'input-change' ? text : '');
          }}
          {...(onSearch && { filter: null })}
          isItemEqualToValue={(a: Option<Value>, b: Option<Value>) => a.value === b.value}
          disabled={disabled ?? false}
          {...(name !== undefined && { name })}
        >
          <div className="relative">
            <Combobox.Input
              {...aria}
              placeholder={placeholder ?? t('ui.select.placeholder')}
              className={controlClass('h-9 pr-17')}
              onBlur={onBlur}
            />
            <div className="absolute inset-y-0 right-1 flex items-center">
              <Combobox.Clear aria-label={t('ui.combobox.clear')} className={small}>
                <Icon name="close" size={14} />
              </Combobox.Clear>
              <Combobox.Trigger aria-label={t('ui.combobox.open')} className={small}>
                <Icon name="chevronDown" />
              </Combobox.Trigger>
            </div>
          </div>
          <Combobox.Portal container={popupContainer}>
            <Combobox.Positioner sideOffset={4} className="z-50 outline-none">
              <Combobox.Popup className={`${popupClass} max-h-80 w-(--anchor-width) overflow-y-auto`}>
                <Combobox.Empty>
                  <div className="px-2.5 py-3 text-13 text-faint">
                    {t(searching ? 'ui.combobox.searching' : 'ui.combobox.empty')}
                  </div>
                </Combobox.Empty>
                <Combobox.List>
                  {(option: Option<Value>) => (
                    <Combobox.Item
                      key={option.value}
                      value={option}
                      disabled={option.disabled ?? false}
                      className="flex min-h-8 cursor-default select-none items-center gap-2 rounded-6 px-2.5 py-1.5 outline-none data-disabled:opacity-50 data-highlighted:bg-hover"
                    >
                      <div className="min-w-0 flex-1">
                        <div className="truncate">{option.label}</div>
                        {option.detail !== undefined && <div className="text-12 text-faint">{option.detail}</div>}
                      </div>
                      <Combobox.ItemIndicator>
                        <Icon name="check" className="text-accent" />
                      </Combobox.ItemIndicator>
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}

/** With the list closed, Esc would clear the choice unseen and leave the dialog open; it belongs to the dialog. True when so. */
function keepOnEscape(details: Combobox.Root.ChangeEventDetails): boolean {
  if (details.reason !== 'escape-key') return false;
  details.cancel();
  details.allowPropagation();
  return true;
}
