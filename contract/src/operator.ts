import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { email, encryptedPassword, getPasswordKey, prepareCaptcha, verificationCode } from './identity.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { languages } from './locale.ts';
import { name } from './names.ts';
import { newOperatorPasswordErrors } from './operator-account.ts';
import {
  actStates,
  operatorFactors,
  operatorNameMaxLength,
  operatorPermissions,
  operatorReasonMaxLength,
  operatorRoles,
  operatorStates,
  proposalKinds,
  proposalStates,
} from './operator-rules.ts';
import { assertionResponse, requestOptions } from './webauthn.ts';

/**
 * The calls of the operator's own process (`operator-main`), for the people of the firm that runs the installation. A company's
 * process serves none of them, and this one serves no call of a company (docs/adr/0069-…).
 */

export * from './operator-account.ts';
export * from './operator-rules.ts';

const ticket = z.string('field.required').check(z.minLength(1, 'field.required'), z.maxLength(256, 'field.tooLong'));
const language = z.enum(languages);
const personName = name(operatorNameMaxLength);
/** Why something is done; kept in the audit log and shown to those whom it concerns. */
export const operatorReason = text(operatorReasonMaxLength).check(z.trim(), z.minLength(1, 'field.required'));

export const operatorCaptcha = call({
  name: 'operatorCaptcha',
  method: 'POST',
  path: '/operator/captcha',
  summary: 'A proof-of-work challenge for a sign-in; it grows with failed tries.',
  access: 'public',
  body: z.strictObject({ email }),
  output: prepareCaptcha.output,
  errors: [],
});

export const operatorPasswordKey = call({
  name: 'operatorPasswordKey',
  method: 'GET',
  path: '/operator/password-key',
  summary: 'The public key (JWK) to which the browser encrypts passwords, and the longest password.',
  access: 'public',
  output: getPasswordKey.output,
  errors: [],
});

export const operatorLogin = call({
  name: 'operatorLogin',
  method: 'POST',
  path: '/operator/login',
  summary:
    'First step: email and password. It never gives a session: the ticket is sent back with a code of the authenticator or a passkey.',
  access: 'public',
  body: z.strictObject({
    email,
    password: encryptedPassword,
    captcha: z.optional(z.string().check(z.maxLength(4096, 'field.captcha'))),
  }),
  output: z.object({ ticket: z.string(), factors: z.array(z.enum(operatorFactors)) }),
  errors: ['loginFailed', 'passwordUndecipherable', 'captchaRequired', 'captchaFailed'],
});

/** A session: the token is sent as `Authorization: Bearer …`. */
const signedIn = z.object({ accessToken: z.string() });

export const operatorLoginCode = call({
  name: 'operatorLoginCode',
  method: 'POST',
  path: '/operator/login/code',
  summary: 'Second step by a code of the authenticator, which serves once.',
  access: 'public',
  body: z.strictObject({ ticket, code: verificationCode }),
  output: signedIn,
  errors: ['codeWrong', 'codeRequestBurnt', 'signInExpired'],
});

export const operatorLoginPasskeyOptions = call({
  name: 'operatorLoginPasskeyOptions',
  method: 'POST',
  path: '/operator/login/passkey-options',
  summary: 'What the browser needs to answer the second step by passkey; each answer serves once, within 5 minutes.',
  access: 'public',
  body: z.strictObject({ ticket }),
  output: requestOptions,
  errors: ['signInExpired', 'passkeyNone'],
});

export const operatorLoginPasskey = call({
  name: 'operatorLoginPasskey',
  method: 'POST',
  path: '/operator/login/passkey',
  summary: 'Second step by passkey.',
  access: 'public',
  body: z.strictObject({ ticket, response: assertionResponse }),
  output: signedIn,
  errors: ['signInExpired', 'passkeyRefused', 'passkeyExpired', 'passkeySuspected'],
});

export const checkOperatorActivation = call({
  name: 'checkOperatorActivation',
  method: 'POST',
  path: '/operator/activation/check',
  summary:
    'Whose account the link of an invitation or reset opens, and a fresh secret for an authenticator (RFC 6238); uses nothing up.',
  access: 'public',
  body: z.strictObject({ token: ticket }),
  output: z.object({
    name: z.string(),
    email: z.string(),
    role: z.enum(operatorRoles),
    language,
    expiresAt: instant,
    /** base32, and the same as an `otpauth://` address for the QR code. The same for each check of one link. */
    secret: z.string(),
    uri: z.string(),
  }),
  errors: ['activationInvalid'],
});

