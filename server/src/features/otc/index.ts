export { lapseRequestsJob, otcJobs } from './jobs.ts';
export { registerOtcRoutes } from './routes.ts';
export { shownMessage, shownRequest } from './service/reading.ts';
export { findMinimumCents } from './store/minimum.ts';
export { type DeskRow, deskColumns, findMessages, type MessageRow, requestJoins } from './store/requests.ts';
