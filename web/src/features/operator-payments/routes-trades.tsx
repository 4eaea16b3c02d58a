import { consolePage } from '../../lib/routing.tsx';

const texts = ['operator-payments', 'trades', 'transactions', 'operator'] as const;

/** Guaranteed trades of all companies. */
export const operatorTradeRoutes = [
  consolePage({
    path: '/app/trades',
    title: 'ops.title.trades',
    load: () => import('./pages/trades.tsx'),
    texts,
  }),
  consolePage({
    path: '/app/trades/$companyId/$id',
    title: 'ops.title.trades',
    load: () => import('./pages/trade.tsx'),
    texts,
  }),
] as const;
