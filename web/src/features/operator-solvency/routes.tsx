import { consolePage } from '../../lib/routing.tsx';

export const solvencyRoutes = [
  consolePage({
    path: '/app/solvency',
    title: 'ops.title.solvency',
    load: () => import('./pages/solvency.tsx'),
    texts: ['operator-solvency'],
  }),
  consolePage({
    path: '/app/solvency/owed',
    title: 'ops.title.solvencyOwed',
    load: () => import('./pages/owed.tsx'),
    texts: ['operator-solvency'],
  }),
  consolePage({
    path: '/app/solvency/held',
    title: 'ops.title.solvencyHeld',
    load: () => import('./pages/held.tsx'),
    texts: ['operator-solvency'],
  }),
  consolePage({
    path: '/app/solvency/timing',
    title: 'ops.title.solvencyTiming',
    load: () => import('./pages/timing.tsx'),
    texts: ['operator-solvency'],
  }),
] as const;
