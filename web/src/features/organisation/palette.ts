import { listMembers } from 'virtual:calls/organisation';
import { send } from '../../lib/client.ts';
import type { PaletteProvider } from '../../lib/palette.ts';

/** Finds members by name, email or mobile number. */
export const memberPalette: PaletteProvider = {
  key: 'members',
  label: 'app.menu.members',
  permission: 'member.manage',
  search: async (keyword, signal) => {
    const found = await send(listMembers, { query: { keyword, size: '10' } }, { signal });
    return found.items.map(({ id, name, email, role }) => ({
      key: id,
      label: name,
      detail: name === email ? role.name : `${email} · ${role.name}`,
      href: `/app/member-management/${id}`,
    }));
  },
};
