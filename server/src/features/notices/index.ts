export { type AnnouncementTexts, type NoticeFact, type NoticeValues, render } from './domain.ts';
export { noticeJobs } from './jobs.ts';
export { registerNoticesRoutes } from './routes.ts';
export { type NoticeToGive, notify, publishAnnouncement } from './service/giving.ts';
