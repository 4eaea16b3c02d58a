import type { OutputInput } from '@causeway/contract/call.ts';
import type { getRecoveryCodes as getCall, SecurityProof } from '@causeway/contract/identity-account.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { lockAuthenticator } from '../store/authenticators.ts';
import { countRecoveryCodes } from '../store/recovery-codes.ts';
import type { IdentityCore } from './core.ts';
import { withProof } from './proof.ts';
import { makeRecoveryCodes } from './recovery-code.ts';
import { recordSecurity } from './security-event.ts';

/** How many recovery codes are left; what they are nobody is told a second time. */
export async function getRecoveryCodes(
  core: IdentityCore,
  { session }: SignedInContext,
): Promise<OutputInput<typeof getCall>> {
  const { left, total, createdAt } = await core.database.withCompany(session.companyId, (tx) =>
    countRecoveryCodes(tx, session.userId),
  );
  return { left, total, createdAt: createdAt?.toISOString() ?? null };
}

/** @throws DomainError mfaNotBound, and what a proof is refused with (`withProof`) */
export async function renewRecoveryCodes(
  core: IdentityCore,
  proof: SecurityProof,
  context: SignedInContext,
): Promise<string[]> {
  const { userId } = context.session;
  return withProof(core, context, { proof, content: { action: 'renewRecoveryCodes' } }, async (tx) => {
    if (!(await lockAuthenticator(tx, userId))?.secret) throw new DomainError('mfaNotBound');
    const codes = await makeRecoveryCodes(core, tx, userId);
    await recordSecurity(tx, context, {
      userId,
      what: 'recoveryCodesRenewed',
      action: 'identity.renewRecoveryCodes',
      actor: actorOf(context),
      detail: { proof: proof.method },
    });
    return codes;
  });
}
