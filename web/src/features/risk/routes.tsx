import { consolePage, panelPage } from '../../lib/routing.tsx';

const whitelistRoute = consolePage({
  path: '/app/risk-setting/whitelist',
  title: 'app.menu.risk',
  load: () => import('./pages/whitelist.tsx'),
  texts: ['risk'],
});

const blacklistRoute = consolePage({
  path: '/app/risk-setting/blacklist',
  title: 'app.menu.risk',
  load: () => import('./pages/blacklist.tsx'),
  texts: ['risk'],
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
  texts: ['risk'],
});

const blacklistImport = panelPage(blacklistRoute, {
  path: 'import',
  load: () => import('./pages/list-import.tsx'),
  texts: ['risk'],
});

export const routes = [
  whitelistRoute.addChildren([whitelistLog, whitelistImport]),
  blacklistRoute.addChildren([blacklistLog, blacklistImport]),
] as const;
