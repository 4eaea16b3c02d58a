import { type AnyRoute, createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { networkError } from './api-error.ts';
import { loadTexts } from './locale.tsx';
import { sessionToken } from './session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Text id of the page's title: shown in the header and in the document's title. */
    title?: string;
  }
}

/** The root of all routes; `app/router.tsx` gives it its components. */
export const rootRoute = createRootRoute();

/** The layout of everything under /app: menu, header, session. `app/router.tsx` gives it its component. */
export const consoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  beforeLoad: ({ location }) => {
    if (sessionToken() !== null) return;
    throw redirect({ to: '/sign-in' as string, search: placeToReturn(location) as never });
  },
});

/**
 * The place to go back to after /sign-in: pages of the console, where a link led or a session lapsed. Home is where
 * sign-in leads anyway. Whether it may be followed is decided there, since the address bar is anybody's.
 */
export function placeToReturn({ pathname, href }: { pathname: string; href: string }): { to?: string } {
  return pathname.startsWith('/app/') && pathname !== '/app/home' ? { to: href } : {};
}

interface PageOptions<Path extends string> {
  /** The whole address, with `$name` for parameters: `/app/transaction/$id`. */
  path: Path;
  /** Text id of the page's title. */
  title: string;
  /** Imports the page's module, whose `Page` is shown. Written as `() => import('./pages/….tsx')`: the build reads it. */
  load: () => Promise<{ Page: ComponentType }>;
  /** Groups of texts (features) that the page speaks with, beside the shell's own. */
  texts?: readonly string[];
}

/**
 * A page for people who are not signed in. `path`, `load` and `texts` must be literals in this order, because
 * the build reads them to preload what the address needs (`vite/route-list.ts`).
 */
export function publicPage<const Path extends string>({ path, title, load, texts = [] }: PageOptions<Path>) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    staticData: { title },
    component: lazyRouteComponent(preloading(path, load), 'Page'),
    loader: staying(() => loadTexts(texts)),
  });
}

/** A page inside the console. The same rule of order and literals holds. */
export function consolePage<const Path extends string>({ path, title, load, texts = [] }: PageOptions<Path>) {
  return createRoute({
    getParentRoute: () => consoleRoute,
    path,
    staticData: { title },
    component: lazyRouteComponent(preloading(path, load), 'Page'),
    loader: staying(() => loadTexts(texts)),
  });
}

/** Asks for everything a page needs at once, by the list that the boot script has (`vite/boot.js`); there is none in development. */
function preloading<Module>(path: string, load: () => Promise<Module>): () => Promise<Module> {
  return staying(() => {
    globalThis.preloadPage?.(path);
    return load();
  });
}

/**
 * The router loads the document again when a module is missing, since a newer version may have taken its place. Without a
 * connection that would give the page up for the browser's own: then it is an error like that of any call, which can be tried
 * again.
 */
export function staying<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch (error) {
      throw navigator.onLine ? error : networkError(error);
    }
  };
}

/**
 * A panel over a page, at an address inside the page's: `panelPage(listRoute, { path: '$id', … })`. The page draws it in its
 * `<Outlet />`, and keeps its title and its place.
 */
export function panelPage<Parent extends AnyRoute, const Path extends string>(
  parent: Parent,
  { path, load, texts = [] }: Omit<PageOptions<Path>, 'title'>,
) {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(staying(load), 'Page'),
    loader: staying(() => loadTexts(texts)),
  });
}