export const activateOperator = call({
  name: 'activateOperator',
  method: 'POST',
  path: '/operator/activation',
  summary:
    'Sets the password and binds the authenticator, whose code proves it; the link serves once. Ends every earlier session.',
  access: 'public',
  body: z.strictObject({ token: ticket, password: encryptedPassword, code: verificationCode }),
  output: nothing,
  errors: ['activationInvalid', 'codeWrong', ...newOperatorPasswordErrors],
});

export const operator = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(operatorRoles),
  state: z.enum(operatorStates),
  language,
  createdAt: instant,
  lastSignInAt: z.nullable(instant),
});
export type Operator = z.output<typeof operator>;

export const getOperator = call({
  name: 'getOperator',
  method: 'GET',
  path: '/operator/me',
  summary: 'The operator signed in.',
  access: 'operator',
  output: z.extend(operator, {
    permissions: z.array(z.enum(operatorPermissions)),
    /** Proposals that this operator may decide on. */
    openProposals: z.number(),
  }),
  errors: [],
});

export const operatorLogout = call({
  name: 'operatorLogout',
  method: 'POST',
  path: '/operator/logout',
  summary: 'Ends this session.',
  access: 'operator',
  output: nothing,
  errors: [],
});

export const reportOperatorActivity = call({
  name: 'reportOperatorActivity',
  method: 'POST',
  path: '/operator/activity',
  summary: 'Says that the person is at the keyboard.',
  access: 'operator',
  output: nothing,
  errors: [],
});

export const setOperatorLanguage = call({
  name: 'setOperatorLanguage',
  method: 'PUT',
  path: '/operator/language',
  summary: 'Changes the language of the operator signed in, on screen and in mails.',
  access: 'operator',
  body: z.strictObject({ language }),
  output: nothing,
  errors: [],
});

export const listOperators = call({
  name: 'listOperators',
  method: 'GET',
  path: '/operator/staff',
  summary: 'The people of the operator, by name.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    /** This person alone: for the page that a link to a colleague opens. */
    id: z.optional(id),
    state: z.optional(z.enum(operatorStates)),
    role: z.optional(z.enum(operatorRoles)),
    keyword: z.optional(text(100)),
  }),
  output: page(operator),
  errors: ['cursorInvalid'],
});

/** What a proposal to take on a colleague, or to give one another role, says. */
export const staffInvitation = z.strictObject({ name: personName, email, role: z.enum(operatorRoles), language });
export const staffRole = z.strictObject({ role: z.enum(operatorRoles) });

