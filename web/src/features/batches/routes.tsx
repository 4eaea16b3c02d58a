import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/storm',
    title: 'app.title.storm',
    load: () => import('./pages/batches.tsx'),
    texts: ['batches'],
  }),
  consolePage({
    path: '/app/storm/$id',
    title: 'app.title.storm',
    load: () => import('./pages/batch.tsx'),
    texts: ['batches'],
  }),
] as const;
