import { consolePage, panelPage } from '../../lib/routing.tsx';

const membersRoute = consolePage({
  path: '/app/member-management',
  title: 'app.menu.members',
  load: () => import('./pages/member-list.tsx'),
  texts: ['organisation', 'organisation-people', 'control'],
});

const memberAddRoute = panelPage(membersRoute, {
  path: 'add',
  load: () => import('./pages/member-add.tsx'),
  texts: ['organisation', 'organisation-people', 'control'],
});

const memberRoute = panelPage(membersRoute, {
  path: '$id',
  load: () => import('./pages/member-panel.tsx'),
  texts: ['organisation', 'organisation-people', 'control'],
});

const rolesRoute = consolePage({
  path: '/app/role-management',
  title: 'app.menu.roles',
  load: () => import('./pages/role-list.tsx'),
  texts: ['organisation', 'organisation-people', 'control'],
});

const roleAddRoute = panelPage(rolesRoute, {
  path: 'add',
  load: () => import('./pages/role-add.tsx'),
  texts: ['organisation', 'organisation-people', 'control'],
});

const roleRoute = panelPage(rolesRoute, {
  path: '$id',
  load: () => import('./pages/role-panel.tsx'),
  texts: ['organisation', 'organisation-people', 'control'],
});

export const routes = [
  consolePage({
    path: '/app/structure-management',
    title: 'app.menu.structure',
    load: () => import('./pages/structure.tsx'),
    texts: ['organisation', 'organisation-people', 'control'],
  }),
  consolePage({
    path: '/app/company-settings',
    title: 'app.menu.company',
    load: () => import('./pages/company-settings.tsx'),
    texts: ['organisation', 'organisation-people', 'control'],
  }),
  membersRoute.addChildren([memberAddRoute, memberRoute]),
  rolesRoute.addChildren([roleAddRoute, roleRoute]),
] as const;
