import { consolePage } from '../../lib/routing.tsx';

const path = '/app/wallet/credit-card';
const title = 'app.menu.creditCard';

export const routes = [
  consolePage({ path, title, load: () => import('./pages/cards.tsx'), texts: ['cards'] }),
  consolePage({ path: `${path}/payments`, title, load: () => import('./pages/payments.tsx'), texts: ['cards'] }),
  consolePage({
    path: `${path}/rules`,
    title,
    load: () => import('./pages/rules.tsx'),
    texts: ['cards', 'risk', 'control', 'organisation'],
  }),
  consolePage({
    path: `${path}/issue`,
    title,
    load: () => import('./pages/issue.tsx'),
    texts: ['cards', 'risk', 'control', 'organisation', 'wallets'],
  }),
  consolePage({
    path: `${path}/$id`,
    title,
    load: () => import('./pages/card.tsx'),
    texts: ['cards', 'risk', 'control'],
  }),
  consolePage({
    path: `${path}/$id/number`,
    title,
    load: () => import('./pages/number.tsx'),
    texts: ['cards', 'approvals'],
  }),
] as const;
