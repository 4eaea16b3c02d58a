import { consolePage } from '../../lib/routing.tsx';

export const healthRoutes = [
  consolePage({
    path: '/app/health',
    title: 'ops.title.health',
    load: () => import('./pages/health.tsx'),
    texts: ['operator-health'],
  }),
  consolePage({
    path: '/app/health/verifications',
    title: 'ops.title.verifications',
    load: () => import('./pages/verifications.tsx'),
    texts: ['operator-health'],
  }),
  consolePage({
    path: '/app/health/rates',
    title: 'ops.title.rates',
    load: () => import('./pages/rates.tsx'),
    texts: ['operator-health'],
  }),
  consolePage({
    path: '/app/health/jobs',
    title: 'ops.title.failedJobs',
    load: () => import('./pages/jobs.tsx'),
    texts: ['operator-health', 'operator'],
  }),
] as const;
