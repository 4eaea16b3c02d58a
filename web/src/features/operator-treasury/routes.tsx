import { consolePage } from '../../lib/routing.tsx';

export const treasuryRoutes = [
  consolePage({
    path: '/app/treasury',
    title: 'ops.title.treasury',
    load: () => import('./pages/treasury.tsx'),
    texts: ['operator-treasury', 'operator'],
  }),
  consolePage({
    path: '/app/treasury/payments',
    title: 'ops.title.feePayments',
    load: () => import('./pages/payments.tsx'),
    texts: ['operator-treasury', 'operator'],
  }),
  consolePage({
    path: '/app/treasury/settlements',
    title: 'ops.title.settlements',
    load: () => import('./pages/settlements.tsx'),
    texts: ['operator-treasury', 'operator'],
  }),
  consolePage({
    path: '/app/treasury/fees/$chainId/$coin',
    title: 'ops.title.feeSources',
    load: () => import('./pages/sources.tsx'),
    texts: ['operator-treasury', 'operator'],
  }),
  consolePage({
    path: '/app/treasury/outputs',
    title: 'ops.title.outputs',
    load: () => import('./pages/outputs.tsx'),
    texts: ['operator-treasury', 'operator'],
  }),
  consolePage({
    path: '/app/treasury/outputs/$chainId/$companyId',
    title: 'ops.title.outputs',
    load: () => import('./pages/output-set.tsx'),
    texts: ['operator-treasury', 'operator'],
  }),
] as const;
