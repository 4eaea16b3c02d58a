export type { CardIssuer, IssuerProtocol } from './issuer.ts';
export { cardJobs, cardRemindersJob } from './jobs.ts';
export { type CardPorts, noIssuer } from './ports.ts';
export { registerCardRoutes } from './routes.ts';
export { describeCardSubject } from './service/acts.ts';
export { cardControls } from './service/controls.ts';
export { registerCardHooks } from './service/receive.ts';
export { startCardReconciling } from './service/unconfirmed.ts';
export { verifyCards } from './verify.ts';