export const proposeStaff = call({
  name: 'proposeStaff',
  method: 'POST',
  path: '/operator/staff',
  summary:
    'Proposes to invite a colleague; the mail with the link goes out when another administrator has confirmed it.',
  access: 'operator.staff',
  body: z.strictObject({ id, ...staffInvitation.shape, reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['idTaken', 'operatorExists', 'proposalOpen'],
});

export const proposeStaffRole = call({
  name: 'proposeStaffRole',
  method: 'PUT',
  path: '/operator/staff/{id}/role',
  summary:
    'Proposes another role for a colleague. One that allows less takes effect at once, and no proposal remains to be confirmed.',
  access: 'operator.staff',
  params: z.object({ id }),
  body: z.strictObject({ ...staffRole.shape, reason: operatorReason }),
  output: z.object({ proposalId: z.nullable(id) }),
  errors: ['operatorSelf', 'operatorLastAdministrator', 'proposalOpen', 'nothingChanges'],
});

export const disableStaff = call({
  name: 'disableStaff',
  method: 'POST',
  path: '/operator/staff/{id}/disable',
  summary: 'Takes a colleague’s access away at once and ends their sessions.',
  access: 'operator.staff',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['operatorSelf', 'operatorLastAdministrator', 'nothingChanges'],
});

export const proposeStaffReactivation = call({
  name: 'proposeStaffReactivation',
  method: 'POST',
  path: '/operator/staff/{id}/reactivate',
  summary: 'Proposes that a disabled colleague may sign in again.',
  access: 'operator.staff',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['operatorSelf', 'proposalOpen', 'nothingChanges'],
});

export const proposeStaffReset = call({
  name: 'proposeStaffReset',
  method: 'POST',
  path: '/operator/staff/{id}/reset',
  summary:
    'Proposes a new link by which a colleague sets password and authenticator anew; passkeys and sessions end when it is confirmed.',
  access: 'operator.staff',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: ['operatorSelf', 'operatorDisabled', 'proposalOpen'],
});

/** A line of what a proposal changes, in the reader's language. */
const difference = z.object({ label: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) });

export const proposal = z.object({
  id,
  kind: z.enum(proposalKinds),
  state: z.enum(proposalStates),
  /** What would be done, as a sentence. */
  title: z.string(),
  subject: z.object({ kind: z.string(), id: z.string(), name: z.nullable(z.string()) }),
  reason: z.string(),
  proposedBy: z.object({ id, name: z.string() }),
  proposedAt: instant,
  expiresAt: instant,
  decidedBy: z.nullable(z.object({ id, name: z.string() })),
  decidedAt: z.nullable(instant),
  decisionReason: z.nullable(z.string()),
  /** Whether the reader may decide: not one's own, with the permission of its kind, while it is open. */
  canDecide: z.boolean(),
  canWithdraw: z.boolean(),
});
export type Proposal = z.output<typeof proposal>;

export const listProposals = call({
  name: 'listProposals',
  method: 'GET',
  path: '/operator/proposal',
  summary: 'What operators proposed, newest first.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    state: z.optional(z.enum(proposalStates)),
    kind: z.optional(z.enum(proposalKinds)),
    /** Those that the reader may decide on. */
    mine: z.optional(z.literal('decide')),
  }),
  output: page(proposal),
  errors: ['cursorInvalid'],
});

export const getProposal = call({
  name: 'getProposal',
  method: 'GET',
  path: '/operator/proposal/{id}',
  summary: 'One proposal with what it changes, before and after.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.extend(proposal, {
    changes: z.array(difference),
    /** Of an open one: what it rests on has changed since, or its proposer may propose it no more. A confirmation is refused. */
    outdated: z.boolean(),
    /** Over what the reader saw: sent back with the decision, so that what has changed meanwhile is not confirmed. */
    digest: z.string(),
    /** What the worker carries out after the confirmation; null where it is done in the confirmation itself, or not confirmed. */
    act: z.nullable(
      z.object({
        state: z.enum(actStates),
        endedAt: z.nullable(instant),
        /** Why it was refused, in the reader's language. */
        refusal: z.nullable(z.string()),
      }),
    ),
  }),
  errors: [],
});

export const confirmProposal = call({
  name: 'confirmProposal',
  method: 'POST',
  path: '/operator/proposal/{id}/confirm',
  summary:
    'Confirms what a colleague proposed: it is done in the same transaction, or recorded there for the worker, which does it at once. Proved by a code of the authenticator, which serves once.',
  access: 'operator.confirm',
  params: z.object({ id }),
  body: z.strictObject({ digest: z.string().check(z.maxLength(128, 'field.tooLong')), code: verificationCode }),
  output: nothing,
  errors: [
    'proposalOwn',
    'operatorSelf',
    'proposalDecided',
    'proposalStale',
    'proposalExpired',
    'codeWrong',
    'codeBurnt',
  ],
});

export const rejectProposal = call({
  name: 'rejectProposal',
  method: 'POST',
  path: '/operator/proposal/{id}/reject',
  summary: 'Rejects what a colleague proposed, with a reason.',
  access: 'operator.confirm',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['proposalOwn', 'operatorSelf', 'proposalDecided', 'proposalExpired'],
});

export const withdrawProposal = call({
  name: 'withdrawProposal',
  method: 'POST',
  path: '/operator/proposal/{id}/withdraw',
  summary: 'Takes back what one proposed oneself.',
  access: 'operator',
  params: z.object({ id }),
  output: nothing,
  errors: ['proposalDecided', 'proposalExpired', 'noPermission'],
});
