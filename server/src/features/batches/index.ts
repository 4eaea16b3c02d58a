export type { DraftsPorts } from './drafts/ports.ts';
export { registerBatchReading, registerBatchRoutes } from './routes.ts';
export { describeRun } from './runs/describe.ts';
export { batchJobs, stopMissedJob } from './runs/jobs.ts';
export { batchesOf, batchOf, runApprovalOf } from './runs/of-transaction.ts';
export { registerBatchRunRoutes } from './runs/routes.ts';
export { createRunSubject } from './runs/subject.ts';
export { registerTemplateReading, registerTemplateRoutes } from './templates/routes.ts';
export { startTemplateTurns, type TemplateTurns } from './templates/turns.ts';
