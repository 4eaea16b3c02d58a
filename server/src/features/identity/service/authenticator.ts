import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { unseal } from '../../../platform/secrets.ts';
import { lockAuthenticator, updateLastStep } from '../store/authenticators.ts';
import { type CodeHolder, forgetWrongTries, lockGuard } from '../store/codes.ts';
import { matchTotpStep } from '../totp.ts';
import { memberHolder, refuseBurnt, refuseTry } from './code.ts';
import type { IdentityCore } from './core.ts';

/**
 * Uses up the time step of an authenticator's code: each counts once, wherever it is used, and wrong tries of all uses
 * are counted together.
 * At sign-in (`holder`) they are counted by ticket, and to have no authenticator is a wrong code.
 * @throws RememberedError codeWrong, codeBurnt, codeRequestBurnt; DomainError mfaNotBound
 */
export async function consumeTotp(
  core: IdentityCore,
  tx: Tx,
  { userId, holder = memberHolder(userId, 'otp_auth') }: { userId: string; holder?: CodeHolder },
  code: string,
): Promise<void> {
  const guard = await lockGuard(tx, holder);
  refuseBurnt(guard, holder);
  const row = await lockAuthenticator(tx, userId);
  if (!row?.secret) {
    if (holder.ofRequest) return refuseTry(tx, holder, guard, 'codeWrong');
    throw new DomainError('mfaNotBound');
  }
  const secret = unseal(core.keys.totp, row.secret, userId);
  const step = matchTotpStep(secret, code, core.clock.now(), row.lastStep);
  if (step === null) return refuseTry(tx, holder, guard, 'codeWrong');
  await updateLastStep(tx, userId, step);
  await forgetWrongTries(tx, holder);
}
