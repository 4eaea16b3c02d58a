type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key asks for; null when it is for somebody else. Letters never reach us while somebody types or a dialog is open. */
export function shortcutOf(keys: Keys, typing: boolean, dialogOpen: boolean): 'palette' | 'list' | 'search' | null {
  if (dialogOpen || keys.altKey) return null;
  if (keys.ctrlKey || keys.metaKey) return keys.key.toLowerCase() === 'k' ? 'palette' : null;
  if (typing) return null;
  if (keys.key === '?') return 'list';
  return keys.key === '/' ? 'search' : null;
}
