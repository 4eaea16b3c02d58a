import * as z from 'zod/mini';
import { runContentErrors } from './batch-runs-rules.ts';
import { call, nothing } from './call.ts';
import { frozen } from './freeze.ts';
import { codeSubjects } from './identity-rules.ts';
import { id, instant } from './ids.ts';
import { languages } from './locale.ts';
import { name, optionalName } from './names.ts';
import { permissions } from './permission.ts';
import { isPersonName, personNameMaxLength } from './person-names.ts';

export * from './identity-rules.ts';

export const email = z
  .string('field.emailRequired')
  .check(z.trim(), z.minLength(1, 'field.emailRequired'), z.maxLength(254, 'field.email'), z.email('field.email'));

/** A password as JWE (compact, RSA-OAEP-256 with A256GCM) to the key of `GET /common/password-key`. */
export const encryptedPassword = z
  .string('field.passwordRequired')
  .check(z.minLength(1, 'field.passwordRequired'), z.maxLength(4096, 'field.tooLong'));

export const verificationCode = z.string('field.code').check(z.regex(/^\d{6}$/, 'field.code'));

export const loginMethods = ['phone', 'email', 'otp_auth'] as const;
export type LoginMethod = (typeof loginMethods)[number];
/** How a signed-in person proves a sensitive step: a code by email or from the authenticator. */
export const codeMethods = ['email', 'otp_auth'] as const;
export type CodeMethod = (typeof codeMethods)[number];

export const codeScenarios = ['register', 'login', 'forget', 'update_psd', 'transaction'] as const;
export type CodeScenario = (typeof codeScenarios)[number];

/** A subject as `sendUserCode` takes it; `codeContents` has the schema of each kind's content. */
export const codeSubjectOf = z.strictObject({ kind: z.enum(codeSubjects), content: z.record(z.string(), z.unknown()) });

/** What a password that is being set may be refused with. */
const newPasswordErrors = ['passwordRule', 'passwordCommon', 'passwordPersonal', 'passwordUndecipherable'] as const;

/** The solved proof-of-work challenge of `/common/captcha`, base64 as ALTCHA defines it. */
const captcha = z.string('field.captcha').check(z.minLength(1, 'field.captcha'), z.maxLength(4096, 'field.captcha'));
const language = z.enum(languages);

/** `resendAfterMs`: when another code may be asked for; `expiresAfterMs`: how long the code holds. */
const codeSent = z.object({ resendAfterMs: z.number(), expiresAfterMs: z.number() });
/** A code serves with the ticket of its request alone, which the mail does not show. */
const codeSentToTicket = z.extend(codeSent, { ticket: z.string() });
const ticket = z.string('field.required').check(z.minLength(1, 'field.required'), z.maxLength(256, 'field.tooLong'));

const isName = z.refine<string>((value) => value === '' || isPersonName(value), { error: 'field.personName' });

export const user = z.object({
  id,
  identifierId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  legalName: z.string(),
  companyId: id,
  companyName: z.string(),
  language,
  roleId: id,
  /** The role's name; a system role's is in the reader's language. */
  role: z.string(),
  department: z.nullable(z.object({ id, name: z.string() })),
  /** Digits without the plus sign, and the national number; null when none was given. */
  mobileCountryCode: z.nullable(z.string()),
  mobile: z.nullable(z.string()),
  permissions: z.array(z.enum(permissions)),
  hasOtp: z.boolean(),
  createdAt: instant,
  lastLoginAt: z.nullable(instant),
  /** Set by the operator: nothing leaves, and what widens waits. */
  companyFrozen: z.nullable(frozen),
  /** The reader is an operator who looks at the company, and until when; null for a member. */
  look: z.nullable(z.object({ until: instant })),
});
export type User = z.output<typeof user>;

export const getCaptcha = call({
  name: 'getCaptcha',
  method: 'GET',
  path: '/common/captcha',
  summary: 'A proof-of-work challenge in the format of ALTCHA; each solution serves once.',
  access: 'public',
  output: z.object({
    algorithm: z.string(),
    challenge: z.string(),
    maxnumber: z.number(),
    salt: z.string(),
    signature: z.string(),
  }),
  errors: [],
});

export const prepareCaptcha = call({
  name: 'prepareCaptcha',
  method: 'POST',
  path: '/common/captcha',
  summary:
    'A challenge as large as this step asks for now: it grows with failed tries, and answers alike whether or not the email is known.',
  access: 'public',
  body: z.strictObject({ scenario: z.enum(['login', 'register', 'forget']), email }),
  output: getCaptcha.output,
  errors: [],
});

export const getPasswordKey = call({
  name: 'getPasswordKey',
  method: 'GET',
  path: '/common/password-key',
  summary: "The server's public key (JWK) to which the browser encrypts passwords, and the password rule in force.",
  access: 'public',
  output: z.object({ key: z.record(z.string(), z.unknown()), maxLength: z.number() }),
  errors: [],
});

