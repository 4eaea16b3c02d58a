import type { MenuEntry } from '../shell/menu.ts';

/** Pages that are reached from others and not from the menu; the palette knows them. */
export const morePages: readonly MenuEntry[] = [{ label: 'ops.title.account', icon: 'user', path: '/app/account' }];
