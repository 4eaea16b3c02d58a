import { consolePage } from '../../lib/routing.tsx';

export const operatorCompaniesRoutes = [
  consolePage({
    path: '/app/companies',
    title: 'ops.title.companies',
    load: () => import('./pages/companies.tsx'),
    texts: ['operator-companies', 'operator'],
  }),
  consolePage({
    path: '/app/companies/$id',
    title: 'ops.title.company',
    load: () => import('./pages/company-file.tsx'),
    texts: ['operator-companies', 'operator'],
  }),
  consolePage({
    path: '/app/invitations',
    title: 'ops.title.invitations',
    load: () => import('./pages/invitations.tsx'),
    texts: ['operator-companies', 'operator'],
  }),
] as const;
