import { seal, unseal, unsealWithAny } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { type BoundAuthenticator, lockAuthenticators, updateAuthenticators } from '../store/authenticators.ts';
import { type CodeHolder, forgetWrongTries, lockGuard } from '../store/codes.ts';
import { matchTotpStep } from '../totp.ts';
import { memberHolder, refuseBurnt, refuseTry } from './code.ts';
import type { IdentityCore } from './dependencies.ts';

/** What opens the secrets of authenticators. */
interface TotpKeys {
  keys: Pick<IdentityCore['keys'], 'totp'>;
  previousKeys: Pick<IdentityCore['previousKeys'], 'totp'>;
}

/**
 * Uses up the time step of an authenticator's code: each counts once, wherever it is used, and wrong tries of all uses
 * are counted together.
 * At sign-in (`holder`) they are counted by ticket, and to have no authenticator is a wrong code.
 * @throws RememberedError codeWrong, codeBurnt, codeRequestBurnt; DomainError mfaNotBound
 */
export async function consumeTotp(
  tx: Tx,
  core: IdentityCore,
  { userId, holder = memberHolder(userId, 'otp_auth') }: { userId: string; holder?: CodeHolder },
  code: string,
): Promise<void> {
  const guard = await lockGuard(tx, holder);
  refuseBurnt(guard, holder);
  const member = { companyId: tx.companyId, userId };
  const [row] = await lockAuthenticators(tx, [member]);
  const judged = judgeTotp(core, userId, row, code);
  if (judged === 'unbound' && !holder.ofRequest) throw new DomainError('mfaNotBound');
  if (judged === 'unbound' || judged === 'wrong') return refuseTry(tx, holder, guard, 'codeWrong');
  await updateAuthenticators(tx, [{ ...member, ...judged }]);
  await forgetWrongTries(tx, holder);
}

/**
 * Judges a code by what is bound. Of a right one: the step that it uses up, and the secret, sealed under the newest application secret
 * where it was sealed under an earlier one.
 */
export function judgeTotp(
  core: TotpKeys & Pick<IdentityCore, 'clock'>,
  userId: string,
  bound: BoundAuthenticator | undefined,
  code: string,
): 'unbound' | 'wrong' | { step: number; sealed: Buffer | null } {
  const secret = bound?.secret ? openSecret(core, bound.secret, userId) : null;
  if (!bound?.secret || secret === null) return 'unbound';
  const step = matchTotpStep(secret, code, core.clock.now(), bound.lastStep);
  if (step === null) return 'wrong';
  const isSealedAgain = isSealedByPrevious(core, bound.secret, userId);
  return { step, sealed: isSealedAgain ? seal(core.keys.totp, secret, userId) : null };
}

/**
 * An authenticator's secret, sealed under the newest application secret or an earlier one; null when that secret is no longer
 * configured: the authenticator then counts as not bound.
 */
export function openSecret(core: TotpKeys, sealed: Buffer, userId: string): Buffer | null {
  try {
    return unsealWithAny([core.keys.totp, ...core.previousKeys.totp], sealed, userId);
  } catch {
    return null;
  }
}

/** Each use seals the secret again, so that the previous application secret can be removed eventually. */
function isSealedByPrevious(core: TotpKeys, sealed: Buffer, userId: string): boolean {
  if (core.previousKeys.totp.length === 0) return false;
  try {
    unseal(core.keys.totp, sealed, userId);
    return false;
  } catch {
    return true;
  }
}
