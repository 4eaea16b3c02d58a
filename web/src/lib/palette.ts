import type { AnyPermission } from './permission.ts';

/** Something that the command palette can go to. */
export interface PaletteItem {
  key: string;
  label: string;
  detail?: string;
  /** When it was, as ISO 8601. */
  at?: string;
  href: string;
}

/** Finds items for what was typed; a feature registers one for its payees, its transactions, its members. */
export interface PaletteProvider {
  key: string;
  /** Text id of the group's heading. */
  label: string;
  /** Asked only for those who have it. */
  permission: AnyPermission;
  search: (query: string, signal: AbortSignal) => Promise<readonly PaletteItem[]>;
}

const providers = new Map<string, PaletteProvider>();

/** Called once, when a feature's module loads; the same key again takes the place of the first. */
export function registerPaletteProvider(provider: PaletteProvider): void {
  providers.set(provider.key, provider);
}

export function paletteProviders(): readonly PaletteProvider[] {
  return [...providers.values()];
}

/** Whether the text contains every typed word, whatever its case and width. */
export function matches(text: string, query: string): boolean {
  const plain = (value: string) => value.normalize('NFKC').toLocaleLowerCase();
  const words = plain(query).split(/\s+/).filter(Boolean);
  return words.every((word) => plain(text).includes(word));
}
