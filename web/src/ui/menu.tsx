import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { popupClass } from './control-look.ts';
import { Icon, type IconName } from './icon.tsx';
import { popupContainer } from './popup-container.ts';

const itemClass =
  'flex min-h-8 cursor-default select-none items-center gap-2 rounded-6 px-2.5 py-1 text-text no-underline outline-none data-disabled:opacity-50 data-highlighted:bg-hover';

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
  defaultOpen?: boolean;
}

/** A menu of steps: arrow keys, typing ahead, Esc. What the first paint shows uses `DeferredMenu` instead. */
export function Menu({ trigger, children, align = 'end', defaultOpen = false }: MenuProps) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={popupContainer}>
        <Base.Positioner sideOffset={6} align={align} className="z-40 outline-none">
          <Base.Popup className={popupClass}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  icon?: IconName;
  children: ReactNode;
  onSelect?: () => void;
  disabled?: boolean;
  /** A link that the item is, instead of a button. */
  render?: ReactElement;
  negative?: boolean;
  /** The menu stays open: something was copied. */
  stay?: boolean;
}

export function MenuItem({ icon, children, onSelect, disabled, render, negative, stay }: MenuItemProps) {
  return (
    <Base.Item
      {...(render && { render })}
      {...(disabled !== undefined && { disabled })}
      {...(onSelect && { onClick: onSelect })}
      closeOnClick={!stay}
      className={`${itemClass} ${negative ? 'text-negative' : ''}`}
    >
      {icon && <Icon name={icon} className="shrink-0 text-muted" />}
      {children}
    </Base.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  label: string;
  options: readonly { value: Value; label: string; lang?: string }[];
}

/** One of a few, inside a menu: language, theme. */
export function MenuChoice<Value extends string>({ value, onChange, label, options }: MenuChoiceProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-12 text-faint">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} closeOnClick className={itemClass} lang={option.lang}>
            <span className="flex-1">{option.label}</span>
            <Base.RadioItemIndicator>
              <Icon name="check" className="text-accent" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

interface MenuChecksProps {
  label: string;
  options: readonly { key: string; label: string; checked: boolean; disabled?: boolean }[];
  onChange: (key: string, checked: boolean) => void;
}

/** Any of a few, inside a menu: the columns of a table. */
export function MenuChecks({ label, options, onChange }: MenuChecksProps) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-12 text-faint">{label}</Base.GroupLabel>
      {options.map((option) => (
        <Base.CheckboxItem
          key={option.key}
          checked={option.checked}
          disabled={option.disabled ?? false}
          onCheckedChange={(checked) => onChange(option.key, checked)}
          className={itemClass}
        >
          <span className="inline-flex size-4 items-center justify-center">
            <Base.CheckboxItemIndicator>
              <Icon name="check" className="text-accent" />
            </Base.CheckboxItemIndicator>
          </span>
          {option.label}
        </Base.CheckboxItem>
      ))}
    </Base.Group>
  );
}

export function MenuLine() {
  return <div aria-hidden="true" className="mx-1 my-1 h-px bg-line" />;
}

/** A line of a menu that is no command: who is signed in. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <div className="px-2.5 py-2">{children}</div>;
}
