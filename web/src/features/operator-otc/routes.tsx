import { consolePage, panelPage } from '../../lib/routing.tsx';

const deskRoute = consolePage({
  path: '/app/desk',
  title: 'ops.title.desk',
  load: () => import('./pages/desk.tsx'),
  texts: ['operator-otc', 'otc', 'operator'],
});
const requestPanel = panelPage(deskRoute, {
  path: '$id',
  load: () => import('./pages/request-panel.tsx'),
  texts: ['operator-otc', 'otc', 'operator'],
});

/** The operator's desk. */
export const deskRoutes = [deskRoute.addChildren([requestPanel])] as const;
