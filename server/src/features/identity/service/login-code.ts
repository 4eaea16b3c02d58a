import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { type login, skipVerificationDays } from '@causeway/contract/identity.ts';
import { audit } from '../../../platform/audit/record.ts';
import { newToken, sha256 } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import { countEvent, eventsIn } from '../../../platform/http/throttle.ts';
import { newId } from '../../../platform/ids.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { deviceKey, deviceOf } from '../devices.ts';
import { type CodeHolder, lockGuard } from '../store/codes.ts';
import { findCredential } from '../store/members.ts';
import { insertSession, insertTrustedBrowser, noteDevice, useTicket } from '../store/sessions.ts';
import { consumeTotp } from './authenticator.ts';
import { consumeCode, refuseBurnt, refuseTry, ticketHolder } from './code.ts';
import type { IdentityContext, OpenIdentityContext } from './dependencies.ts';
import { rememberBrowser } from './known-browser.ts';
import { consumeRecoveryCode } from './recovery-code.ts';
import { announceSecurity, userAgentOf } from './security-event.ts';
import { type HeldTicket, withTicket } from './ticket.ts';
import { wrongCodeBucket } from './tries.ts';

export type LoginBody = Body<typeof login>;
export type LoginAnswer = OutputInput<typeof login>;

/** The second step of a sign-in: the ticket of the first, and the code, or a recovery code in place of the authenticator's. */
export async function finishLogin(context: OpenIdentityContext, ticket: string, body: LoginBody): Promise<LoginAnswer> {
  const { code, recoveryCode, loginMethod } = body;
  if (code === undefined && (recoveryCode === undefined || loginMethod !== 'otp_auth')) {
    throw new DomainError('validationFailed', {}, { code: 'field.code' });
  }
  return withTicket(context, ticket, async (tx, held) => {
    const method = code === undefined ? 'recovery' : loginMethod;
    await recordingFailure(tx, context, held.userId, { method }, () => consumeProof(tx, context, held, body));
    return completeLogin(tx, context, held, { method, skip: body.skipVerification ?? false });
  });
}

/**
 * Uses the code up. Wrong ones are counted by ticket, and over all tickets of strangers: beyond that count a stranger's code is
 * wrong whatever it is, and its owner signs in from a known browser or sets another password.
 */
async function consumeProof(
  tx: Tx,
  context: IdentityContext,
  held: HeldTicket,
  { code, recoveryCode, loginMethod }: LoginBody,
): Promise<void> {
  const { userId } = held;
  const holder = ticketHolder(held.subject, 'login');
  // A ticket that leads nowhere has no account whose tries it could use up.
  const bucket = wrongCodeBucket(userId === held.id ? held.subject : userId, held.browserId);
  try {
    const guard = await lockGuard(tx, holder);
    refuseBurnt(guard, holder);
    if ((await eventsIn(tx, bucket)) >= context.limits.wrongCodes) return await refuseOver(tx, held, holder);
    if (code === undefined) await consumeRecoveryCode(tx, context, { userId, holder }, recoveryCode ?? '');
    else if (loginMethod === 'email') await consumeCode(tx, context, holder, code);
    else await consumeTotp(tx, context, { userId, holder }, code);
  } catch (error) {
    if (error instanceof RememberedError) await countEvent(tx, bucket, context.limits.accountWindowMs);
    throw error;
  }
}

/** A guarded sign-in does not tell that its account has had too many wrong codes: that would tell that the password is right. */
async function refuseOver(tx: Tx, { guarded }: HeldTicket, holder: CodeHolder): Promise<never> {
  if (guarded) return refuseTry(tx, holder, await lockGuard(tx, holder), 'codeWrong');
  throw new DomainError('tooManyRequests');
}

/** What every second step ends with: the ticket is used up, and the session is open. */
export async function completeLogin(
  tx: Tx,
  context: IdentityContext,
  { id, userId }: HeldTicket,
  { method, skip }: { method: string; skip: boolean },
): Promise<LoginAnswer> {
  await useTicket(tx, id);
  const credential = await findCredential(tx, userId);
  invariant(credential, 'a ticket that holds belongs to a member');
  const { token, browserId } = await openSession(tx, context, userId, { method });
  return {
    accessToken: token,
    guarded: false,
    boundOtp: credential.hasOtp,
    passkey: credential.hasPasskey,
    ticket: null,
    laissezPasser: skip ? await trustBrowser(tx, context, { userId, browserId }) : null,
    maskedEmail: null,
  };
}

/** Runs `step` and records its refusal in the audit trail. */
export async function recordingFailure(
  tx: Tx,
  context: RequestContext,
  userId: string,
  { method }: { method: string },
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

/** Opens a session, whose token is kept as a hash alone, and makes the browser known to its member. */
export async function openSession(
  tx: Tx,
  context: IdentityContext,
  userId: string,
  detail: { method: string },
): Promise<{ token: string; browserId: string }> {
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
  return { token, browserId: await rememberBrowser(tx, context, { userId, sessionId: id }) };
}

async function trustBrowser(
  tx: Tx,
  context: RequestContext,
  { userId, browserId }: { userId: string; browserId: string },
): Promise<string> {
  const token = newToken();
  await insertTrustedBrowser(tx, {
    id: newId(),
    userId,
    browserId,
    tokenSha256: sha256(token),
    userAgent: userAgentOf(context),
    days: skipVerificationDays,
  });
  return token;
}
