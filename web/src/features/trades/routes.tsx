import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/wallet/tradego',
    title: 'app.title.tradego',
    load: () => import('./pages/trades.tsx'),
    texts: ['trades'],
  }),
  consolePage({
    path: '/app/wallet/tradego/$id',
    title: 'app.title.tradego',
    load: () => import('./pages/trade.tsx'),
    texts: ['trades', 'transfers', 'transactions', 'transactions-detail'],
  }),
] as const;
