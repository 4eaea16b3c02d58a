import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { isIP } from 'node:net';
import * as z from 'zod';

/** The kinds of values that configuration variables have. */

export type Jwk = Record<string, unknown>;

export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

/** 256 random bits or more, base64url. */
export const secret = z.string().regex(/^[A-Za-z0-9_-]{43,}$/);

/** A secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export const signingSecret = z.string().regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/);

/** Secrets that a rotation has replaced, separated by commas; what was made with them is still accepted. */
export const previousSecrets = listOf(secret);

/** Amounts by coin, `USDT=1000000000000,ETH=5`, in minor units. */
export const amountsByCoin = z
  .string()
  .regex(/^([A-Z0-9]{2,10}=\d{1,30}(,(?!$)|$))*$/, 'wants COIN=minor units, separated by commas')
  .transform((text) => {
    const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('='));
    return new Map(pairs.map(([coin = '', minor = '0']) => [coin, BigInt(minor)]));
  });

export type KeyKind = 'Ed25519' | 'RSA';
export type KeyHalf = 'private' | 'public';

/** A JSON Web Key (RFC 7517) of one kind. Where the public half is wanted, the private one is refused. */
export function jwk(kind: KeyKind, half: KeyHalf) {
  return z.string().transform((text, context): Jwk => {
    const key = parseJson(text);
    const problem = problemOfKey(key, kind, half);
    if (problem === null) return key as Jwk;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });
}

/** Keys that a rotation has replaced: one JSON Web Key, or a JWK Set (`{"keys": [...]}`, RFC 7517, section 5). */
export function previousKeys(kind: KeyKind, half: KeyHalf) {
  return z
    .string()
    .default('')
    .transform((text, context): Jwk[] => {
      if (text.trim() === '') return [];
      const value = parseJson(text);
      const keys = isObject(value) && Array.isArray(value['keys']) ? (value['keys'] as unknown[]) : [value];
      for (const key of keys) {
        const problem = problemOfKey(key, kind, half);
        if (problem !== null) context.addIssue({ code: 'custom', message: problem });
      }
      return keys as Jwk[];
    });
}

function problemOfKey(key: unknown, kind: KeyKind, half: KeyHalf): string | null {
  if (!isObject(key)) return 'is not a JSON Web Key';
  const isKind = kind === 'RSA' ? key['kty'] === 'RSA' : key['kty'] === 'OKP' && key['crv'] === 'Ed25519';
  if (!isKind) return `is not an ${kind} key`;
  if (half === 'private' && key['d'] === undefined)
    return `is the public half; this process needs the private ${kind} key`;
  if (half === 'public' && key['d'] !== undefined) {
    return `is a private key; this process must hold its public half only (the same JSON without "d")`;
  }
  try {
    createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    return null;
  } catch {
    return 'is damaged: it is not a usable JSON Web Key';
  }
}

/** Fewer fixed bits than these would trust a large part of the internet. */
const narrowest = { 4: 8, 6: 16 } as const;

/** Addresses or networks (CIDR), separated by commas. */
export const proxies = listOf(
  z.string().superRefine((text, context) => {
    const problem = problemOfNetwork(text);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  }),
);

/** Networks (CIDR), separated by commas, whatever their size. */
export const networks = listOf(
  z.string().refine(
    (text) => {
      const [address = '', bits = '', ...rest] = text.split('/');
      const family = isIP(address);
      return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
    },
    { error: 'wants networks such as 10.20.0.0/16, separated by commas' },
  ),
);

/** Port numbers, separated by commas. */
export function ports(usual: string) {
  return z
    .string()
    .default(usual)
    .transform((text) => text.split(',').map((part) => Number(part.trim())))
    .pipe(z.array(z.number().int().min(1).max(65_535)).min(1));
}

/** `true` or `false`; without it, false. */
export const truth = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

function problemOfNetwork(text: string): string | null {
  if (/^\d+$/.test(text)) {
    return 'wants the addresses of the proxies, not their number: with a number, a caller who reaches the port directly could choose its own address';
  }
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family !== 4 && family !== 6) return 'wants addresses or networks, separated by commas';
  if (bits === undefined) return null;
  const most = family === 4 ? 32 : 128;
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most) {
    return 'wants addresses or networks, separated by commas';
  }
  if (Number(bits) >= narrowest[family]) return null;
  return `trusts a network of /${bits}, so almost any caller could choose its own address; name the proxies alone`;
}

function listOf<S extends z.ZodType<string, string>>(item: S) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const wei = z
  .string()
  .regex(/^\d{1,30}$/, 'wants whole wei')
  .transform((text) => BigInt(text));
