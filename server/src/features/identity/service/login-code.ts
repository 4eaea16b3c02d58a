import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { type login, skipVerificationDays } from '@causeway/contract/identity.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { deviceKey, deviceOf } from '../devices.ts';
import { findByTicket } from '../store/lookups.ts';
import { findCredential } from '../store/members.ts';
import { insertSession, insertTrustedBrowser, lockTicket, noteDevice, useTicket } from '../store/sessions.ts';
import { consumeTotp } from './authenticator.ts';
import { consumeCode, memberHolder } from './code.ts';
import type { IdentityCore } from './core.ts';
import { consumeRecoveryCode } from './recovery-code.ts';
import { announceSecurity, userAgentOf } from './security-event.ts';

export type LoginBody = Body<typeof login>;
export type LoginAnswer = OutputInput<typeof login>;

/** The second step of a sign-in: the ticket of the first, and the code, or a recovery code in place of the authenticator's. */
export async function finishLogin(
  core: IdentityCore,
  ticket: string,
  body: LoginBody,
  context: RequestContext,
): Promise<LoginAnswer> {
  const { code, recoveryCode, loginMethod } = body;
  if (code === undefined && (recoveryCode === undefined || loginMethod !== 'otp_auth')) {
    throw new DomainError('validationFailed', {}, { code: 'field.code' });
  }
  const token = sha256(ticket);
  const member = await core.database.withoutCompany((tx) => findByTicket(tx, token));
  if (!member) throw new DomainError('signInExpired');
  const { userId } = member;
  return core.database.withCompany(member.companyId, async (tx) => {
    const held = await lockTicket(tx, token);
    if (!held) throw new DomainError('signInExpired');
    const method = code === undefined ? 'recovery' : loginMethod;
    await recordingFailure(tx, userId, { method }, context, async () => {
      if (code === undefined) await consumeRecoveryCode(core, tx, userId, recoveryCode ?? '', context);
      else if (loginMethod === 'otp_auth') await consumeTotp(core, tx, userId, code);
      else await consumeCode(core, tx, memberHolder(userId, 'login'), code);
    });
    return completeLogin(tx, held, { method, skip: body.skipVerification ?? false }, context);
  });
}

/** What every second step ends with: the ticket is used up, and the session is open. */
export async function completeLogin(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
  { method, skip }: { method: string; skip: boolean },
  context: RequestContext,
): Promise<LoginAnswer> {
  await useTicket(tx, id);
  const credential = await findCredential(tx, userId);
  invariant(credential, 'a ticket that holds belongs to a member');
  return {
    accessToken: await openSession(tx, userId, context, { method }),
    boundOtp: credential.hasOtp,
    passkey: credential.hasPasskey,
    ticket: null,
    laissezPasser: skip ? await trustBrowser(tx, userId, context) : null,
    maskedEmail: null,
  };
}

/** Runs `step` and records its refusal in the audit trail. */
export async function recordingFailure(
  tx: Tx,
  userId: string,
  { method }: { method: string },
  context: RequestContext,
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
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

/** Opens a session and answers its token; only the token's hash is kept. */
export async function openSession(
  tx: Tx,
  userId: string,
  context: RequestContext,
  detail: { method: string },
): Promise<string> {
  const token = newToken();
  const id = newId();
  const userAgent = userAgentOf(context);
  await insertSession(tx, { id, userId, tokenSha256: sha256(token), ip: context.ip, userAgent });
  await audit(tx, {
    actor: { kind: 'user', id: userId, ip: context.ip, requestId: context.requestId },
    action: 'identity.signIn',
    subjectKind: 'session',
    subjectId: id,
    detail,
  });
  if (await noteDevice(tx, userId, deviceKey(deviceOf(userAgent)))) {
    await announceSecurity(tx, context, userId, 'newDevice');
  }
  return token;
}

async function trustBrowser(tx: Tx, userId: string, context: RequestContext): Promise<string> {
  const token = newToken();
  await insertTrustedBrowser(tx, {
    id: newId(),
    userId,
    tokenSha256: sha256(token),
    userAgent: userAgentOf(context),
    days: skipVerificationDays,
  });
  return token;
}
