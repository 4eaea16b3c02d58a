import { listCryptoPayees } from 'virtual:calls/payees';
import { send } from '../../lib/client.ts';
import type { PaletteProvider } from '../../lib/palette.ts';

/** Finds payees by label, address or remark. */
export const payeePalette: PaletteProvider = {
  key: 'payees',
  label: 'app.menu.payee',
  permission: 'payee.view',
  search: async (keyword, signal) => {
    const found = await send(listCryptoPayees, { query: { keyword, size: '10' } }, { signal });
    return found.items.map(({ id, label, coin, chainName, address }) => ({
      key: id,
      label,
      detail: `${coin} · ${chainName} · ${address.slice(0, 8)}…${address.slice(-6)}`,
      href: `/app/payee/${id}`,
    }));
  },
};