export const sendRegisterCode = call({
  name: 'sendRegisterCode',
  method: 'POST',
  path: '/common/send-register-code',
  summary: 'Mails a sign-up code; answers alike whether or not the email is known.',
  access: 'public',
  body: z.strictObject({ email, captcha }),
  output: codeSentToTicket,
  errors: ['captchaFailed', 'codeTooSoon'],
});

export const sendCode = call({
  name: 'sendCode',
  method: 'POST',
  path: '/common/send-code',
  summary:
    'Mails a code to a person who is not signed in: for sign-in (with the ticket of the first step) or a forgotten password (with a captcha). After many requests for one address the mail has a link instead.',
  access: 'public',
  body: z.discriminatedUnion('scenario', [
    z.strictObject({ scenario: z.literal('login'), ticket: z.string().check(z.maxLength(256, 'field.tooLong')) }),
    z.strictObject({ scenario: z.literal('forget'), email, captcha }),
  ]),
  output: codeSentToTicket,
  errors: ['captchaFailed', 'codeTooSoon', 'codeRequestBurnt', 'signInExpired'],
});

export const sendUserCode = call({
  name: 'sendUserCode',
  method: 'POST',
  path: '/common/user/send-code',
  summary:
    'Mails a code to the person signed in, with the permission of the call that it is for. For a transaction the code is bound to the digest of its content.',
  access: 'signed-in',
  body: z.discriminatedUnion('scenario', [
    z.strictObject({ scenario: z.literal('update_psd') }),
    z.strictObject({
      scenario: z.literal('transaction'),
      /** What the code will confirm; its digest is stored with the code, the mail shows its facts. */
      subject: codeSubjectOf,
    }),
  ]),
  /** Whom it was mailed to: a company setting may send a transfer's code to the administrators. */
  output: z.extend(codeSent, { recipient: z.enum(['initiator', 'administrator']) }),
  errors: [
    ...runContentErrors,
    'codeTooSoon',
    'codeBurnt',
    'noPermission',
    'notFound',
    'payeeNotFound',
    'walletNotFound',
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'exchangeTooSmall',
  ],
});

export const register = call({
  name: 'register',
  method: 'POST',
  path: '/web/user/register',
  summary: 'Makes a company and its first administrator; the email is proved by a code.',
  access: 'public',
  body: z.strictObject({
    companyName: name(120),
    /** Of the person who registers, the first administrator; without them the email address is shown in place of a name. */
    firstName: z.optional(name(personNameMaxLength).check(isName)),
    lastName: z.optional(optionalName(personNameMaxLength).check(isName)),
    email,
    /** Of the request that mailed the code. */
    ticket,
    code: verificationCode,
    password: encryptedPassword,
    invitationCode: z
      .string('field.invitationCode')
      .check(z.trim(), z.minLength(1, 'field.invitationCode'), z.maxLength(64, 'field.tooLong')),
    agreeTerms: z.literal(true, 'field.agreement'),
    agreePaymentTerms: z.literal(true, 'field.agreement'),
    agreePrivacy: z.literal(true, 'field.agreement'),
    language: z.optional(language),
  }),
  output: nothing,
  errors: ['codeWrong', 'codeRequestBurnt', 'invitationInvalid', ...newPasswordErrors],
});

/** The state of a sign-in after a step. */
export const loginAnswer = z.object({
  accessToken: z.nullable(z.string()),
  /**
   * After many failures by strangers: whether the password was right is only said together with the code, and the other fields
   * are the same for every account.
   */
  guarded: z.boolean(),
  boundOtp: z.boolean(),
  /** There is a passkey that may answer the second step (`startPasskeyLogin`). */
  passkey: z.boolean(),
  /** To be sent back with the code; null once there is a token. */
  ticket: z.nullable(z.string()),
  /** Kept by this browser when verification may be skipped. */
  laissezPasser: z.nullable(z.string()),
  /** The address a code would go to, masked: `a•••@example.com`; null once there is a token. */
  maskedEmail: z.nullable(z.string()),
});

