import { listOperators, listProposals } from 'virtual:calls/operator';
import { send } from '../../lib/client.ts';
import { translate } from '../../lib/locale.tsx';
import { matches, type PaletteProvider } from '../../lib/palette.ts';

/** Finds colleagues by name or email. */
export const staffPalette: PaletteProvider = {
  key: 'staff',
  label: 'ops.title.staff',
  permission: 'operator.view',
  search: async (keyword, signal) => {
    const { items } = await send(listOperators, { query: { keyword, size: '10' } }, { signal });
    return items.map(({ id, name, email, role }) => ({
      key: id,
      label: name,
      detail: `${email} · ${translate(`ops.role.${role}`)}`,
      href: `/app/staff/${id}`,
    }));
  },
};

/** Finds open proposals by what they say: there are never many. */
export const proposalPalette: PaletteProvider = {
  key: 'proposals',
  label: 'ops.title.confirmations',
  permission: 'operator.view',
  search: async (keyword, signal) => {
    const { items } = await send(listProposals, { query: { state: 'open', size: '100' } }, { signal });
    return items
      .filter(({ title, proposedBy }) => matches(`${title} ${proposedBy.name}`, keyword))
      .map(({ id, title, proposedBy, proposedAt }) => ({
        key: id,
        label: title,
        detail: proposedBy.name,
        at: proposedAt,
        href: `/app/confirmations/${id}`,
      }));
  },
};
