import { listTransactions } from 'virtual:calls/transactions';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import type { PaletteProvider } from '../../lib/palette.ts';
import { amountLine } from '../../ui/amount-parts.ts';
import { counterparty, signedQuantity, statusTexts, typeTexts } from './words.ts';

const most = 8;

/** Finds transactions by amount, id, hash, address, name or note. */
export const transactionPalette: PaletteProvider = {
  key: 'transactions',
  label: 'app.menu.transaction',
  permission: 'transaction.view',
  search: async (keyword, signal) => {
    const [found] = await Promise.all([
      send(listTransactions, { query: { keyword, size: '10' } }, { signal }),
      loadTexts(['transactions']),
    ]);
    const items = found.items.slice(0, most).map((row) => {
      const party = counterparty(row);
      return {
        key: row.id,
        label: [translate(typeTexts[row.type]), party.name ?? party.account].filter(Boolean).join(' · '),
        detail: `${amountLine(signedQuantity(row), row.coin)} · ${translate(statusTexts[row.status].text)}`,
        at: row.createdAt,
        href: `/app/transaction/${row.id}`,
      };
    });
    if (found.items.length <= most) return items;
    const href = `/app/transaction?${new URLSearchParams({ keyword })}`;
    return [...items, { key: 'all', label: translate('transactions.palette.all'), href }];
  },
};
