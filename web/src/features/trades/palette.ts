import { listTrades } from 'virtual:calls/trades';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import type { PaletteProvider } from '../../lib/palette.ts';
import { amountLine } from '../../ui/amount-parts.ts';

const most = 5;

/** Finds guaranteed trades by their number, bill of lading, parties, addresses or the hash of a payment. */
export const tradePalette: PaletteProvider = {
  key: 'trades',
  label: 'app.title.tradego',
  permission: 'transaction.view',
  search: async (search, signal) => {
    const [found] = await Promise.all([
      send(listTrades, { query: { search, size: '10' } }, { signal }),
      loadTexts(['trades']),
    ]);
    const items = found.items.slice(0, most).map(({ id, number, asset, quantity, state, updatedAt }) => ({
      key: id,
      label: number,
      detail: `${amountLine(quantity, asset)} · ${translate(`trades.state.${state}`)}`,
      at: updatedAt,
      href: `/app/wallet/tradego/${id}`,
    }));
    if (found.items.length <= most) return items;
    const href = `/app/wallet/tradego?${new URLSearchParams({ search })}`;
    return [...items, { key: 'all', label: translate('trades.palette.all'), href }];
  },
};
