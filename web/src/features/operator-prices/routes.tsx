import { consolePage, panelPage } from '../../lib/routing.tsx';

const pricesRoute = consolePage({
  path: '/app/prices',
  title: 'ops.title.prices',
  load: () => import('./pages/prices.tsx'),
  texts: ['operator', 'operator-prices'],
});

const historyRoute = consolePage({
  path: '/app/price-history',
  title: 'ops.title.priceHistory',
  load: () => import('./pages/price-history.tsx'),
  texts: ['operator', 'operator-prices'],
});
const pricePanel = panelPage(historyRoute, {
  path: '$id',
  load: () => import('./pages/price-panel.tsx'),
  texts: ['operator', 'operator-prices'],
});

const announcementsRoute = consolePage({
  path: '/app/announcements',
  title: 'ops.title.announcements',
  load: () => import('./pages/announcements.tsx'),
  texts: ['operator', 'operator-prices'],
});
const announcementPanel = panelPage(announcementsRoute, {
  path: '$id',
  load: () => import('./pages/announcement-panel.tsx'),
  texts: ['operator', 'operator-prices'],
});

export const priceRoutes = [
  pricesRoute,
  historyRoute.addChildren([pricePanel]),
  consolePage({
    path: '/app/assets',
    title: 'ops.title.assets',
    load: () => import('./pages/assets.tsx'),
    texts: ['operator', 'operator-prices'],
  }),
  announcementsRoute.addChildren([announcementPanel]),
  consolePage({
    path: '/app/write-announcement',
    title: 'ops.title.writeAnnouncement',
    load: () => import('./pages/write-announcement.tsx'),
    texts: ['operator', 'operator-prices'],
  }),
] as const;
