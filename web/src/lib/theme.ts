import { useSyncExternalStore } from 'react';
import { remember, remembered } from './storage.ts';

/** `system` follows the machine's preference. */
export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'theme';
const listeners = new Set<() => void>();

function currentTheme(): Theme {
  const value = remembered(storageKey);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Switches the colours at once and remembers the choice; the boot script reads it before the next first paint. */
export function applyTheme(theme: Theme): void {
  remember(storageKey, theme === 'system' ? null : theme);
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentTheme,
    () => 'system',
  );
}
