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

const rechargeRoute = consolePage({
  path: '/app/wallet/recharge',
  title: 'app.title.recharge',
  load: () => import('./pages/recharge.tsx'),
  texts: ['wallets', 'wallets-recharge'],
});

const noticeRoute = panelPage(rechargeRoute, {
  path: 'notice/$id',
  load: () => import('./pages/recharge-notice.tsx'),
  texts: ['wallets', 'wallets-recharge'],
});

const arrivingRoute = panelPage(rechargeRoute, {
  path: 'arriving/$walletId/$depositId',
  load: () => import('./pages/recharge-arriving.tsx'),
  texts: ['wallets', 'wallets-recharge'],
});

const feesRoute = consolePage({
  path: '/app/wallet/fees',
  title: 'app.title.fees',
  load: () => import('./pages/fees.tsx'),
  texts: ['wallets-fees'],
});

export const routes = [
  listRoute.addChildren([statementRoute]),
  rechargeRoute.addChildren([noticeRoute, arrivingRoute]),
  feesRoute,
] as const;
