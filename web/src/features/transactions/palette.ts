import { listTransactions } from 'virtual:calls/transactions';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import type { PaletteProvider } from '../../lib/palette.ts';
import { amountLine } from '../../ui/amount-parts.ts';
import { counterparty, signedQuantity, statusTexts, typeTexts } from './words.ts';

/** Finds transactions by id, hash, address, name or note. */
export const transactionPalette: PaletteProvider = {
  key: 'transactions',
  label: 'app.menu.transaction',
  search: async (keyword, signal) => {
    const [found] = await Promise.all([
      send(listTransactions, { query: { keyword, size: '10' } }, { signal }),
      loadTexts(['transactions']),
    ]);
    return found.items.map((row) => {
      const party = counterparty(row);
      return {
        key: row.id,
        label: [translate(typeTexts[row.type]), party.name ?? party.account].filter(Boolean).join(' · '),
        detail: `${amountLine(signedQuantity(row), row.coin)} · ${translate(statusTexts[row.status].text)}`,
        href: `/app/transaction/${row.id}`,
      };
    });
  },
};
