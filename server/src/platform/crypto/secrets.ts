import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/**
 * What keeps secrets out of the database's reach: keys derived from one secret of the configuration, one for each
 * purpose, so that what is made for one cannot serve another.
 */

const ivBytes = 12;
const tagBytes = 16;

/** A 256-bit key for one purpose (HKDF-SHA-256, RFC 5869); as a key object, which is parsed once. */
export function deriveKey(secret: string, purpose: string): KeyObject {
  const bytes = hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', `causeway/${purpose}`, 32);
  return createSecretKey(Buffer.from(bytes));
}

/** Encrypts with AES-256-GCM; `context` is not stored but must be the same when it is opened (whose secret it is). */
export function seal(key: KeyObject, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what `seal` made; throws when key or context are others, or a bit was changed. */
export function unseal(key: KeyObject, sealed: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
}

/** Opens what was sealed under the newest of some keys or under an earlier one; throws as `unseal` does. */
export function unsealWithAny(keys: readonly KeyObject[], sealed: Buffer, context: string): Buffer {
  let failure: unknown = new Error('there is no key to open it with');
  for (const key of keys) {
    try {
      return unseal(key, sealed, context);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** HMAC-SHA-256 of parts that cannot run into each other. */
export function macOf(key: KeyObject, ...parts: readonly string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

/** A token of 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token: it has too many bits to need more than one hash. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
