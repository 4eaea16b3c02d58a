import { type KeyObject, randomBytes } from 'node:crypto';
import { recoveryCodeCount } from '@causeway/contract/identity-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import { macOf } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { recoveryCodeOf, typedKey } from '../domain.ts';
import { type CodeHolder, forgetWrongTries, lockGuard } from '../store/codes.ts';
import { countRecoveryCodes, markRecoveryCodeUsed, replaceRecoveryCodes } from '../store/recovery-codes.ts';
import { memberHolder, refuseBurnt, refuseTry } from './code.ts';
import type { IdentityContext, IdentityCore } from './dependencies.ts';
import { announceSecurity } from './security-event.ts';

/** Recovery codes: each replaces a lost authenticator once. */

/** Makes new codes, which void the old ones; only their HMACs are kept. Called under the authenticator's lock. */
export async function makeRecoveryCodes(tx: Tx, core: IdentityCore, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => recoveryCodeOf(randomBytes(16)));
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryMac(core.keys.code, userId, code)),
  );
  return codes;
}

/**
 * Uses a recovery code up; wrong tries are counted as those of other codes are (at sign-in by ticket: `holder`), and its owner
 * gets a notice.
 * @throws RememberedError recoveryCodeWrong, codeBurnt, codeRequestBurnt
 */
export async function consumeRecoveryCode(
  tx: Tx,
  context: IdentityContext,
  { userId, holder = memberHolder(userId, 'recovery') }: { userId: string; holder?: CodeHolder },
  code: string,
): Promise<void> {
  const guard = await lockGuard(tx, holder);
  refuseBurnt(guard, holder);
  if (!(await markUsed(tx, context, userId, code))) {
    return refuseTry(tx, holder, guard, 'recoveryCodeWrong');
  }
  await forgetWrongTries(tx, holder);
  const { left } = await countRecoveryCodes(tx, userId);
  await audit(tx, {
    actor: { kind: 'user', id: userId, ip: context.ip, requestId: context.requestId },
    action: 'identity.useRecoveryCode',
    subjectKind: 'member',
    subjectId: userId,
    detail: { left },
  });
  await announceSecurity(tx, context, userId, 'recoveryCodeUsed');
}

/** Codes that were made under an earlier application secret count like any other. */
async function markUsed(tx: Tx, core: IdentityCore, userId: string, code: string): Promise<boolean> {
  for (const key of [core.keys.code, ...core.previousKeys.code]) {
    if (await markRecoveryCodeUsed(tx, userId, recoveryMac(key, userId, code))) return true;
  }
  return false;
}

function recoveryMac(key: KeyObject, userId: string, code: string): Buffer {
  return macOf(key, 'recovery', userId, typedKey(code));
}
