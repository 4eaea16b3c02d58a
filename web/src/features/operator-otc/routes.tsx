import { consolePage, panelPage } from '../../lib/routing.tsx';

const texts = ['operator-otc', 'otc', 'operator'] as const;

const deskRoute = consolePage({
  path: '/app/desk',
  title: 'ops.title.desk',
  load: () => import('./pages/desk.tsx'),
  texts,
});
const requestPanel = panelPage(deskRoute, { path: '$id', load: () => import('./pages/request-panel.tsx'), texts });

/** The operator's desk. */
export const deskRoutes = [deskRoute.addChildren([requestPanel])] as const;
