import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/wallet/exchange',
    title: 'app.title.exchange',
    load: () => import('./pages/exchange.tsx'),
    texts: ['exchange', 'transfers'],
  }),
  consolePage({
    path: '/app/wallet/exchange/planned',
    title: 'app.title.planned',
    load: () => import('./pages/planned.tsx'),
    texts: ['exchange-planned', 'transactions'],
  }),
  consolePage({
    path: '/app/wallet/exchange/standing',
    title: 'app.title.standing',
    load: () => import('./pages/standing-form.tsx'),
    texts: ['exchange-standing', 'exchange-planned', 'transfers'],
  }),
  consolePage({
    path: '/app/wallet/exchange/success/$id',
    title: 'app.title.exchange',
    load: () => import('./pages/exchange-success.tsx'),
    texts: ['transactions', 'transactions-detail', 'exchange-success', 'exchange-cancel'],
  }),
] as const;
