import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { unseal } from '../../../platform/secrets.ts';
import { lockAuthenticator, updateLastStep } from '../store/authenticators.ts';
import { forgetWrongTries, lockGuard } from '../store/codes.ts';
import { matchTotpStep } from '../totp.ts';
import { memberHolder, refuseBurnt, refuseTry } from './code.ts';
import type { IdentityCore } from './core.ts';

/**
 * Uses up the time step of an authenticator's code: each counts once, wherever it is used, and wrong tries of all uses
 * are counted together.
 * @throws RememberedError codeWrong, codeBurnt; DomainError mfaNotBound
 */
export async function consumeTotp(core: IdentityCore, tx: Tx, userId: string, code: string): Promise<void> {
  const holder = memberHolder(userId, 'otp_auth');
  const guard = await lockGuard(tx, holder);
  refuseBurnt(guard);
  const row = await lockAuthenticator(tx, userId);
  if (!row?.secret) throw new DomainError('mfaNotBound');
  const secret = unseal(core.keys.totp, row.secret, userId);
  const step = matchTotpStep(secret, code, core.clock.now(), row.lastStep);
  if (step === null) return refuseTry(tx, holder, guard, 'codeWrong');
  await updateLastStep(tx, userId, step);
  await forgetWrongTries(tx, holder);
}
