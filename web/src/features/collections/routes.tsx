import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/u-collection',
    title: 'app.menu.uCollection',
    load: () => import('./pages/requests.tsx'),
    texts: ['collections', 'organisation'],
  }),
  consolePage({
    path: '/app/u-collection/new',
    title: 'app.menu.uCollection',
    load: () => import('./pages/new-request.tsx'),
    texts: ['collections'],
  }),
  consolePage({
    path: '/app/u-collection/$id',
    title: 'app.menu.uCollection',
    load: () => import('./pages/request.tsx'),
    texts: ['collections', 'transfers', 'transactions'],
  }),
] as const;
