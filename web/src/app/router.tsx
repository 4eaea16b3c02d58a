import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { routes as approvalsRoutes } from '../features/approvals/routes.tsx';
import { routes as auditRoutes } from '../features/audit/routes.tsx';
import { routes as batchRoutes } from '../features/batches/routes.tsx';
import { routes as cardRoutes } from '../features/cards/routes.tsx';
import { routes as collectionRoutes } from '../features/collections/routes.tsx';
import { routes as exchangeRoutes } from '../features/exchange/routes.tsx';
import { homeRoutes } from '../features/home/routes.tsx';
import { accountRoutes, signInRoutes } from '../features/identity/routes.tsx';
import { legalRoutes } from '../features/legal/routes.tsx';
import { noticesRoutes } from '../features/notices/routes.tsx';
import { routes as organisationRoutes } from '../features/organisation/routes.tsx';
import { routes as otcRoutes } from '../features/otc/routes.tsx';
import { routes as payeesRoutes } from '../features/payees/routes.tsx';
import { routes as paymentsRoutes } from '../features/payments/routes.tsx';
import { routes as ratesRoutes } from '../features/rates/routes.tsx';
import { routes as riskRoutes } from '../features/risk/routes.tsx';
import { routes as statementsRoutes } from '../features/statements/routes.tsx';
import { routes as tradeRoutes } from '../features/trades/routes.tsx';
import { routes as transfersRoutes } from '../features/transfers/routes.tsx';
import { routes as walletsRoutes } from '../features/wallets/routes.tsx';
import { routes as webhookRoutes } from '../features/webhooks/routes.tsx';
import { consoleRoute, publicPage, rootRoute } from '../lib/routing.tsx';
import { Root } from '../shell/root.tsx';
import { homeRedirects, routerOptions } from '../shell/router-options.ts';
import { composedRoutes, unknownConsoleRoute, unknownRoute } from './routes.tsx';

rootRoute.update({ component: Root });

consoleRoute.update({ component: lazyRouteComponent(() => import('./console.tsx'), 'Console') });

/** All parts of the interface in all their states, for those who build it; no build contains it. */
const galleryRoutes = import.meta.env.DEV
  ? [
      publicPage({
        path: '/ui',
        title: 'app.title.gallery',
        load: () => import('./gallery/gallery.tsx'),
        texts: ['organisation'],
      }),
    ]
  : [];

/** Features add their public pages to the first list and their console pages to the second. */
const routeTree = rootRoute.addChildren([
  ...homeRedirects,
  ...signInRoutes,
  ...legalRoutes,
  ...galleryRoutes,
  consoleRoute.addChildren([
    ...homeRoutes,
    ...noticesRoutes,
    ...accountRoutes,
    ...auditRoutes,
    ...organisationRoutes,
    ...payeesRoutes,
    ...ratesRoutes,
    ...walletsRoutes,
    ...statementsRoutes,
    ...riskRoutes,
    ...approvalsRoutes,
    ...transfersRoutes,
    ...paymentsRoutes,
    ...exchangeRoutes,
    ...collectionRoutes,
    ...batchRoutes,
    ...otcRoutes,
    ...tradeRoutes,
    ...cardRoutes,
    ...webhookRoutes,
    ...composedRoutes,
    unknownConsoleRoute,
  ]),
  unknownRoute,
]);

export const router = createRouter({ routeTree, ...routerOptions });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
