export type { AnnouncementTexts, NoticeFact, NoticeValues } from './domain.ts';
export { noticeJobs } from './jobs.ts';
export { registerNoticesRoutes } from './routes.ts';
export { type NoticeToGive, notify, prepareNotice, publishAnnouncement, reviseNotice } from './service/giving.ts';
export { tellRuleManagers } from './service/security.ts';
export { insertNotices } from './store/giving.ts';
