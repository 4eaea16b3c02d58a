export { type AnnouncementTexts, type NoticeValues, render } from './domain.ts';
export { registerNoticesRoutes } from './routes.ts';
export { notify, publishAnnouncement } from './service.ts';
