import type { Body } from '@causeway/contract/call.ts';
import type { register as registerCall } from '@causeway/contract/identity.ts';
import { languageOf } from '@causeway/contract/locale.ts';
import { audit } from '../../../platform/audit/record.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { clearEvents } from '../../../platform/http/throttle.ts';
import { newId } from '../../../platform/ids.ts';
import { typedKey } from '../domain.ts';
import { type CompanyCreated, identityEvents } from '../events.ts';
import { claimEmail, redeemInvitation } from '../store/lookups.ts';
import { insertCompany } from '../store/members.ts';
import { addressHolder, consumeCode, emailMac } from './code.ts';
import type { OpenIdentityContext } from './dependencies.ts';
import { newIdentifier } from './member.ts';
import { acceptPassword, wordsOf } from './password.ts';
import { soonBucket } from './tries.ts';

/**
 * Makes a company and its first member, its administrator, in one transaction that also uses up the code and the
 * invitation. An address that is known already is refused as a wrong code is: its owner was told so by mail.
 * @throws DomainError codeWrong, codeRequestBurnt, invitationInvalid, passwordRule, passwordCommon, passwordPersonal,
 * passwordUndecipherable, tooManyRequests
 */
export async function register(context: OpenIdentityContext, body: Body<typeof registerCall>): Promise<void> {
  const { firstName = '', lastName = '' } = body;
  const personal = wordsOf({ email: body.email, companyName: body.companyName, firstName, lastName });
  const { hash: passwordHash } = await acceptPassword(context, { jwe: body.password, field: 'password', personal });
  const companyId = newId();
  const userId = newId();
  await context.database.withCompany(companyId, async (tx) => {
    await consumeCode(tx, context, addressHolder(context, body, 'register'), body.code);
    await clearEvents(tx, soonBucket('register', emailMac(context, body.email), context));
    if (!(await redeemInvitation(tx, sha256(typedKey(body.invitationCode))))) {
      throw new DomainError('invitationInvalid', {}, { invitationCode: 'error.invitationInvalid' });
    }
    if (!(await claimEmail(tx, body.email, userId))) {
      throw new DomainError('codeWrong', {}, { code: 'error.codeWrong' });
    }
    await insertCompany(tx, {
      companyName: body.companyName,
      userId,
      identifier: newIdentifier(),
      email: body.email,
      language: body.language ?? languageOf(context.locale),
      firstName,
      lastName,
      passwordHash,
    });
    await audit(tx, {
      actor: { kind: 'user', id: userId, ip: context.ip, requestId: context.requestId },
      action: 'identity.register',
      subjectKind: 'company',
      subjectId: companyId,
      detail: { agreed: ['terms', 'paymentTerms', 'privacy'] },
    });
    const created: CompanyCreated = { companyId, userId };
    await announce(tx, [{ name: identityEvents.companyCreated, payload: { ...created } }]);
  });
}
