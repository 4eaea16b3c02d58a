import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { type login, skipVerificationDays } from '@causeway/contract/identity.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant, RememberedError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { countEvent, eventsIn } from '../../../platform/throttle.ts';
import { deviceKey, deviceOf } from '../devices.ts';
import { type CodeHolder, lockGuard } from '../store/codes.ts';
import { findCredential } from '../store/members.ts';
import { insertSession, insertTrustedBrowser, noteDevice, useTicket } from '../store/sessions.ts';
import { consumeTotp } from './authenticator.ts';
import { consumeCode, refuseBurnt, refuseTry, ticketHolder } from './code.ts';
import type { IdentityCore } from './core.ts';
import { rememberBrowser } from './known-browser.ts';
import { consumeRecoveryCode } from './recovery-code.ts';
import { announceSecurity, userAgentOf } from './security-event.ts';
import { type HeldTicket, withTicket } from './ticket.ts';
import { wrongCodeBucket } from './tries.ts';

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
  return withTicket(core, ticket, async (tx, held) => {
    const method = code === undefined ? 'recovery' : loginMethod;
    await recordingFailure(tx, held.userId, { method }, context, () => consumeProof(core, tx, held, body, context));
    return completeLogin(core, tx, held, { method, skip: body.skipVerification ?? false }, context);
  });
}

/**
 * Uses the code up. Wrong ones are counted by ticket, and over all tickets of strangers: beyond that count a stranger's code is
 * wrong whatever it is, and its owner signs in from a known browser or sets another password.
 */
async function consumeProof(
  core: IdentityCore,
  tx: Tx,
  held: HeldTicket,
  { code, recoveryCode, loginMethod }: LoginBody,
  context: RequestContext,
): Promise<void> {
  const { userId } = held;
  const holder = ticketHolder(held.subject, 'login');
  // A ticket that leads nowhere has no account whose tries it could use up.
  const bucket = wrongCodeBucket(userId === held.id ? held.subject : userId, held.browserId);
  try {
    const guard = await lockGuard(tx, holder);
    refuseBurnt(guard, holder);
    if ((await eventsIn(tx, bucket)) >= core.limits.wrongCodes) return await refuseOver(tx, held, holder);
    if (code === undefined) await consumeRecoveryCode(core, tx, { userId, holder }, recoveryCode ?? '', context);
    else if (loginMethod === 'email') await consumeCode(core, tx, holder, code);
    else await consumeTotp(core, tx, { userId, holder }, code);
  } catch (error) {
    if (error instanceof RememberedError) await countEvent(tx, bucket, core.limits.accountWindowMs);
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
  core: IdentityCore,
  tx: Tx,
  { id, userId }: HeldTicket,
  { method, skip }: { method: string; skip: boolean },
  context: RequestContext,
): Promise<LoginAnswer> {
  await useTicket(tx, id);
  const credential = await findCredential(tx, userId);
  invariant(credential, 'a ticket that holds belongs to a member');
  const { token, browserId } = await openSession(core, tx, userId, context, { method });
  return {
    accessToken: token,
    guarded: false,
    boundOtp: credential.hasOtp,
    passkey: credential.hasPasskey,
    ticket: null,
    laissezPasser: skip ? await trustBrowser(tx, { userId, browserId }, context) : null,
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

/** Opens a session, whose token is kept as a hash alone, and makes the browser known to its member. */
export async function openSession(
  core: IdentityCore,
  tx: Tx,
  userId: string,
  context: RequestContext,
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
  return { token, browserId: await rememberBrowser(core, tx, { userId, sessionId: id }, context) };
}

async function trustBrowser(
  tx: Tx,
  { userId, browserId }: { userId: string; browserId: string },
  context: RequestContext,
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
