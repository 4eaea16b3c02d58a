import { transactionRoutes } from '../features/transactions/routes.tsx';
import { consolePage, publicPage } from '../lib/routing.tsx';

/** Pages that are put together of several features, which do not know each other. */
export const composedRoutes = [
  transactionRoutes({
    load: () => import('./transaction-additions.ts'),
    texts: [
      'transfers-cancel',
      'payments-cancel',
      'exchange-cancel',
      'transactions-payout',
      'transactions-exchange',
      'payees-labels',
      'risk',
    ],
  }),
  consolePage({
    path: '/app/risk-setting',
    title: 'app.menu.risk',
    load: () => import('./pages/risk-approval.tsx'),
    texts: ['risk', 'approvals', 'control', 'organisation'],
  }),
];

/**
 * Addresses whose feature is not built yet (decisions, "Screens"): each opens the page that says so. A
 * feature that builds one takes its line away here and adds its own routes in `router.tsx`.
 */
export const notBuiltConsoleRoutes = [
  consolePage({ path: '/app/wallet/tradego', title: 'app.title.tradego', load: () => import('./pages/not-built.tsx') }),
  consolePage({
    path: '/app/u-collection',
    title: 'app.menu.uCollection',
    load: () => import('./pages/not-built.tsx'),
  }),
];

/** Every other address (decisions, "Screens"). The last of all: the build takes the first that an address fits. */
export const unknownConsoleRoute = consolePage({
  path: '/app/$',
  title: 'app.notFound.title',
  load: () => import('../shell/pages/console-not-found.tsx'),
});
export const unknownRoute = publicPage({
  path: '/$',
  title: 'app.notFound.title',
  load: () => import('../shell/pages/not-found.tsx'),
});
