import { consolePage, panelPage } from '../../lib/routing.tsx';
import type { TransactionAdditions } from './additions.ts';

const listRoute = consolePage({
  path: '/app/transaction',
  title: 'app.menu.transaction',
  load: () => import('./pages/transaction-list.tsx'),
  texts: ['transactions'],
});

interface Options {
  /** What features to the right add to the panel. */
  load: () => Promise<{ additions: TransactionAdditions }>;
  /** Groups of texts that the additions speak with. */
  texts: readonly string[];
}

/** The list of transactions and, beside it, the panel of one. */
export function transactionRoutes({ load, texts }: Options) {
  const panelRoute = panelPage(listRoute, {
    path: '$id',
    load: async () => {
      const [{ TransactionPanel }, { additions }] = await Promise.all([
        import('./pages/transaction-panel.tsx'),
        load(),
      ]);
      return { Page: () => <TransactionPanel additions={additions} /> };
    },
    texts: ['transactions', 'transactions-detail', ...texts],
  });
  return listRoute.addChildren([panelRoute]);
}
