import { createRoute, redirect } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../lib/list-state.ts';
import { rootRoute } from '../lib/routing.tsx';
import { ErrorView } from './pages/error-view.tsx';

/** How both consoles route. */
export const routerOptions = {
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorView,
  scrollRestoration: true,
  defaultStructuralSharing: true,
} as const;

const toHome = () => {
  throw redirect({ to: '/app/home' as string });
};

/** Addresses that only lead home. */
export const homeRedirects = [
  createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: toHome }),
  createRoute({ getParentRoute: () => rootRoute, path: '/app', beforeLoad: toHome }),
] as const;
