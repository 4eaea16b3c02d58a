export { refusalText, runCommand, UsageError, usage } from './command.ts';
export { registerCompanyRoutes } from './companies/routes.ts';
export { createConsole } from './console/dependencies.ts';
export { operatorJobs } from './console/jobs.ts';
export { registerConsoleRoutes } from './console/routes.ts';
export { authenticateOperator } from './console/service/own-account.ts';
export { findStaffNames } from './console/store/accounts.ts';
export { registerQueueRoutes } from './queue/routes.ts';
export { startQueue } from './queue/sweep.ts';
