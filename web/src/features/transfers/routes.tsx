import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/transfer-out',
    title: 'app.title.transferOut',
    load: () => import('./pages/transfer-out.tsx'),
    texts: ['transfers'],
  }),
  consolePage({
    path: '/app/transfer-out/success/$id',
    title: 'app.title.transferOut',
    load: () => import('./pages/transfer-success.tsx'),
    texts: ['transactions', 'transactions-detail', 'transfers', 'transfers-cancel'],
  }),
] as const;
