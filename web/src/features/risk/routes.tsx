import { consolePage, panelPage } from '../../lib/routing.tsx';

const policyRoute = consolePage({
  path: '/app/risk-setting/policy',
  title: 'app.menu.risk',
  load: () => import('./pages/policy.tsx'),
  texts: ['risk', 'control', 'organisation'],
});

const policyAdd = panelPage(policyRoute, {
  path: 'add',
  load: () => import('./pages/policy-add.tsx'),
  texts: ['risk', 'control', 'organisation'],
});

const policyLog = panelPage(policyRoute, {
  path: 'log',
  load: () => import('./pages/policy-log.tsx'),
  texts: ['risk', 'organisation'],
});

const policyPanel = panelPage(policyRoute, {
  path: '$id',
  load: () => import('./pages/policy-panel.tsx'),
  texts: ['risk', 'organisation'],
});

const policyEdit = panelPage(policyRoute, {
  path: '$id/edit',
  load: () => import('./pages/policy-edit.tsx'),
  texts: ['risk', 'control', 'organisation'],
});

// What its notice leads to, a transaction or none.
const stoppedPanel = panelPage(policyRoute, {
  path: 'stopped/$id',
  load: () => import('./pages/stopped.tsx'),
  texts: ['risk'],
});

const whitelistRoute = consolePage({
  path: '/app/risk-setting/whitelist',
  title: 'app.menu.risk',
  load: () => import('./pages/whitelist.tsx'),
  texts: ['risk', 'control'],
});

const blacklistRoute = consolePage({
  path: '/app/risk-setting/blacklist',
  title: 'app.menu.risk',
  load: () => import('./pages/blacklist.tsx'),
  texts: ['risk', 'control'],
});

const whitelistLog = panelPage(whitelistRoute, {
  path: 'log',
  load: () => import('./pages/list-log.tsx'),
  texts: ['risk'],
});

const blacklistLog = panelPage(blacklistRoute, {
  path: 'log',
  load: () => import('./pages/list-log.tsx'),
  texts: ['risk'],
});

const whitelistImport = panelPage(whitelistRoute, {
  path: 'import',
  load: () => import('./pages/list-import.tsx'),
  texts: ['risk', 'control'],
});

const blacklistImport = panelPage(blacklistRoute, {
  path: 'import',
  load: () => import('./pages/list-import.tsx'),
  texts: ['risk', 'control'],
});

export const routes = [
  policyRoute.addChildren([policyAdd, policyLog, policyPanel, policyEdit, stoppedPanel]),
  whitelistRoute.addChildren([whitelistLog, whitelistImport]),
  blacklistRoute.addChildren([blacklistLog, blacklistImport]),
] as const;
