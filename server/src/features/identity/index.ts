export { nilCompany } from './domain.ts';
export { identityEvents, type SecurityEvent, type SecurityEventKind } from './events.ts';
export { identityJobs } from './jobs.ts';
export { registerIdentityRoutes } from './routes.ts';
export type { DescribeSubject } from './service/core.ts';
export { createIdentity, type Identity, type IdentityOptions } from './service/identity.ts';
export { createInvitation, listInvitations, revokeInvitation } from './service/invitation.ts';
export { type Contact, findCompanyName, findContacts } from './store/members.ts';
