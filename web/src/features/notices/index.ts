export { useLatestNotices, useUnreadCount } from './api.ts';
