import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { operatorRoutes, operatorSignInRoutes } from '../features/operator/routes.tsx';
import { bankRoutes } from '../features/operator-banks/routes.tsx';
import { operatorCompaniesRoutes } from '../features/operator-companies/routes.tsx';
import { exchangeRoutes } from '../features/operator-exchange/routes.tsx';
import { healthRoutes } from '../features/operator-health/routes.tsx';
import { deskRoutes } from '../features/operator-otc/routes.tsx';
import { operatorPaymentsRoutes } from '../features/operator-payments/routes.tsx';
import { exceptionRoutes } from '../features/operator-payments/routes-exceptions.tsx';
import { operatorTradeRoutes } from '../features/operator-payments/routes-trades.tsx';
import { priceRoutes } from '../features/operator-prices/routes.tsx';
import { operatorQueueRoutes } from '../features/operator-queue/routes.tsx';
import { solvencyRoutes } from '../features/operator-solvency/routes.tsx';
import { treasuryRoutes } from '../features/operator-treasury/routes.tsx';
import { consoleRoute, rootRoute } from '../lib/routing.tsx';
import { Root } from '../shell/root.tsx';
import { homeRedirects, routerOptions } from '../shell/router-options.ts';
import { unknownConsoleRoute, unknownRoute } from './routes.tsx';

rootRoute.update({ component: Root });
consoleRoute.update({ component: lazyRouteComponent(() => import('./console.tsx'), 'Console') });

const routeTree = rootRoute.addChildren([
  ...homeRedirects,
  ...operatorSignInRoutes,
  consoleRoute.addChildren([
    ...operatorRoutes,
    ...operatorQueueRoutes,
    ...operatorCompaniesRoutes,
    ...solvencyRoutes,
    ...priceRoutes,
    ...treasuryRoutes,
    ...bankRoutes,
    ...exchangeRoutes,
    ...deskRoutes,
    ...operatorTradeRoutes,
    ...healthRoutes,
    ...operatorPaymentsRoutes,
    ...exceptionRoutes,
    unknownConsoleRoute,
  ]),
  unknownRoute,
]);

/** The operator's addresses. They are like the companies', at an origin of their own. */
export const router = createRouter({ routeTree, ...routerOptions });
