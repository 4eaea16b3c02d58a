import { consolePage, panelPage } from '../../lib/routing.tsx';

const listRoute = consolePage({
  path: '/app/audit-log',
  title: 'app.title.audit',
  load: () => import('./pages/audit-log.tsx'),
  texts: ['audit'],
});

const panelRoute = panelPage(listRoute, {
  path: '$id',
  load: () => import('./pages/audit-panel.tsx'),
  texts: ['audit'],
});

export const routes = [listRoute.addChildren([panelRoute])] as const;
