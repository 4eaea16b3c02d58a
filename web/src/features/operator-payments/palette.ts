import { listOperatorTransactions } from 'virtual:calls/operator-transactions';
import { send } from '../../lib/client.ts';
import { loadTexts, translate } from '../../lib/locale.tsx';
import type { PaletteProvider } from '../../lib/palette.ts';
import { amountLine } from '../../ui/amount-parts.ts';
import { counterparty, signedQuantity, statusTexts, typeTexts } from '../transactions/index.ts';

const most = 8;

/** Finds transactions of any company by id, hash, address, amount, name or reference. */
export const paymentPalette: PaletteProvider = {
  key: 'payments',
  label: 'ops.title.payments',
  permission: 'operator.view',
  search: async (keyword, signal) => {
    const [found] = await Promise.all([
      send(listOperatorTransactions, { query: { keyword, size: '10' } }, { signal }),
      loadTexts(['transactions', 'operator-payments']),
    ]);
    const items = found.items.slice(0, most).map((row) => {
      const party = counterparty(row);
      return {
        key: row.id,
        label: [row.company.name, translate(typeTexts[row.type]), party.name ?? party.account]
          .filter(Boolean)
          .join(' · '),
        detail: `${amountLine(signedQuantity(row), row.coin)} · ${translate(statusTexts[row.status].text)}`,
        at: row.createdAt,
        href: `/app/payments/${row.id}`,
      };
    });
    if (found.items.length <= most) return items;
    const href = `/app/payments?${new URLSearchParams({ keyword })}`;
    return [...items, { key: 'all', label: translate('ops.payments.all'), href }];
  },
};
