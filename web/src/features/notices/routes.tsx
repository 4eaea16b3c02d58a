import { consolePage } from '../../lib/routing.tsx';

export const noticesRoutes = [
  consolePage({
    path: '/app/notice-center',
    title: 'app.title.notices',
    load: () => import('./pages/notice-center.tsx'),
    texts: ['notices'],
  }),
] as const;
