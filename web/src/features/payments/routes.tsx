import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/payment',
    title: 'app.menu.payment',
    load: () => import('./pages/payment.tsx'),
    texts: ['payments', 'payees', 'payees-labels', 'transfers', 'exchange'],
  }),
  consolePage({
    path: '/app/payment/success/$id',
    title: 'app.menu.payment',
    load: () => import('./pages/payment-success.tsx'),
    texts: [
      'transactions',
      'transactions-detail',
      'transactions-payout',
      'payees-labels',
      'payments-success',
      'payments-cancel',
    ],
  }),
  consolePage({
    path: '/app/transfer-out/bank',
    title: 'app.title.transferOut',
    load: () => import('./pages/transfer-at-bank.tsx'),
    texts: ['payments', 'payees', 'payees-labels', 'transfers', 'exchange'],
  }),
  consolePage({
    path: '/app/transfer-out/bank/success/$id',
    title: 'app.title.transferOut',
    load: () => import('./pages/payment-success.tsx'),
    texts: [
      'transactions',
      'transactions-detail',
      'transactions-payout',
      'payees-labels',
      'payments-success',
      'payments-cancel',
    ],
  }),
] as const;
