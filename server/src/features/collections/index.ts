export { collectionJobs, noteMissedJob, tendRequests, tendRequestsJob } from './jobs.ts';
export type { CollectionPorts } from './ports.ts';
export { registerPayPages } from './public/serve.ts';
export { registerCollectionRoutes } from './routes.ts';
export { paymentRequestOf, paymentRequestsOf } from './store/payments.ts';
export { type RequestMismatch, verifyRequests } from './store/verifying.ts';
