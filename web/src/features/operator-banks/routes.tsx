import { consolePage } from '../../lib/routing.tsx';

export const bankRoutes = [
  consolePage({
    path: '/app/banks',
    title: 'ops.title.banks',
    load: () => import('./pages/banks.tsx'),
    texts: ['operator-banks', 'operator'],
  }),
  consolePage({
    path: '/app/banks/reconciliation',
    title: 'ops.title.bankReconciliation',
    load: () => import('./pages/reconciliation.tsx'),
    texts: ['operator-banks', 'operator'],
  }),
  consolePage({
    path: '/app/banks/files',
    title: 'ops.title.bankFiles',
    load: () => import('./pages/files.tsx'),
    texts: ['operator-banks', 'operator'],
  }),
  consolePage({
    path: '/app/banks/files/$id',
    title: 'ops.title.bankFile',
    load: () => import('./pages/file.tsx'),
    texts: ['operator-banks', 'operator'],
  }),
  consolePage({
    path: '/app/banks/moneys',
    title: 'ops.title.bankMoneys',
    load: () => import('./pages/moneys.tsx'),
    texts: ['operator-banks', 'operator'],
  }),
  consolePage({
    path: '/app/banks/moneys/$id',
    title: 'ops.title.bankMoney',
    load: () => import('./pages/money.tsx'),
    texts: ['operator-banks', 'operator'],
  }),
] as const;
