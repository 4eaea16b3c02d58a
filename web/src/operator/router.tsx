import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { operatorRoutes, operatorSignInRoutes } from '../features/operator/routes.tsx';
import { consoleRoute, rootRoute } from '../lib/routing.tsx';
import { Root } from '../shell/root.tsx';
import { homeRedirects, routerOptions } from '../shell/router-options.ts';
import { unknownConsoleRoute, unknownRoute } from './routes.tsx';

rootRoute.update({ component: Root });
consoleRoute.update({ component: lazyRouteComponent(() => import('./console.tsx'), 'Console') });

const routeTree = rootRoute.addChildren([
  ...homeRedirects,
  ...operatorSignInRoutes,
  consoleRoute.addChildren([...operatorRoutes, unknownConsoleRoute]),
  unknownRoute,
]);

/** The operator's addresses. They are like the companies', at an origin of their own. */
export const router = createRouter({ routeTree, ...routerOptions });
