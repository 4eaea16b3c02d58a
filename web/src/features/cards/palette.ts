import { listCards } from 'virtual:calls/cards';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import type { PaletteProvider } from '../../lib/palette.ts';
import { dots, stateOf } from './words.ts';

const most = 5;

/** Finds cards by their name, holder or last four digits. */
export const cardPalette: PaletteProvider = {
  key: 'cards',
  label: 'app.menu.creditCard',
  permission: 'card.view',
  search: async (keyword, signal) => {
    const search = keyword.slice(0, 100);
    const [found] = await Promise.all([
      send(listCards, { query: { search, size: '10' } }, { signal }),
      loadTexts(['cards']),
    ]);
    const items = found.items.slice(0, most).map((card) => ({
      key: card.id,
      label: card.name,
      detail: [card.holder.name, dots(card.lastFour), translate(stateOf(card).text)].filter(Boolean).join(' · '),
      href: `/app/wallet/credit-card/${card.id}`,
    }));
    if (found.items.length <= most) return items;
    const href = `/app/wallet/credit-card?${new URLSearchParams({ search })}`;
    return [...items, { key: 'all', label: translate('cards.palette.all'), href }];
  },
};
