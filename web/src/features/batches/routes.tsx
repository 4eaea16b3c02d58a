import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/storm',
    title: 'app.title.storm',
    load: () => import('./pages/batches.tsx'),
    texts: ['batches', 'batches-templates'],
  }),
  consolePage({
    path: '/app/storm/templates',
    title: 'app.title.stormTemplates',
    load: () => import('./pages/templates.tsx'),
    texts: ['batches', 'batches-templates'],
  }),
  consolePage({
    path: '/app/storm/templates/$id',
    title: 'app.title.stormTemplate',
    load: () => import('./pages/template.tsx'),
    texts: ['batches', 'batches-templates', 'organisation'],
  }),
  consolePage({
    path: '/app/storm/$id',
    title: 'app.title.storm',
    load: () => import('./pages/batch.tsx'),
    texts: ['batches', 'batches-runs', 'batches-templates'],
  }),
  consolePage({
    path: '/app/storm/$id/submit',
    title: 'app.title.stormSubmit',
    load: () => import('./pages/submit.tsx'),
    texts: ['batches-runs', 'transfers'],
  }),
  consolePage({
    path: '/app/storm/$id/run/$runId',
    title: 'app.title.stormRun',
    load: () => import('./pages/run.tsx'),
    texts: ['batches-runs', 'transactions'],
  }),
] as const;
