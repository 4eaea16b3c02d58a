import { consolePage, panelPage } from '../../lib/routing.tsx';

const listRoute = consolePage({
  path: '/app/transaction',
  title: 'app.menu.transaction',
  load: () => import('./pages/transaction-list.tsx'),
  texts: ['transfers'],
});

const panelRoute = panelPage(listRoute, {
  path: '$id',
  load: () => import('./pages/transaction-panel.tsx'),
  texts: ['transfers', 'transfers-detail', 'risk'],
});

export const routes = [
  listRoute.addChildren([panelRoute]),
  consolePage({
    path: '/app/transfer-out',
    title: 'app.title.transferOut',
    load: () => import('./pages/transfer-out.tsx'),
    texts: ['transfers', 'transfers-detail', 'transfers-form'],
  }),
  consolePage({
    path: '/app/transfer-out/success/$id',
    title: 'app.title.transferOut',
    load: () => import('./pages/transfer-success.tsx'),
    texts: ['transfers', 'transfers-detail', 'transfers-form'],
  }),
] as const;
