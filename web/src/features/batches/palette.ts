import { listBatches } from 'virtual:calls/batches';
import { listPayoutTemplates } from 'virtual:calls/payout-templates';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import type { PaletteProvider } from '../../lib/palette.ts';

const most = 5;

/** Finds batches by their name or file. */
export const batchPalette: PaletteProvider = {
  key: 'batches',
  label: 'app.title.storm',
  permission: 'transaction.view',
  search: async (keyword, signal) => {
    const [found] = await Promise.all([
      send(listBatches, { query: { keyword, size: '10' } }, { signal }),
      loadTexts(['batches']),
    ]);
    const items = found.items.slice(0, most).map(({ id, name, rows, state, createdAt }) => ({
      key: id,
      label: name,
      detail: `${translate('batches.rowCount', { count: rows })} · ${translate(`batches.state.${state}`)}`,
      at: createdAt,
      href: `/app/storm/${id}`,
    }));
    if (found.items.length <= most) return items;
    return [
      ...items,
      { key: 'all', label: translate('batches.palette.all'), href: `/app/storm?${new URLSearchParams({ keyword })}` },
    ];
  },
};

/** Finds templates of batches by their name or note. */
export const templatePalette: PaletteProvider = {
  key: 'batchTemplates',
  label: 'app.title.stormTemplates',
  permission: 'transaction.view',
  search: async (keyword, signal) => {
    const [{ items }] = await Promise.all([send(listPayoutTemplates, {}, { signal }), loadTexts(['batches'])]);
    const wanted = keyword.toLowerCase();
    const found = items.filter(({ name, note }) => `${name}\n${note}`.toLowerCase().includes(wanted));
    return found.slice(0, most).map(({ id, name, rows, createdAt }) => ({
      key: id,
      label: name,
      detail: translate('batches.rowCount', { count: rows }),
      at: createdAt,
      href: `/app/storm/templates/${id}`,
    }));
  },
};
