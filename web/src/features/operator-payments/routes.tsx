import { consolePage } from '../../lib/routing.tsx';

export const operatorPaymentsRoutes = [
  consolePage({
    path: '/app/payments',
    title: 'ops.title.payments',
    load: () => import('./pages/payment-list.tsx'),
    texts: ['operator-payments', 'transactions'],
  }),
  consolePage({
    path: '/app/payments/$id',
    title: 'ops.title.payment',
    load: () => import('./pages/payment.tsx'),
    texts: ['operator-payments', 'operator', 'audit', 'transactions', 'transactions-detail'],
  }),
] as const;
