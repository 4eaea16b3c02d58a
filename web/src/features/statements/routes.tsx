import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/wallet/statement',
    title: 'app.title.statement',
    load: () => import('./pages/statement.tsx'),
    texts: ['statements'],
  }),
  consolePage({
    path: '/app/wallet/reserves',
    title: 'app.title.reserves',
    load: () => import('./pages/reserves.tsx'),
    texts: ['statements'],
  }),
] as const;
