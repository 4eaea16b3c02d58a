import { listBankPayees } from 'virtual:calls/bank-payees';
import { listCryptoPayees } from 'virtual:calls/payees';
import { send } from '../../lib/client.ts';
import type { PaletteProvider } from '../../lib/palette.ts';

/** Finds payees by label, holder, address or account, or remark. */
export const payeePalette: PaletteProvider = {
  key: 'payees',
  label: 'app.menu.payee',
  permission: 'payee.view',
  search: async (keyword, signal) => {
    const query = { keyword, size: '10' } as const;
    const [coins, banks] = await Promise.all([
      send(listCryptoPayees, { query }, { signal }),
      send(listBankPayees, { query }, { signal }),
    ]);
    return [
      ...coins.items.map(({ id, label, coin, chainName, address }) => ({
        key: id,
        label,
        detail: `${coin} · ${chainName} · ${address.slice(0, 8)}…${address.slice(-6)}`,
        href: `/app/payee/${id}`,
      })),
      ...banks.items.map(({ id, label, account }) => ({
        key: id,
        label,
        detail: `${account.currency} · ${account.name} · ${account.account}`,
        href: `/app/payee/bank/${id}?tab=bank`,
      })),
    ];
  },
};
