import type { Tx } from '../../../../platform/database/database.ts';
import { DomainError, RememberedError } from '../../../../platform/domain-error.ts';
import { clearEvents, uncountEvent } from '../../../../platform/http/throttle.ts';
import { codeGuardWindowMs, codeTries, countTry, judgeTotp, mayTry, nilCompany } from '../../../identity/index.ts';
import { counterScope, type OpenStaffContext } from '../dependencies.ts';
import { type CredentialRow, findCredential, lockCredential, useStep } from '../store/accounts.ts';

/** What an operator proves of themself: by a code of the authenticator, or by the password and a code. */

export interface OwnProof {
  currentPassword: string;
  code: string;
}

const codeBucket = (operatorId: string) => `${counterScope}code:own:${operatorId}`;

/**
 * Runs `work` in a transaction of the operator's own, in which a code of the authenticator can be used up by `useCode`: it serves once,
 * also when two requests send it at the same time. Tries are counted before they are made.
 * @throws DomainError codeBurnt after five wrong ones in half an hour; RememberedError codeWrong
 */
export async function withCode<T>(
  context: OpenStaffContext,
  code: string,
  work: (tx: Tx, useCode: () => Promise<CredentialRow>) => Promise<T>,
): Promise<T> {
  const { userId } = context.session;
  const bucket = codeBucket(userId);
  const [over] = await context.database.withoutCompany((tx) =>
    mayTry(tx, [{ bucket, limit: codeTries, windowMs: codeGuardWindowMs }]),
  );
  if (over) throw new DomainError('codeBurnt', { minutes: codeGuardWindowMs / 60_000 });
  try {
    const done = await context.database.withCompany(nilCompany, (tx) => work(tx, () => useCode(tx, context, code)));
    await context.database.withoutCompany((tx) => clearEvents(tx, bucket));
    return done;
  } catch (error) {
    // Refused for another reason: no wrong guess.
    const wasWrong = error instanceof DomainError && error.key === 'codeWrong';
    if (!wasWrong) await context.database.withoutCompany((tx) => uncountEvent(tx, bucket));
    throw error;
  }
}

async function useCode(tx: Tx, context: OpenStaffContext, code: string): Promise<CredentialRow> {
  const { userId } = context.session;
  const account = await lockCredential(tx, userId);
  // Disabled or reset since the request was let in.
  if (account?.state !== 'active') throw new DomainError('sessionEnded');
  const bound = { secret: account.totpSecret, lastStep: account.totpLastStep };
  const judged = judgeTotp(context, userId, bound, code);
  if (judged === 'unbound' || judged === 'wrong') {
    throw new RememberedError('codeWrong', {}, { code: 'error.codeWrong' });
  }
  await useStep(tx, userId, judged);
  return account;
}

/**
 * Compares the password of the operator signed in.
 * @returns the hash it was compared with
 * @throws DomainError passwordWrong, passwordUndecipherable, tooManyRequests
 */
export async function requirePassword(context: OpenStaffContext, jwe: string): Promise<string> {
  const { userId } = context.session;
  const password = await context.passwords.decrypt(jwe);
  const bucket = `${counterScope}password:${userId}`;
  await countTry(context, [{ bucket, limit: context.limits.loginBrowser, windowMs: context.limits.loginWindowMs }]);
  const account = await context.database.withoutCompany((tx) => findCredential(tx, userId));
  const hash = account?.passwordHash ?? null;
  const right = await context.passwords.matches(hash, password);
  if (!right || hash === null) throw new DomainError('passwordWrong', {}, { currentPassword: 'error.passwordWrong' });
  await context.database.withoutCompany((tx) => clearEvents(tx, bucket));
  return hash;
}

/** Runs `work` when password and code prove the operator. @throws what `requirePassword` and `withCode` refuse with */
export async function withOwnProof<T>(
  context: OpenStaffContext,
  { currentPassword, code }: OwnProof,
  work: (tx: Tx, account: CredentialRow, comparedHash: string) => Promise<T>,
): Promise<T> {
  const hash = await requirePassword(context, currentPassword);
  return withCode(context, code, async (tx, useCode) => work(tx, await useCode(), hash));
}
