import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
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
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress',
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
  wide?: boolean;
  children: ReactNode;
}

export function Button({ kind, size, icon, busy = false, wide, children, type, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={classNames(buttonClass(kind, size), wide && 'w-full')}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
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
export function IconButton({ icon, label, size = 'medium', kind = 'quiet', type, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      aria-label={label}
      title={label}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-6 transition-colors disabled:cursor-not-allowed disabled:opacity-55',
        kinds[kind],
        squares[size],
      )}
    >
      <Icon name={icon} />
    </button>
  );
}
