export type { Resolve } from './adapters/addresses.ts';
export { createPost } from './adapters/posting.ts';
export { webhooksCheck } from './health.ts';
export { webhookJobs, webhooksSweep } from './jobs.ts';
export { registerWebhookRoutes } from './routes.ts';
export { sealingKeys } from './secrets.ts';
export { describeWebhookSubject } from './service/content.ts';
export { startDelivering } from './service/delivering.ts';
export { noteEvent } from './service/noting.ts';
