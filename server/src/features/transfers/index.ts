export { createAuthorisationVerifier, createAuthoriser } from './adapters/authorisation.ts';
export { type AuthorisationClaims, type TransferSubject, transferDigest } from './domain.ts';
export { transferEvents } from './events.ts';
export { registerTransferRoutes } from './routes.ts';
export { cancel } from './service/cancel.ts';
export { describeTransferSubject } from './service/describe.ts';
export { type SubmitDependencies, submit, type VerifyCode } from './service/submit.ts';
