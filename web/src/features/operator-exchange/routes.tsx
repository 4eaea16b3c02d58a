import { consolePage, panelPage } from '../../lib/routing.tsx';

const texts = ['operator-exchange', 'operator'] as const;

const termsRoute = consolePage({
  path: '/app/exchange/terms',
  title: 'ops.title.exchangeTerms',
  load: () => import('./pages/terms.tsx'),
  texts,
});
const termsPanel = panelPage(termsRoute, { path: '$id', load: () => import('./pages/terms-panel.tsx'), texts });

const hedgesRoute = consolePage({
  path: '/app/exchange/hedges',
  title: 'ops.title.hedges',
  load: () => import('./pages/hedges.tsx'),
  texts,
});
const hedgePanel = panelPage(hedgesRoute, { path: '$id', load: () => import('./pages/hedge-panel.tsx'), texts });

export const exchangeRoutes = [
  consolePage({
    path: '/app/exchange',
    title: 'ops.title.exchange',
    load: () => import('./pages/position.tsx'),
    texts,
  }),
  termsRoute.addChildren([termsPanel]),
  hedgesRoute.addChildren([hedgePanel]),
] as const;
