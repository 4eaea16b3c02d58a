import { consolePage, panelPage } from '../../lib/routing.tsx';

const listRoute = consolePage({
  path: '/app/payee',
  title: 'app.menu.payee',
  load: () => import('./pages/payee-list.tsx'),
  texts: ['payees', 'payees-labels'],
});

const panelRoute = panelPage(listRoute, {
  path: '$id',
  load: () => import('./pages/payee-panel.tsx'),
  texts: ['payees', 'payees-labels'],
});

const bankPanelRoute = panelPage(listRoute, {
  path: 'bank/$id',
  load: () => import('./pages/bank-payee-panel.tsx'),
  texts: ['payees', 'payees-labels'],
});

export const routes = [
  listRoute.addChildren([panelRoute, bankPanelRoute]),
  consolePage({
    path: '/app/payee/bank/add',
    title: 'app.title.bankPayeeAdd',
    load: () => import('./pages/bank-payee-add.tsx'),
    texts: ['payees', 'payees-labels'],
  }),
  consolePage({
    path: '/app/payee/bank/change/$id',
    title: 'app.title.payeeChange',
    load: () => import('./pages/bank-payee-change.tsx'),
    texts: ['payees', 'payees-labels'],
  }),
  consolePage({
    path: '/app/payee/add',
    title: 'app.title.payeeAdd',
    load: () => import('./pages/payee-add.tsx'),
    texts: ['payees', 'payees-labels'],
  }),
] as const;
