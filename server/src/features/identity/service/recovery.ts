import type { OutputInput } from '@causeway/contract/call.ts';
import type { getRecoveryCodes as getCall, SecurityProof } from '@causeway/contract/identity-account.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { lockAuthenticator } from '../store/authenticators.ts';
import { countRecoveryCodes } from '../store/recovery-codes.ts';
import type { OpenMemberContext } from './dependencies.ts';
import { withProof } from './proof.ts';
import { makeRecoveryCodes } from './recovery-code.ts';
import { recordSecurity } from './security-event.ts';

/** Returns how many recovery codes are unused; the codes themselves are shown once, when they are made. */
export async function getRecoveryCodes(tx: Tx, context: SignedInContext): Promise<OutputInput<typeof getCall>> {
  const { session } = context;
  const { left, total, createdAt } = await countRecoveryCodes(tx, session.userId);
  return { left, total, createdAt: createdAt?.toISOString() ?? null };
}

/** @throws DomainError mfaNotBound, and what a proof is refused with (`withProof`) */
export async function renewRecoveryCodes(
  context: OpenMemberContext,
  { proof }: { proof: SecurityProof },
): Promise<{ codes: string[] }> {
  const { userId } = context.session;
  return withProof(context, { proof, content: { action: 'renewRecoveryCodes' } }, async (tx) => {
    if (!(await lockAuthenticator(tx, userId))?.secret) throw new DomainError('mfaNotBound');
    const codes = await makeRecoveryCodes(tx, context, userId);
    await recordSecurity(tx, context, {
      userId,
      what: 'recoveryCodesRenewed',
      action: 'identity.renewRecoveryCodes',
      actor: actorOf(context),
      detail: { proof: proof.method },
    });
    return { codes };
  });
}
