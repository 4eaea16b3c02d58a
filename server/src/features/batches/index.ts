export type { DraftsPorts } from './drafts/ports.ts';
export { registerBatchReading, registerBatchRoutes } from './routes.ts';
