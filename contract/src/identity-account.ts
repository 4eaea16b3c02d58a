import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { readMobile } from './calling-codes.ts';
import { encryptedPassword, loginAnswer, verificationCode } from './identity.ts';
import { passkeyNameMaxLength, securityActions } from './identity-rules.ts';
import { id, instant, text } from './ids.ts';
import { name, optionalName } from './names.ts';
import { isPersonName, personNameMaxLength } from './person-names.ts';
import { assertionResponse, creationOptions, registrationResponse, requestOptions } from './webauthn.ts';

/** "My account": what the person signed in sees and changes of their own access. Part of the feature identity. */

/** However it was typed: case, spaces and hyphens do not matter. */
export const recoveryCode = z
  .string('field.recoveryCode')
  .check(z.minLength(1, 'field.recoveryCode'), z.maxLength(64, 'field.recoveryCode'));

/** What a code of the subject `security` confirms; `id`: the passkey that is to be removed. */
export const securityContent = z.strictObject({ action: z.enum(securityActions), id: z.optional(id) });
export type SecurityContent = z.output<typeof securityContent>;

/**
 * What proves a change of one's own sign-in (docs/adr/0017): a code of the authenticator, or a recovery code, or else a code by
 * mail (`sendUserCode`, subject `security`) with the password, because who sits at an unlocked computer often has the mail too.
 */
export const securityProof = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('otp_auth'), code: verificationCode }),
  z.strictObject({ method: z.literal('recovery'), recoveryCode }),
  z.strictObject({ method: z.literal('email'), code: verificationCode, password: encryptedPassword }),
]);
export type SecurityProof = z.output<typeof securityProof>;

const proofErrors = [
  'codeWrong',
  'codeBurnt',
  'transferCodeMismatch',
  'recoveryCodeWrong',
  'mfaNotBound',
  'passwordWrong',
  'passwordUndecipherable',
] as const;

const isName = z.refine<string>((value) => value === '' || isPersonName(value), { error: 'field.personName' });
const mobileNumber = z.nullable(text(32).check(z.trim(), z.minLength(1, 'field.required')));

export const updateUser = call({
  name: 'updateUser',
  method: 'PUT',
  path: '/web/user',
  summary: 'Changes name and mobile number of the person signed in; no number is null, with its country code.',
  access: 'signed-in',
  body: z
    .strictObject({
      firstName: name(personNameMaxLength).check(isName),
      /** May be empty: not everybody has two names. */
      lastName: optionalName(personNameMaxLength).check(isName),
      mobileCountryCode: z.nullable(text(8).check(z.minLength(1, 'field.required'))),
      mobile: mobileNumber,
    })
    .check(
      z.refine(({ mobileCountryCode: code, mobile }) => (code === null) === (mobile === null), {
        error: 'field.mobile',
        path: ['mobile'],
      }),
      z.refine(({ mobileCountryCode: code }) => code === null || readMobile(code, '0') !== 'countryCode', {
        error: 'field.callingCode',
        path: ['mobileCountryCode'],
      }),
      z.refine(
        ({ mobileCountryCode: code, mobile }) => mobile === null || readMobile(code ?? '', mobile) !== 'number',
        {
          error: 'field.mobile',
          path: ['mobile'],
        },
      ),
    ),
  output: nothing,
  errors: ['nameAlike'],
});

export const unbindMfa = call({
  name: 'unbindMfa',
  method: 'POST',
  path: '/web/user/mfa/unbind',
  summary: 'Unbinds the authenticator; its recovery codes are void from then on.',
  access: 'signed-in',
  confirms: 'security',
  body: z.strictObject({ proof: securityProof }),
  output: nothing,
  errors: [...proofErrors],
});

export const getRecoveryCodes = call({
  name: 'getRecoveryCodes',
  method: 'GET',
  path: '/web/user/recovery-codes',
  summary: 'How many recovery codes are left, never the codes themselves; `createdAt` is null while there are none.',
  access: 'signed-in',
  output: z.object({ left: z.number(), total: z.number(), createdAt: z.nullable(instant) }),
  errors: [],
});

export const renewRecoveryCodes = call({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/web/user/recovery-codes',
  summary: 'Ten new recovery codes, shown this once; all earlier ones are void. Needs a bound authenticator.',
  access: 'signed-in',
  confirms: 'security',
  body: z.strictObject({ proof: securityProof }),
  output: z.object({ codes: z.array(z.string()) }),
  errors: [...proofErrors],
});

export const passkey = z.object({
  id,
  name: z.string(),
  createdAt: instant,
  lastUsedAt: z.nullable(instant),
  /** Kept in sync between devices by its provider, so it outlives the loss of one. */
  synced: z.boolean(),
  /** Its signature counter went backwards: the passkey may have been copied. It is refused until it is removed. */
  suspected: z.boolean(),
});
export type Passkey = z.output<typeof passkey>;

const passkeyName = name(passkeyNameMaxLength);

