import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { encryptedPassword, verificationCode } from './identity.ts';
import { passkeyNameMaxLength } from './identity-rules.ts';
import { id, instant } from './ids.ts';
import { name } from './names.ts';
import { operatorFactors } from './operator-rules.ts';
import { creationOptions, registrationResponse } from './webauthn.ts';

/** How an operator signs in, as its owner changes it, and where they are signed in. Part of the feature operator. */

/** What a password that is being set may be refused with. */
export const newOperatorPasswordErrors = [
  'passwordRule',
  'passwordCommon',
  'passwordPersonal',
  'passwordUndecipherable',
] as const;
const passkeyName = name(passkeyNameMaxLength);

/** A change of one's own sign-in is proved by the current password and a code of the authenticator, which serves once. */
const ownProof = { currentPassword: encryptedPassword, code: verificationCode };
const ownProofErrors = ['passwordWrong', 'passwordUndecipherable', 'codeWrong', 'codeBurnt'] as const;

export const changeOperatorPassword = call({
  name: 'changeOperatorPassword',
  method: 'PUT',
  path: '/operator/password',
  summary: 'Changes the password; ends every other session.',
  access: 'operator',
  body: z.strictObject({ ...ownProof, newPassword: encryptedPassword }),
  output: nothing,
  errors: [...ownProofErrors, 'passwordSame', ...newOperatorPasswordErrors],
});

export const operatorPasskey = z.object({
  id,
  name: z.string(),
  createdAt: instant,
  lastUsedAt: z.nullable(instant),
  /** Its signature counter went backwards: the passkey may have been copied. It is refused until it is removed. */
  suspected: z.boolean(),
});
export type OperatorPasskey = z.output<typeof operatorPasskey>;

export const listOperatorPasskeys = call({
  name: 'listOperatorPasskeys',
  method: 'GET',
  path: '/operator/passkey',
  summary: 'The passkeys of the operator signed in, the newest first.',
  access: 'operator',
  output: z.array(operatorPasskey),
  errors: [],
});

export const startOperatorPasskey = call({
  name: 'startOperatorPasskey',
  method: 'POST',
  path: '/operator/passkey/options',
  summary: 'Proves the operator and returns what the browser needs to make a passkey; good for one within 5 minutes.',
  access: 'operator',
  body: z.strictObject(ownProof),
  output: creationOptions,
  errors: [...ownProofErrors, 'tooManyPasskeys'],
});

export const addOperatorPasskey = call({
  name: 'addOperatorPasskey',
  method: 'POST',
  path: '/operator/passkey',
  summary: 'Registers the passkey that the browser made.',
  access: 'operator',
  body: z.strictObject({ name: passkeyName, response: registrationResponse }),
  output: operatorPasskey,
  errors: ['passkeyRefused', 'passkeyExpired', 'passkeyExists', 'tooManyPasskeys'],
});

export const removeOperatorPasskey = call({
  name: 'removeOperatorPasskey',
  method: 'DELETE',
  path: '/operator/passkey/{id}',
  summary: 'Removes a passkey; it signs in no more.',
  access: 'operator',
  params: z.object({ id }),
  body: z.strictObject(ownProof),
  output: nothing,
  errors: [...ownProofErrors],
});

export const operatorSession = z.object({
  id,
  isCurrent: z.boolean(),
  ip: z.string(),
  /** In words that need no translation (product names); null when the browser did not say. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  factor: z.enum(operatorFactors),
  createdAt: instant,
  lastSeenAt: instant,
});
export type OperatorSession = z.output<typeof operatorSession>;

export const listOperatorSessions = call({
  name: 'listOperatorSessions',
  method: 'GET',
  path: '/operator/session',
  summary: 'The sessions of the operator signed in, this one first.',
  access: 'operator',
  output: z.array(operatorSession),
  errors: [],
});

export const endOperatorSession = call({
  name: 'endOperatorSession',
  method: 'DELETE',
  path: '/operator/session/{id}',
  summary: 'Ends one of one’s own sessions.',
  access: 'operator',
  params: z.object({ id }),
  output: nothing,
  errors: [],
});
