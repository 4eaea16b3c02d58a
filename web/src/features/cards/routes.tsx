import { consolePage } from '../../lib/routing.tsx';

/** One route for all pages of cards, which choose among themselves: each route costs bytes on every first paint. */
export const routes = [
  consolePage({
    path: '/app/wallet/credit-card/$',
    title: 'app.menu.creditCard',
    load: () => import('./pages/section.tsx'),
    texts: ['cards', 'risk', 'control', 'organisation', 'approvals'],
  }),
] as const;
