import { classNames } from './class-names.ts';

/** The look of everything one types into or chooses from. */
export function controlClass(extra?: string): string {
  return classNames(
    'w-full min-w-0 rounded-6 border border-control bg-surface px-3 text-14 text-text transition-colors',
    'hover:border-muted focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent',
    'aria-invalid:border-negative aria-invalid:focus:outline-negative',
    'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-faint [&[readonly]]:bg-sunken',
    extra ?? 'h-9',
  );
}

/** The look of what opens beneath a control. */
export const popupClass =
  'z-40 min-w-44 rounded-10 bg-raised p-1 text-14 shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0';
