export { createAuthorisationVerifier, createAuthoriser } from './adapters/authorisation.ts';
export { type AuthorisationClaims, type TransferSubject, transferDigest } from './domain.ts';
export { transferEvents } from './events.ts';
export { registerTransferRoutes } from './routes.ts';
export { cancel } from './service/cancel.ts';
export { describeTransfer, type SubmitDependencies, submit, type VerifyCode } from './service/submit.ts';
