export { lapseRequestsJob, otcJobs } from './jobs.ts';
export { registerOtcRoutes } from './routes.ts';
export { shownMessage, shownRequest } from './service/reading.ts';
export { findMinimumCents } from './store/minimum.ts';
export { deskColumns, type DeskRow, findMessages, type MessageRow, requestJoins } from './store/requests.ts';
