export { memberName, nilCompany, permissionsOf } from './domain.ts';
export { identityEvents, type SecurityEvent, type SecurityEventKind } from './events.ts';
export { identityJobs, identitySweeps } from './jobs.ts';
export { registerIdentityRoutes } from './routes.ts';
export type { CodeFact, ConfirmedSubjects, DescribePlace, FindCodeRecipients } from './service/dependencies.ts';
export { createIdentity, type Identity, type IdentityOptions } from './service/identity.ts';
export { createInvitation, listInvitations, revokeInvitation } from './service/invitation.ts';
export { newIdentifier, refuseAlikeName } from './service/member.ts';
export type { ProofHolder, ProofRequest, Proofs, TransactionProof } from './service/proofs.ts';
export { claimEmail, releaseEmail } from './store/lookups.ts';
export {
  changeEmail,
  insertMember,
  type MemberForm,
  markMemberDeleted,
  updateDepartment,
  updateDisabled,
  updateLeave,
  updateMember,
} from './store/member-changes.ts';
export { type Contact, findCompanyName, findContacts, findFormerContact, findMemberNames } from './store/members.ts';
export { endAllAccess } from './store/sessions.ts';
