import { listCompanies } from 'virtual:calls/operator-companies';
import { send } from '../../lib/client.ts';
import type { PaletteProvider } from '../../lib/palette.ts';

/** Finds companies by name, id, a member's email address or an address on a chain. */
export const companyPalette: PaletteProvider = {
  key: 'companies',
  label: 'ops.title.companies',
  permission: 'operator.view',
  search: async (keyword, signal) => {
    const { items } = await send(listCompanies, { query: { keyword, size: '10' } }, { signal });
    return items.map(({ id, name, createdAt }) => ({
      key: id,
      label: name,
      at: createdAt,
      href: `/app/companies/${id}`,
    }));
  },
};
