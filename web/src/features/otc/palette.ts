import { listOtc } from 'virtual:calls/otc';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import type { PaletteProvider } from '../../lib/palette.ts';
import { amountLine } from '../../ui/amount-parts.ts';

const most = 5;

/** Finds requests to the desk by their assets, amount, member or id. */
export const otcPalette: PaletteProvider = {
  key: 'otc',
  label: 'app.menu.otc',
  permission: 'transaction.view',
  search: async (keyword, signal) => {
    const [found] = await Promise.all([
      send(listOtc, { query: { keyword, size: '10' } }, { signal }),
      loadTexts(['otc']),
    ]);
    const items = found.items.slice(0, most).map(({ id, sell, buy, fixed, amount, state, createdAt }) => ({
      key: id,
      label: `${sell.asset} → ${buy.asset}`,
      detail: `${amountLine(amount, (fixed === 'sell' ? sell : buy).asset)} · ${translate(`otc.state.${state}`)}`,
      at: createdAt,
      href: `/app/otc/${id}`,
    }));
    if (found.items.length <= most) return items;
    const href = `/app/otc?${new URLSearchParams({ keyword })}`;
    return [...items, { key: 'all', label: translate('otc.palette.all'), href }];
  },
};
