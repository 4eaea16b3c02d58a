import { listPaymentRequests } from 'virtual:calls/payment-requests';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import type { PaletteProvider } from '../../lib/palette.ts';
import { askedLine } from './words.ts';

const most = 5;

/** Finds payment requests by title, reference or payer. */
export const collectionPalette: PaletteProvider = {
  key: 'collections',
  label: 'app.menu.uCollection',
  permission: 'transaction.view',
  search: async (keyword, signal) => {
    const search = keyword.slice(0, 100);
    const [found] = await Promise.all([
      send(listPaymentRequests, { query: { search, size: '10' } }, { signal }),
      loadTexts(['collections']),
    ]);
    const items = found.items.slice(0, most).map((request) => ({
      key: request.id,
      label: request.title,
      detail: `${askedLine(translate, request)} · ${translate(`collections.state.${request.state}`)}`,
      at: request.createdAt,
      href: `/app/u-collection/${request.id}`,
    }));
    if (found.items.length <= most) return items;
    const href = `/app/u-collection?${new URLSearchParams({ search })}`;
    return [...items, { key: 'all', label: translate('collections.palette.all'), href }];
  },
};
