import { consolePage, panelPage } from '../../lib/routing.tsx';

const texts = ['otc', 'exchange', 'transfers', 'transactions'] as const;

const listRoute = consolePage({
  path: '/app/otc',
  title: 'app.menu.otc',
  load: () => import('./pages/requests.tsx'),
  texts: ['otc'],
});

const panelRoute = panelPage(listRoute, { path: '$id', load: () => import('./pages/request-panel.tsx'), texts });

export const routes = [
  listRoute.addChildren([panelRoute]),
  consolePage({
    path: '/app/otc/ask',
    title: 'app.title.otcAsk',
    load: () => import('./pages/ask.tsx'),
    texts: ['otc', 'exchange'],
  }),
] as const;