export const listPasskeys = call({
  name: 'listPasskeys',
  method: 'GET',
  path: '/web/user/passkey',
  summary: 'The passkeys of the person signed in, the newest first.',
  access: 'signed-in',
  output: z.array(passkey),
  errors: [],
});

export const startPasskey = call({
  name: 'startPasskey',
  method: 'POST',
  path: '/web/user/passkey/options',
  summary:
    'Proves the person and answers what the browser needs to make a passkey; good for one passkey within 5 minutes.',
  access: 'signed-in',
  confirms: 'security',
  body: z.strictObject({ proof: securityProof }),
  output: creationOptions,
  errors: [...proofErrors, 'tooManyPasskeys'],
});

export const addPasskey = call({
  name: 'addPasskey',
  method: 'POST',
  path: '/web/user/passkey',
  summary: 'Registers the passkey that the browser made.',
  access: 'signed-in',
  body: z.strictObject({ name: passkeyName, response: registrationResponse }),
  output: passkey,
  errors: ['passkeyRefused', 'passkeyExpired', 'passkeyExists', 'tooManyPasskeys'],
});

export const renamePasskey = call({
  name: 'renamePasskey',
  method: 'PUT',
  path: '/web/user/passkey/{id}',
  summary: 'Renames a passkey.',
  access: 'signed-in',
  params: z.object({ id }),
  body: z.strictObject({ name: passkeyName }),
  output: nothing,
  errors: [],
});

export const removePasskey = call({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/web/user/passkey/{id}',
  summary: 'Removes a passkey; it signs in no more.',
  access: 'signed-in',
  confirms: 'security',
  params: z.object({ id }),
  body: z.strictObject({ proof: securityProof }),
  output: nothing,
  errors: [...proofErrors],
});

export const startPasskeyLogin = call({
  name: 'startPasskeyLogin',
  method: 'POST',
  path: '/web/user/login/passkey-options',
  summary:
    'What the browser needs to answer the second step of sign-in by passkey; each answer serves once, within 5 minutes.',
  access: 'public',
  body: z.strictObject({ ticket: z.string().check(z.maxLength(256, 'field.tooLong')) }),
  output: requestOptions,
  errors: ['signInExpired', 'passkeyNone'],
});

export const loginWithPasskey = call({
  name: 'loginWithPasskey',
  method: 'POST',
  path: '/web/user/login/passkey',
  summary: 'The second step of sign-in by passkey instead of a code.',
  access: 'public',
  body: z.strictObject({
    ticket: z.string().check(z.maxLength(256, 'field.tooLong')),
    response: assertionResponse,
    skipVerification: z.optional(z.boolean()),
  }),
  output: loginAnswer,
  errors: ['signInExpired', 'passkeyRefused', 'passkeyExpired', 'passkeySuspected'],
});

/** In words that need no translation (product names); null when the browser did not say. */
const device = { browser: z.nullable(z.string()), system: z.nullable(z.string()) };

export const userSession = z.object({
  id,
  ...device,
  ip: z.string(),
  createdAt: instant,
  lastActiveAt: instant,
  /** The one that asks. */
  current: z.boolean(),
});
export type UserSession = z.output<typeof userSession>;

export const listSessions = call({
  name: 'listSessions',
  method: 'GET',
  path: '/web/user/session',
  summary: 'Where the person is signed in now; the asking session first, then by activity.',
  access: 'signed-in',
  output: z.array(userSession),
  errors: [],
});

export const endSession = call({
  name: 'endSession',
  method: 'DELETE',
  path: '/web/user/session/{id}',
  summary: 'Signs one session out; its next request is refused.',
  access: 'signed-in',
  params: z.object({ id }),
  output: nothing,
  errors: [],
});

export const endOtherSessions = call({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/web/user/session',
  summary: 'Signs every other session out.',
  access: 'signed-in',
  output: z.object({ ended: z.number() }),
  errors: [],
});

export const trustedBrowser = z.object({
  id,
  ...device,
  createdAt: instant,
  lastUsedAt: z.nullable(instant),
  expiresAt: instant,
});
export type TrustedBrowser = z.output<typeof trustedBrowser>;

export const listTrustedBrowsers = call({
  name: 'listTrustedBrowsers',
  method: 'GET',
  path: '/web/user/trusted-browser',
  summary: 'The browsers in which verification may be skipped for 30 days, the newest first.',
  access: 'signed-in',
  output: z.array(trustedBrowser),
  errors: [],
});

export const removeTrustedBrowser = call({
  name: 'removeTrustedBrowser',
  method: 'DELETE',
  path: '/web/user/trusted-browser/{id}',
  summary: 'Asks this browser for verification again.',
  access: 'signed-in',
  params: z.object({ id }),
  output: nothing,
  errors: [],
});

export const removeTrustedBrowsers = call({
  name: 'removeTrustedBrowsers',
  method: 'DELETE',
  path: '/web/user/trusted-browser',
  summary: 'Asks every browser for verification again.',
  access: 'signed-in',
  output: z.object({ removed: z.number() }),
  errors: [],
});
