export { useLatestNotices, useUnreadCount } from './api.ts';
export { noticesRoutes } from './routes.tsx';
