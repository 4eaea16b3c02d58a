export { alertJobs } from './jobs.ts';
export { registerAlertsRoutes } from './routes.ts';
export { digestJob } from './service/digest.ts';
export { startRateAlerts } from './service/rate-alerts.ts';
