import { consolePage, publicPage } from '../../lib/routing.tsx';

export const signInRoutes = [
  publicPage({
    path: '/sign-in',
    title: 'app.title.signIn',
    load: () => import('./pages/sign-in.tsx'),
    texts: ['identity'],
  }),
  publicPage({
    path: '/sign-up',
    title: 'app.title.signUp',
    load: () => import('./pages/sign-up.tsx'),
    texts: ['identity'],
  }),
  publicPage({
    path: '/forget',
    title: 'app.title.forget',
    load: () => import('./pages/forget.tsx'),
    texts: ['identity'],
  }),
  publicPage({
    path: '/activate',
    title: 'app.title.activate',
    load: () => import('./pages/activate.tsx'),
    texts: ['identity'],
  }),
] as const;

export const accountRoutes = [
  consolePage({
    path: '/app/account',
    title: 'app.title.security',
    load: () => import('./pages/account.tsx'),
    texts: ['identity', 'identity-account'],
  }),
] as const;
