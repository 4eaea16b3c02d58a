import { consolePage } from '../../lib/routing.tsx';

export const routes = [
  consolePage({
    path: '/app/wallet/statement',
    title: 'app.title.statement',
    load: () => import('./pages/statement.tsx'),
    texts: ['statements'],
  }),
] as const;
