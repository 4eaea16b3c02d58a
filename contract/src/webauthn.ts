import * as z from 'zod/mini';

/**
 * What travels between a browser's passkeys and the server (WebAuthn level 3, section 5.8: the JSON forms). Bytes are
 * base64url without padding. Browsers may send more than is named here; it is left out.
 */

function word(maxLength: number) {
  return z.string('field.passkey').check(z.maxLength(maxLength, 'field.passkey'), z.regex(/^[\w-]+$/, 'field.passkey'));
}

const bytes = word;

const credentialId = bytes(1400);
const credentialType = z.literal('public-key', 'field.passkey');

/** The answer of `navigator.credentials.create()`. */
export const registrationResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: credentialType,
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(16_384),
    // Names such as `usb` and `smart-card`; those that are not known yet are kept (section 5.8.4).
    transports: z.optional(z.array(word(32)).check(z.maxLength(16))),
  }),
});
export type RegistrationResponse = z.output<typeof registrationResponse>;

/** The answer of `navigator.credentials.get()`. */
export const assertionResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: credentialType,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(4096),
    userHandle: z.optional(z.nullable(bytes(128))),
  }),
});
export type AssertionResponse = z.output<typeof assertionResponse>;

const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) });

/** What `navigator.credentials.create()` is asked. `timeout` in milliseconds. */
export const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({ residentKey: z.literal('preferred'), userVerification: z.literal('preferred') }),
  attestation: z.literal('none'),
});
export type CreationOptions = z.output<typeof creationOptions>;

/** What `navigator.credentials.get()` is asked. `timeout` in milliseconds. */
export const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number(),
  allowCredentials: z.array(descriptor),
  userVerification: z.literal('preferred'),
});
export type RequestOptions = z.output<typeof requestOptions>;
