import { publicPage } from '../../lib/routing.tsx';

export const legalRoutes = [
  publicPage({
    path: '/terms',
    title: 'legal.terms.title',
    load: () => import('./pages/terms.tsx'),
    texts: ['legal'],
  }),
  publicPage({
    path: '/payment-terms',
    title: 'legal.paymentTerms.title',
    load: () => import('./pages/payment-terms.tsx'),
    texts: ['legal'],
  }),
  publicPage({
    path: '/privacy',
    title: 'legal.privacy.title',
    load: () => import('./pages/privacy.tsx'),
    texts: ['legal'],
  }),
] as const;
