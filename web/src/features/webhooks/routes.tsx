import { consolePage, panelPage } from '../../lib/routing.tsx';

const deliveriesRoute = consolePage({
  path: '/app/webhooks/deliveries',
  title: 'app.menu.webhooks',
  load: () => import('./pages/deliveries.tsx'),
  texts: ['webhooks'],
});

const deliveryRoute = panelPage(deliveriesRoute, {
  path: '$id',
  load: () => import('./pages/delivery-panel.tsx'),
  texts: ['webhooks'],
});

export const routes = [
  consolePage({
    path: '/app/webhooks',
    title: 'app.menu.webhooks',
    load: () => import('./pages/endpoints.tsx'),
    texts: ['webhooks', 'approvals'],
  }),
  deliveriesRoute.addChildren([deliveryRoute]),
  consolePage({
    path: '/app/webhooks/events',
    title: 'app.menu.webhooks',
    load: () => import('./pages/events.tsx'),
    texts: ['webhooks'],
  }),
] as const;