export const login = call({
  name: 'login',
  method: 'POST',
  path: '/web/user/login',
  summary:
    'First step: email and password, answers a ticket and no token unless the browser may skip verification. Second step: ticket and code.',
  access: 'public',
  body: z.strictObject({
    loginMethod: z.enum(loginMethods),
    email: z.optional(email),
    phone: z.optional(z.string().check(z.maxLength(32, 'field.tooLong'))),
    password: z.optional(encryptedPassword),
    /** From an earlier sign-in in this browser with "skip for 30 days". */
    laissezPasser: z.optional(z.string().check(z.maxLength(256, 'field.tooLong'))),
    /** Second step: the ticket of the first and the code. */
    ticket: z.optional(z.string().check(z.maxLength(256, 'field.tooLong'))),
    code: z.optional(verificationCode),
    /** With `otp_auth`, in place of the authenticator's code. */
    recoveryCode: z.optional(
      z.string().check(z.minLength(1, 'field.recoveryCode'), z.maxLength(64, 'field.recoveryCode')),
    ),
    skipVerification: z.optional(z.boolean()),
    captcha: z.optional(captcha),
  }),
  output: loginAnswer,
  errors: [
    'loginFailed',
    'loginMethodUnavailable',
    'passwordUndecipherable',
    'codeWrong',
    'codeRequestBurnt',
    'recoveryCodeWrong',
    'signInExpired',
    'captchaRequired',
    'captchaFailed',
  ],
});

export const logout = call({
  name: 'logout',
  method: 'POST',
  path: '/web/user/logout',
  summary: 'Ends this session.',
  access: 'signed-in',
  output: nothing,
  errors: [],
});

export const reportActivity = call({
  name: 'reportActivity',
  method: 'POST',
  path: '/web/user/activity',
  summary: 'Says that the person is at the keyboard; a session ends 17 minutes after the last report.',
  access: 'signed-in',
  output: nothing,
  errors: [],
});

export const getUser = call({
  name: 'getUser',
  method: 'GET',
  path: '/web/user',
  summary: 'The person signed in.',
  access: 'signed-in',
  output: user,
  errors: [],
});

export const setLanguage = call({
  name: 'setLanguage',
  method: 'PUT',
  path: '/web/user/language',
  summary: 'Changes the language of the person signed in, on screen and in mails.',
  access: 'signed-in',
  body: z.strictObject({ language }),
  output: nothing,
  errors: [],
});

export const changePassword = call({
  name: 'changePassword',
  method: 'PUT',
  path: '/web/user/password',
  summary: 'Changes the password, proved by the current one and a code; ends every other session.',
  access: 'signed-in',
  body: z.strictObject({
    currentPassword: encryptedPassword,
    newPassword: encryptedPassword,
    method: z.enum(codeMethods),
    code: verificationCode,
  }),
  output: nothing,
  errors: ['passwordWrong', 'passwordSame', ...newPasswordErrors, 'codeWrong', 'codeBurnt', 'mfaNotBound'],
});

export const forgetPassword = call({
  name: 'forgetPassword',
  method: 'POST',
  path: '/web/user/forget-password',
  summary: 'Sets a new password with the code from the mail; ends every session.',
  access: 'public',
  body: z.strictObject({ email, ticket, code: verificationCode, newPassword: encryptedPassword }),
  output: nothing,
  errors: ['codeWrong', 'codeRequestBurnt', ...newPasswordErrors],
});

/** The token in the link of an activation or reset mail. */
const activationToken = z
  .string('field.required')
  .check(z.minLength(1, 'field.required'), z.maxLength(256, 'field.tooLong'));

export const checkActivation = call({
  name: 'checkActivation',
  method: 'POST',
  path: '/web/user/activation/check',
  summary: 'Whose password the link of an activation or reset mail would set; uses nothing up.',
  access: 'public',
  body: z.strictObject({ token: activationToken }),
  output: z.object({
    /** `forget`: the member asked for it, instead of a code. */
    purpose: z.enum(['activation', 'reset', 'forget']),
    email: z.string(),
    companyName: z.string(),
    /** Of the invitation. */
    language,
    expiresAt: instant,
  }),
  errors: ['activationInvalid'],
});

export const activate = call({
  name: 'activate',
  method: 'POST',
  path: '/web/user/activate',
  summary: 'Sets the password with the link from the mail, which serves once; a reset ends every session.',
  access: 'public',
  body: z.strictObject({ token: activationToken, password: encryptedPassword }),
  output: nothing,
  errors: ['activationInvalid', ...newPasswordErrors],
});

export const getMfa = call({
  name: 'getMfa',
  method: 'GET',
  path: '/web/user/mfa',
  summary: 'Whether an authenticator is bound; if not, a fresh secret to bind (RFC 6238), valid for 10 minutes.',
  access: 'signed-in',
  output: z.object({ bound: z.boolean(), secret: z.nullable(z.string()), uri: z.nullable(z.string()) }),
  errors: [],
});

export const bindMfa = call({
  name: 'bindMfa',
  method: 'POST',
  path: '/web/user/mfa',
  summary: 'Binds the authenticator, by a code from it and the password; answers its recovery codes, shown this once.',
  access: 'signed-in',
  body: z.strictObject({ password: encryptedPassword, code: verificationCode }),
  output: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['mfaAlreadyBound', 'mfaSecretExpired', 'codeWrong', 'codeBurnt', 'passwordWrong', 'passwordUndecipherable'],
});
