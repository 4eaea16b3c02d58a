import { consolePage, panelPage, publicPage } from '../../lib/routing.tsx';

export const operatorSignInRoutes = [
  publicPage({
    path: '/sign-in',
    title: 'app.title.signIn',
    load: () => import('./pages/sign-in.tsx'),
    texts: ['identity', 'operator-sign-in'],
  }),
  publicPage({
    path: '/activate',
    title: 'ops.title.activate',
    load: () => import('./pages/activate.tsx'),
    texts: ['identity', 'operator', 'operator-activate'],
  }),
] as const;

const staffRoute = consolePage({
  path: '/app/staff',
  title: 'ops.title.staff',
  load: () => import('./pages/staff.tsx'),
  texts: ['operator'],
});
const staffPanel = panelPage(staffRoute, {
  path: '$id',
  load: () => import('./pages/staff-panel.tsx'),
  texts: ['operator'],
});

const confirmationsRoute = consolePage({
  path: '/app/confirmations',
  title: 'ops.title.confirmations',
  load: () => import('./pages/confirmations.tsx'),
  texts: ['operator'],
});
const confirmationPanel = panelPage(confirmationsRoute, {
  path: '$id',
  load: () => import('./pages/confirmation-panel.tsx'),
  texts: ['operator', 'audit'],
});

const auditRoute = consolePage({
  path: '/app/audit-log',
  title: 'app.title.audit',
  load: () => import('./pages/audit-log.tsx'),
  texts: ['audit'],
});
const auditPanel = panelPage(auditRoute, {
  path: '$id',
  load: () => import('./pages/audit-panel.tsx'),
  texts: ['audit'],
});

export const operatorRoutes = [
  confirmationsRoute.addChildren([confirmationPanel]),
  staffRoute.addChildren([staffPanel]),
  auditRoute.addChildren([auditPanel]),
  consolePage({
    path: '/app/account',
    title: 'ops.title.account',
    load: () => import('./pages/account.tsx'),
    texts: ['identity', 'identity-account', 'operator'],
  }),
] as const;
