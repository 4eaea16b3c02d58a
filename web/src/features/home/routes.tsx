import { consolePage } from '../../lib/routing.tsx';

export const homeRoutes = [
  consolePage({
    path: '/app/home',
    title: 'app.menu.home',
    load: () => import('./pages/home.tsx'),
    texts: ['home'],
  }),
] as const;
