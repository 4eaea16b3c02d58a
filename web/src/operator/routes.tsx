import { consolePage, publicPage } from '../lib/routing.tsx';

/** Every other address. The last of all: the build takes the first that an address fits. */
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
