type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** The shortcut of a key; null when it has none. Letters are ignored while the user types or a dialog is open. */
export function shortcutOf(keys: Keys, typing: boolean, dialogOpen: boolean): 'palette' | 'list' | 'search' | null {
  if (dialogOpen || keys.altKey) return null;
  if (keys.ctrlKey || keys.metaKey) return keys.key.toLowerCase() === 'k' ? 'palette' : null;
  if (typing) return null;
  if (keys.key === '?') return 'list';
  return keys.key === '/' ? 'search' : null;
}
