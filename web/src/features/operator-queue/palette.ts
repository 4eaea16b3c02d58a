import { listQueue } from 'virtual:calls/operator-queue';
import { send } from '../../lib/client.ts';
import type { PaletteProvider } from '../../lib/palette.ts';

/** Finds open items by what they are about: a transfer's id, an address, a company. */
export const queuePalette: PaletteProvider = {
  key: 'queue',
  label: 'ops.queue.label',
  permission: 'operator.view',
  search: async (keyword, signal) => {
    const { items } = await send(listQueue, { query: { keyword, size: '10' } }, { signal });
    return items.map(({ id, title, company, nextStep, openedAt }) => ({
      key: id,
      label: title,
      detail: company?.name ?? nextStep,
      at: openedAt,
      href: `/app/home/${id}`,
    }));
  },
};
