import { type ComponentProps, type ReactNode, useContext, useState } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { ReadOnly, type ReadOnlyReasons } from './read-only.ts';
import { Spinner } from './spinner.tsx';

/** `primary`: the one step forward; `secondary`: everything else; `quiet`: inside rows and bars; `negative`: destroys or sends out. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'negative';
export type ButtonSize = 'small' | 'medium' | 'large';

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong disabled:hover:bg-accent',
  secondary: 'border border-line-strong bg-surface text-text hover:bg-hover disabled:hover:bg-surface',
  quiet: 'text-muted hover:bg-hover hover:text-text disabled:hover:bg-transparent',
  negative: 'bg-negative text-on-negative hover:bg-negative-strong disabled:hover:bg-negative',
};

const sizes: Record<ButtonSize, string> = {
  small: 'h-7 px-2.5 text-13',
  medium: 'h-9 px-3.5 text-14',
  large: 'h-11 px-5 text-14',
};

/** The look of a button, for links that look like one. */
export function buttonClass(kind: ButtonKind = 'secondary', size: ButtonSize = 'medium'): string {
  return classNames(
    'inline-flex select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-6 font-medium no-underline transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-busy:cursor-progress',
    'aria-disabled:not-aria-busy:cursor-not-allowed aria-disabled:not-aria-busy:opacity-55',
    kinds[kind],
    sizes[size],
  );
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  kind?: ButtonKind;
  size?: ButtonSize;
  icon?: IconName;
  /** Under way: keeps its place and focus, shows that it works, takes no second click. */
  busy?: boolean;
  /** It shows or saves a file. */
  opensFile?: boolean;
  wide?: boolean;
  children: ReactNode;
}

export function Button({
  kind,
  size,
  icon,
  busy = false,
  opensFile,
  wide,
  children,
  type,
  onClick,
  ...rest
}: ButtonProps) {
  const changes = kind === 'primary' || kind === 'negative' || type === 'submit' || icon === 'upload';
  const refusal = useRefusal(icon === 'download' || opensFile ? 'file' : changes ? 'change' : null);
  const [props, isHeld] = useKeptFocus(refusal === null ? rest : { ...rest, disabled: false, title: refusal });
  const isOff = busy || isHeld || refusal !== null;
  return (
    <button
      {...props}
      type={type ?? 'button'}
      className={classNames(buttonClass(kind, size), wide && 'w-full')}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Why this step is not taken here. Such a button keeps its place among the keys, so that its reason can be read. */
function useRefusal(step: keyof ReadOnlyReasons | null): string | null {
  const reasons = useContext(ReadOnly);
  return step === null ? null : (reasons?.[step] ?? null);
}

/**
 * A button that becomes disabled while it has the focus would lose it to the page, and the next Tab would begin at the top. It
 * is only called disabled, and takes no click, until the focus has moved on.
 */
function useKeptFocus<Props extends Pick<ComponentProps<'button'>, 'disabled' | 'onFocus' | 'onBlur'>>(
  props: Props,
): [Props, isHeld: boolean] {
  const [focused, setFocused] = useState(false);
  const disabled = props.disabled === true;
  const kept: Props = {
    ...props,
    disabled: disabled && !focused,
    onFocus: (event) => {
      setFocused(true);
      props.onFocus?.(event);
    },
    onBlur: (event) => {
      setFocused(false);
      props.onBlur?.(event);
    },
  };
  return [kept, disabled && focused];
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  icon: IconName;
  /** What it does; read aloud and shown on hover. */
  label: string;
  size?: ButtonSize;
  kind?: ButtonKind;
}

const squares: Record<ButtonSize, string> = { small: 'size-7', medium: 'size-9', large: 'size-11' };

/** A button that is a drawing; it always has a name. */
export function IconButton({ icon, label, size = 'medium', kind = 'quiet', type, onClick, ...rest }: IconButtonProps) {
  const [props, isHeld] = useKeptFocus(rest);
  return (
    <button
      {...props}
      type={type ?? 'button'}
      aria-label={label}
      aria-disabled={isHeld || undefined}
      title={label}
      onClick={(event) => {
        if (isHeld) event.preventDefault();
        else onClick?.(event);
      }}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-6 transition-colors disabled:cursor-not-allowed disabled:opacity-55',
        'aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
        kinds[kind],
        squares[size],
      )}
    >
      <Icon name={icon} />
    </button>
  );
}
