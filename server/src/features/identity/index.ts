export { type Captcha, createCaptcha } from './captcha.ts';
export { deviceKey, deviceOf } from './devices.ts';
export {
  captchaSizeOf,
  captchaSizes,
  challengeLifetimeMs,
  codeGuardWindowMs,
  codeTries,
  defaultLimits,
  emailKey,
  type Limits,
  memberName,
  nilCompany,
  permissionsOf,
  ticketLifetimeMs,
} from './domain.ts';
export { identityEvents, type SecurityEvent, type SecurityEventKind } from './events.ts';
export { type FreezeRow, findOwnFreeze, freezeColumn, freezeReference, freezeText, sayFreeze } from './freeze.ts';
export { identityJobs, identitySweeps } from './jobs.ts';
export {
  challengeOf,
  creationOptionsOf,
  isCounterBack,
  newChallenge,
  type RelyingParty,
  relyingPartyOf,
  requestOptionsOf,
  verifyAssertion,
  verifyCreation,
} from './passkeys.ts';
export { createPasswords, type Passwords } from './passwords.ts';
export { registerIdentityRoutes } from './routes.ts';
export { judgeTotp } from './service/authenticator.ts';
export type { CodeFact, ConfirmedSubjects, DescribePlace, FindCodeRecipients } from './service/dependencies.ts';
export { createIdentity, type Identity, type IdentityOptions } from './service/identity.ts';
export {
  createInvitation,
  endInvitation,
  listInvitations,
  makeInvitation,
  revokeInvitation,
} from './service/invitation.ts';
export { newIdentifier, refuseAlikeName } from './service/member.ts';
export { openNewPassword, wordsOf } from './service/password.ts';
export type { ProofHolder, ProofRequest, Proofs, TransactionProof } from './service/proofs.ts';
export { userAgentOf } from './service/security-event.ts';
export { makeTicket, readTicket } from './service/ticket.ts';
export { type Allowance, countTry, mayTry } from './service/tries.ts';
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
export { matchTotpStep, totpEnrolment } from './totp.ts';
