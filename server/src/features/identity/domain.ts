import { checkPassword, passwordRules } from '@causeway/contract/identity.ts';
import { type Permission, systemRoleOf, systemRolePermissions, withImplied } from '@causeway/contract/permission.ts';

/** The company id before a company is known; no company has it. */
export const nilCompany = '00000000-0000-0000-0000-000000000000';

const minute = 60_000;

const day = 24 * 60 * minute;

/** Wrong tries before a code, and all others of its holder, are void for a while (decisions, "Sign-in"). */
export const codeTries = 5;
export const codeGuardWindowMs = 30 * minute;
export const ticketLifetimeMs = 10 * minute;
/** However active, a session ends after a day (NIST SP 800-63B-4). */
export const sessionLifetimeMs = 24 * 60 * minute;
export const pendingSecretLifetimeMs = 10 * minute;
/** Links of a forgotten password are mailed no closer together. */
export const forgetLinkPauseMs = 60 * minute;
/** A browser without a sign-in for half a year counts as a stranger's again. */
export const knownBrowserLifetimeMs = 180 * day;
/** People who share a browser and stay known in it. */
export const knownBrowserMembers = 5;
/** For the browser's dialog and the answer together. */
export const challengeLifetimeMs = 5 * minute;

/**
 * How often things may be tried, per account and per network address (docs/adr/0046). A network address may be a whole office
 * behind one router, so its limits are wide; the limits of a single account are narrow.
 */
export interface Limits {
  loginWindowMs: number;
  /** The window in which failures and requests of strangers for one account are counted. */
  accountWindowMs: number;
  /** Failures of one account, or from one network address, after which strangers must solve a captcha. */
  loginCaptchaAccount: number;
  loginCaptchaAddress: number;
  /** Failures of strangers after which they no longer learn whether a password is right. */
  loginAccount: number;
  loginAddress: number;
  /** Failures from one known browser of an account in `loginWindowMs`, or of a signed-in member. */
  loginBrowser: number;
  codeWindowMs: number;
  /** Codes that strangers ask for in `accountWindowMs` for one email address before its captcha grows. */
  codesCaptcha: number;
  /** Codes that strangers ask for in `accountWindowMs`, for one email address or account. */
  codesRecipient: number;
  /** Wrong codes in `accountWindowMs` at the second step of one account, over all of its tickets. */
  wrongCodes: number;
  /** Codes asked for by a member who is signed in. */
  codesMember: number;
  /** Codes of one member's transfers that are mailed to administrators. */
  codesToOthers: number;
  codesAddress: number;
  /** Public calls that cost a password hash: registration, forgotten password. */
  resetsAddress: number;
}

export const defaultLimits: Limits = {
  loginWindowMs: 15 * minute,
  accountWindowMs: day,
  loginCaptchaAccount: 3,
  loginCaptchaAddress: 30,
  loginAccount: 10,
  loginAddress: 200,
  loginBrowser: 10,
  codeWindowMs: 60 * minute,
  codesCaptcha: 3,
  codesRecipient: 20,
  wrongCodes: 50,
  codesMember: 120,
  codesToOthers: 30,
  codesAddress: 600,
  resetsAddress: 600,
};

/** The smallest and the largest captcha: the largest number to try. */
export const captchaSizes = { least: 50_000, most: 500_000 };

/** The captcha for so many events: none (0) below the threshold, then twice the size for every doubling of the events. */
export function captchaSizeOf(events: number, threshold: number): number {
  if (events < threshold) return 0;
  return Math.min(captchaSizes.most, captchaSizes.least * 2 ** Math.floor(Math.log2(events / Math.max(1, threshold))));
}

/** The key under which an address is found; mail addresses are compared without case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** `a•••@example.com`: enough for its owner to know it, too little for anybody else. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}•••${email.slice(at)}`;
}

/**
 * What a person is called: their name, else their email. Names in Han characters have the family name first and no space between
 * (陳大文), as their bearers write them; all others are first name, then last name.
 */
export function memberName(member: { firstName: string; lastName: string; email: string }): string {
  const [first, last] = [member.firstName.trim(), member.lastName.trim()];
  if (han.test(first) && han.test(last)) return `${last}${first}`;
  return `${first} ${last}`.trim() || member.email;
}

const han = /^\p{Script=Han}+$/u;

/** What a role allows: a system role by the program's table, another by what it was given and what that implies. */
export function permissionsOf(roleId: string, given: readonly string[] | null): readonly Permission[] {
  const system = systemRoleOf(roleId);
  return system ? systemRolePermissions[system] : withImplied(given ?? []);
}

/** The four-point checklist and the longest length in force; Unicode code points are counted. */
export function isPasswordAllowed(password: string, maxLength: number): boolean {
  const checks = checkPassword(password);
  return passwordRules.every((rule) => checks[rule]) && [...password].length <= maxLength;
}

/** Crockford's base 32: no I, L, O, U, so that it survives being read aloud. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `prefix-XXXX-XXXX…`, one character for five bits of each byte. */
export function grouped(prefix: string, bytes: Uint8Array): string {
  const characters = [...bytes].map((byte) => alphabet[byte & 31]).join('');
  return [prefix, ...(characters.match(/.{1,4}/g) ?? [])].join('-');
}

/** `XXXX-XXXX-XXXX-XXXX`: 80 bits. */
export function recoveryCodeOf(bytes: Uint8Array): string {
  return grouped('', bytes).slice(1);
}

/** An invitation or recovery code however it was typed: case, spaces and hyphens do not matter, nor O for 0 and I or L for 1. */
export function typedKey(code: string): string {
  return code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
}
