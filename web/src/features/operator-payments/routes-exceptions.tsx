import { consolePage, panelPage } from '../../lib/routing.tsx';

const exceptionsRoute = consolePage({
  path: '/app/exceptions',
  title: 'ops.title.exceptions',
  load: () => import('./pages/exceptions.tsx'),
  texts: ['operator-payments', 'operator'],
});
const exceptionPanel = panelPage(exceptionsRoute, {
  path: '$subject/$id',
  load: () => import('./pages/exceptions-panel.tsx'),
  texts: ['operator-payments', 'operator', 'audit'],
});

export const exceptionRoutes = [exceptionsRoute.addChildren([exceptionPanel])] as const;
