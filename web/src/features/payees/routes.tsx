import { consolePage, panelPage } from '../../lib/routing.tsx';

const listRoute = consolePage({
  path: '/app/payee',
  title: 'app.menu.payee',
  load: () => import('./pages/payee-list.tsx'),
  texts: ['payees'],
});

const panelRoute = panelPage(listRoute, {
  path: '$id',
  load: () => import('./pages/payee-panel.tsx'),
  texts: ['payees'],
});

export const routes = [
  listRoute.addChildren([panelRoute]),
  consolePage({
    path: '/app/payee/add',
    title: 'app.title.payeeAdd',
    load: () => import('./pages/payee-add.tsx'),
    texts: ['payees'],
  }),
] as const;
