export { describeCryptoPayoutSubject } from './crypto/describe.ts';
export { bearersFor, printedOf } from './domain.ts';
export { payoutJobs } from './jobs.ts';
export { createCryptoPayoutKind, createPayoutKind } from './kind.ts';
export { registerPaymentRoutes } from './routes.ts';
export { describePayoutSubject } from './service/describe.ts';
export { boughtFor, payoutOf } from './service/detail.ts';
export { type PayoutKinds, type PreparedPayout, preparePayouts } from './service/prepare.ts';
export { createPayoutSubject } from './service/subject.ts';
