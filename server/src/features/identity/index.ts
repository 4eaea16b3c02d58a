export { memberName, nilCompany, permissionsOf } from './domain.ts';
export { identityEvents, type SecurityEvent, type SecurityEventKind, securityEventKinds } from './events.ts';
export { identityJobs, identitySweeps } from './jobs.ts';
export { registerIdentityRoutes } from './routes.ts';
export type { DescribePlace, DescribeSubject } from './service/core.ts';
export { createIdentity, type Identity, type IdentityOptions } from './service/identity.ts';
export { createInvitation, listInvitations, revokeInvitation } from './service/invitation.ts';
export { type Contact, findCompanyName, findContacts } from './store/members.ts';
