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
