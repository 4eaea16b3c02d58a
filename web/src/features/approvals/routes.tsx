import { consolePage, panelPage } from '../../lib/routing.tsx';

const initiatedRoute = consolePage({
  path: '/app/i-initiated-approval',
  title: 'app.menu.initiated',
  load: () => import('./pages/initiated.tsx'),
  texts: ['approvals'],
});

const pendingRoute = consolePage({
  path: '/app/pending-approval',
  title: 'app.menu.pending',
  load: () => import('./pages/pending.tsx'),
  texts: ['approvals'],
});

const completedRoute = consolePage({
  path: '/app/approved',
  title: 'app.menu.completed',
  load: () => import('./pages/completed.tsx'),
  texts: ['approvals'],
});

const allRoute = consolePage({
  path: '/app/approval',
  title: 'app.menu.allApprovals',
  load: () => import('./pages/all.tsx'),
  texts: ['approvals'],
});

const initiatedPanel = panelPage(initiatedRoute, {
  path: '$id',
  load: () => import('./pages/task-panel.tsx'),
  texts: ['approvals', 'risk', 'control', 'transactions-payout', 'payees-labels'],
});

const pendingPanel = panelPage(pendingRoute, {
  path: '$id',
  load: () => import('./pages/task-panel.tsx'),
  texts: ['approvals', 'risk', 'control', 'transactions-payout', 'payees-labels'],
});

const completedPanel = panelPage(completedRoute, {
  path: '$id',
  load: () => import('./pages/task-panel.tsx'),
  texts: ['approvals', 'risk', 'control', 'transactions-payout', 'payees-labels'],
});

const allPanel = panelPage(allRoute, {
  path: '$id',
  load: () => import('./pages/task-panel.tsx'),
  texts: ['approvals', 'risk', 'control', 'transactions-payout', 'payees-labels'],
});

export const routes = [
  initiatedRoute.addChildren([initiatedPanel]),
  pendingRoute.addChildren([pendingPanel]),
  completedRoute.addChildren([completedPanel]),
  allRoute.addChildren([allPanel]),
] as const;
