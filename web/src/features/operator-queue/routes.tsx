import { consolePage, panelPage } from '../../lib/routing.tsx';

const homeRoute = consolePage({
  path: '/app/home',
  title: 'app.menu.home',
  load: () => import('./pages/home.tsx'),
  texts: ['operator-queue'],
});
const itemPanel = panelPage(homeRoute, {
  path: '$id',
  load: () => import('./pages/item-panel.tsx'),
  texts: ['operator-queue', 'operator-queue-item', 'operator'],
});

export const operatorQueueRoutes = [homeRoute.addChildren([itemPanel])] as const;
