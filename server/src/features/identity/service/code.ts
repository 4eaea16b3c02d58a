import { randomInt } from 'node:crypto';
import { codeLength, codeResendMs } from '@causeway/contract/identity.ts';
import { macOf, sha256 } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { codeTries, emailKey } from '../domain.ts';
import {
  type CodeHolder,
  countWrongTry,
  findLiveCodes,
  forgetWrongTries,
  type Guard,
  insertCode,
  lockGuard,
  useMatchingCode,
} from '../store/codes.ts';
import type { IdentityCore } from './dependencies.ts';

/** Six-digit codes: made, and used up once. Protection against guessing is here and nowhere else. */

/**
 * The holder of a code to an address before it is known whose it is. Only the browser that asked has the ticket, so that strangers
 * guess at codes of their own requests.
 */
export function addressHolder(
  core: IdentityCore,
  { email, ticket }: { email: string; ticket: string },
  scenario: 'register' | 'forget',
): CodeHolder {
  const subject = `${sha256(ticket).toString('base64url')}.${emailMac(core, email)}`;
  return { beforeCompany: true, ofRequest: true, subject, scenario };
}

/** The holder of codes of one sign-in. */
export function ticketHolder(subject: string, scenario: 'login'): CodeHolder {
  return { beforeCompany: false, ofRequest: true, subject, scenario };
}

export function memberHolder(userId: string, scenario: CodeHolder['scenario']): CodeHolder {
  return { beforeCompany: false, ofRequest: false, subject: userId, scenario };
}

export function emailMac(core: IdentityCore, email: string): string {
  return macOf(core.keys.email, emailKey(email)).toString('base64url');
}

/**
 * Makes a code; it replaces the one before it for the same digest, and the count of wrong tries stays.
 * @throws DomainError codeTooSoon within 60 s of the last, codeBurnt or codeRequestBurnt while too many wrong tries are
 * remembered
 */
export async function issueCode(tx: Tx, core: IdentityCore, holder: CodeHolder, digest = ''): Promise<string> {
  refuseBurnt(await lockGuard(tx, holder), holder);
  const last = (await findLiveCodes(tx, holder)).find((code) => code.digest === digest);
  if (last && last.ageMs < codeResendMs) {
    throw new DomainError('codeTooSoon', { seconds: Math.ceil((codeResendMs - Math.max(0, last.ageMs)) / 1000) });
  }
  const id = newId();
  const code = randomInt(10 ** codeLength)
    .toString()
    .padStart(codeLength, '0');
  await insertCode(tx, holder, { id, mac: codeMac(core, holder, code, digest), digest });
  return code;
}

/**
 * Uses a code up; it counts once, and only for the holder it was made for.
 * @throws RememberedError codeWrong, codeBurnt or codeRequestBurnt (the fifth wrong try, and all after it); it must therefore come
 * before anything else is written
 */
export async function consumeCode(tx: Tx, core: IdentityCore, holder: CodeHolder, code: string): Promise<void> {
  const { id, guard } = await useMatchingCode(tx, holder, codeMac(core, holder, code));
  refuseBurnt(guard, holder);
  if (id === null) return refuseTry(tx, holder, guard, 'codeWrong');
  if (guard.wrongTries > 0) await forgetWrongTries(tx, holder);
}

type WrongTry = 'codeWrong' | 'transferCodeMismatch' | 'recoveryCodeWrong';

/** Counts a wrong try and refuses: with `key`, or codeBurnt when it was the last. */
export async function refuseTry(tx: Tx, holder: CodeHolder, guard: Guard, key: WrongTry): Promise<never> {
  await countWrongTry(tx, holder);
  const wrongTries = guard.wrongTries + 1;
  throw refusalOf(wrongTries >= codeTries ? await lockGuard(tx, holder) : { ...guard, wrongTries }, holder, key);
}

/** The refusal of a wrong try that the guard has counted. */
export function refusalOf(guard: Guard, holder: CodeHolder, key: WrongTry): RememberedError {
  if (guard.wrongTries >= codeTries) return burnt(guard, holder);
  return new RememberedError(key, {}, { [key === 'recoveryCodeWrong' ? 'recoveryCode' : 'code']: `error.${key}` });
}

/** @throws RememberedError codeBurnt, codeRequestBurnt while too many wrong tries are remembered. */
export function refuseBurnt(guard: Guard, holder: CodeHolder): void {
  if (guard.wrongTries >= codeTries) throw burnt(guard, holder);
}

/** Another request gets past what one request has used up; a member waits. */
function burnt(guard: Guard, { ofRequest }: CodeHolder): RememberedError {
  if (ofRequest) return new RememberedError('codeRequestBurnt', {}, { code: 'error.codeRequestBurnt' });
  return new RememberedError('codeBurnt', { minutes: Math.max(1, Math.ceil(guard.endsInMs / 60_000)) });
}

/** Keyed, and bound to all that the code is for: it can be compared in the database without telling anything. */
export function codeMac(core: IdentityCore, { subject, scenario }: CodeHolder, code: string, digest = ''): Buffer {
  return macOf(core.keys.code, subject, scenario, digest, code);
}
