import { consolePage, panelPage } from '../../lib/routing.tsx';

const membersRoute = consolePage({
  path: '/app/member-management',
  title: 'app.menu.members',
  load: () => import('./pages/member-list.tsx'),
  texts: ['organisation', 'control'],
});

const memberAddRoute = panelPage(membersRoute, {
  path: 'add',
  load: () => import('./pages/member-add.tsx'),
  texts: ['organisation', 'control'],
});

const memberRoute = panelPage(membersRoute, {
  path: '$id',
  load: () => import('./pages/member-panel.tsx'),
  texts: ['organisation', 'control'],
});

const rolesRoute = consolePage({
  path: '/app/role-management',
  title: 'app.menu.roles',
  load: () => import('./pages/role-list.tsx'),
  texts: ['organisation', 'control'],
});

const roleAddRoute = panelPage(rolesRoute, {
  path: 'add',
  load: () => import('./pages/role-add.tsx'),
  texts: ['organisation', 'control'],
});

const roleRoute = panelPage(rolesRoute, {
  path: '$id',
  load: () => import('./pages/role-panel.tsx'),
  texts: ['organisation', 'control'],
});

export const routes = [
  consolePage({
    path: '/app/structure-management',
    title: 'app.menu.structure',
    load: () => import('./pages/structure.tsx'),
    texts: ['organisation', 'control'],
  }),
  consolePage({
    path: '/app/company-settings',
    title: 'app.menu.company',
    load: () => import('./pages/company-settings.tsx'),
    texts: ['organisation', 'control'],
  }),
  membersRoute.addChildren([memberAddRoute, memberRoute]),
  rolesRoute.addChildren([roleAddRoute, roleRoute]),
] as const;
