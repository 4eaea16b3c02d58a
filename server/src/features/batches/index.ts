export type { DraftsPorts } from './drafts/ports.ts';
export { registerBatchRoutes } from './routes.ts';
