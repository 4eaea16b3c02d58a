import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { type login, skipVerificationDays } from '@causeway/contract/identity.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { findByTicket } from '../store/lookups.ts';
import { findCredential } from '../store/members.ts';
import { insertSession, insertTrustedBrowser, lockTicket, useTicket } from '../store/sessions.ts';
import { consumeTotp } from './authenticator.ts';
import { consumeCode, memberHolder } from './code.ts';
import type { IdentityCore } from './core.ts';

export type LoginBody = Body<typeof login>;
export type LoginAnswer = OutputInput<typeof login>;

/** The second step of a sign-in: the ticket of the first, and the code. */
export async function finishLogin(
  core: IdentityCore,
  ticket: string,
  body: LoginBody,
  context: RequestContext,
): Promise<LoginAnswer> {
  const { code } = body;
  if (code === undefined) throw new DomainError('validationFailed', {}, { code: 'field.code' });
  const token = sha256(ticket);
  const member = await core.database.withoutCompany((tx) => findByTicket(tx, token));
  if (!member) throw new DomainError('signInExpired');
  const { userId } = member;
  return core.database.withCompany(member.companyId, async (tx) => {
    const held = await lockTicket(tx, token);
    if (!held) throw new DomainError('signInExpired');
    await consume(core, tx, userId, { method: body.loginMethod, code }, context);
    await useTicket(tx, held.id);
    const credential = await findCredential(tx, userId);
    invariant(credential, 'a ticket that holds belongs to a member');
    return {
      accessToken: await openSession(tx, userId, context, { method: body.loginMethod }),
      boundOtp: credential.hasOtp,
      ticket: null,
      laissezPasser: body.skipVerification ? await trustBrowser(tx, userId, context) : null,
      maskedEmail: null,
    };
  });
}

async function consume(
  core: IdentityCore,
  tx: Tx,
  userId: string,
  { method, code }: { method: LoginBody['loginMethod']; code: string },
  context: RequestContext,
): Promise<void> {
  try {
    if (method === 'otp_auth') await consumeTotp(core, tx, userId, code);
    else await consumeCode(core, tx, memberHolder(userId, 'login'), code);
  } catch (error) {
    if (error instanceof RememberedError) {
      await audit(tx, {
        actor: { kind: 'system', id: 'identity', ip: context.ip, requestId: context.requestId },
        action: 'identity.signInFailed',
        subjectKind: 'member',
        subjectId: userId,
        detail: { step: 'code', method },
      });
    }
    throw error;
  }
}

const userAgentMaxLength = 256;

/** Opens a session and answers its token; only the token's hash is kept. */
export async function openSession(
  tx: Tx,
  userId: string,
  context: RequestContext,
  detail: { method: string },
): Promise<string> {
  const token = newToken();
  const id = newId();
  const userAgent = context.userAgent.slice(0, userAgentMaxLength);
  await insertSession(tx, { id, userId, tokenSha256: sha256(token), ip: context.ip, userAgent });
  await audit(tx, {
    actor: { kind: 'user', id: userId, ip: context.ip, requestId: context.requestId },
    action: 'identity.signIn',
    subjectKind: 'session',
    subjectId: id,
    detail,
  });
  return token;
}

async function trustBrowser(tx: Tx, userId: string, context: RequestContext): Promise<string> {
  const token = newToken();
  await insertTrustedBrowser(tx, {
    id: newId(),
    userId,
    tokenSha256: sha256(token),
    userAgent: context.userAgent.slice(0, userAgentMaxLength),
    days: skipVerificationDays,
  });
  return token;
}
