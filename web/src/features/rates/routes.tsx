import { consolePage, panelPage } from '../../lib/routing.tsx';

const ratesRoute = consolePage({
  path: '/app/wallet/rates',
  title: 'app.title.rates',
  load: () => import('./pages/rate-list.tsx'),
  texts: ['rates'],
});

const pairRoute = panelPage(ratesRoute, {
  path: '$pair',
  load: () => import('./pages/rate-panel.tsx'),
  texts: ['rates'],
});

export const routes = [ratesRoute.addChildren([pairRoute])] as const;
