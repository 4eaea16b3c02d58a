import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/wallet/exchange',
    title: 'app.title.exchange',
    load: () => import('./pages/exchange.tsx'),
    texts: ['exchange', 'transfers'],
  }),
  consolePage({
    path: '/app/wallet/exchange/success/$id',
    title: 'app.title.exchange',
    load: () => import('./pages/exchange-success.tsx'),
    texts: ['transactions', 'transactions-detail', 'exchange-success', 'exchange-cancel'],
  }),
] as const;
