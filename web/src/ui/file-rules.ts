/** What files a field takes. */
export interface FileRules {
  /** Media types. */
  types: readonly string[];
  largest_bytes: number;
  most: number;
  /** The text id of why the field takes no file of a kind, before what holds for all; null where nothing is wrong. */
  refuse?: (file: Pick<File, 'name' | 'type'>) => string | null;
}

/** The text id of what is wrong with a file before it is sent, null when nothing is. The server looks at its bytes. */
export function problemOf(file: Pick<File, 'name' | 'size' | 'type'>, rules: FileRules): string | null {
  const own = rules.refuse?.(file) ?? null;
  if (own !== null) return own;
  if (!rules.types.includes(file.type)) return 'ui.files.wrongType';
  if (file.size === 0) return 'ui.files.empty';
  return file.size > rules.largest_bytes ? 'ui.files.tooLarge' : null;
}
