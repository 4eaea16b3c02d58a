import { consolePage, panelPage } from '../../lib/routing.tsx';

const listRoute = consolePage({
  path: '/app/wallet',
  title: 'app.menu.walletList',
  load: () => import('./pages/wallet-list.tsx'),
  texts: ['wallets'],
});

const statementRoute = panelPage(listRoute, {
  path: '$id',
  load: () => import('./pages/wallet-panel.tsx'),
  texts: ['wallets'],
});

export const routes = [
  listRoute.addChildren([statementRoute]),
  consolePage({
    path: '/app/wallet/recharge',
    title: 'app.title.recharge',
    load: () => import('./pages/recharge.tsx'),
    texts: ['wallets'],
  }),
] as const;
