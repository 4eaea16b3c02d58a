import { type AuditEntry, audit } from '../../../platform/audit/record.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { clearEvents, uncountEvent } from '../../../platform/http/throttle.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { maskEmail, nilCompany } from '../domain.ts';
import type { MemberRef } from '../store/lookups.ts';
import type { CredentialRow } from '../store/members.ts';
import { useTrustedBrowser } from '../store/sessions.ts';
import { type Account, findAccount, requireLoginCaptcha } from './account.ts';
import type { OpenIdentity, OpenIdentityContext } from './dependencies.ts';
import { browserBucket, countBrowserTry } from './known-browser.ts';
import { finishLogin, type LoginAnswer, type LoginBody, openSession } from './login-code.ts';
import { keepTicket, makeTicket } from './ticket.ts';
import { countTry, loginBucket, mayTry } from './tries.ts';

/**
 * Signs in. First step: email and password; returns a ticket, or a token when this browser may skip the code. Second
 * step: the ticket and the code. Strangers' failures lock no account (docs/adr/0046).
 * @throws DomainError loginFailed (whatever was wrong), captchaRequired, captchaFailed, tooManyRequests, signInExpired,
 * codeWrong, codeRequestBurnt, recoveryCodeWrong, loginMethodUnavailable, passwordUndecipherable
 */
export async function login(context: OpenIdentityContext, body: LoginBody): Promise<LoginAnswer> {
  if (body.loginMethod === 'phone') throw new DomainError('loginMethodUnavailable');
  if (body.ticket !== undefined) return finishLogin(context, body.ticket, body);
  const { email, password } = body;
  if (email === undefined || password === undefined) {
    throw new DomainError(
      'validationFailed',
      {},
      {
        ...(email === undefined ? { email: 'field.emailRequired' } : {}),
        ...(password === undefined ? { password: 'field.passwordRequired' } : {}),
      },
    );
  }
  const found = await findAccount(context, email);
  const browserId = await countKnown(context, found.browserId);
  const account = { ...found, browserId };
  if (browserId === null) await requireLoginCaptcha(context, account.mac, body.captcha);
  const clear = await context.passwords.decrypt(password);
  const guarded = browserId === null && (await countStranger(context, account));
  const right = await context.passwords.matches(account.credential?.passwordHash ?? null, clear);
  if (guarded) return startGuarded(context, account, { right, email }, body);
  const { member, credential } = account;
  if (!right || !member || !credential) return refuse(context, account);
  await takeBackTry(context, account);
  return passwordWasRight(context, { ...account, member, credential }, body);
}

/** Counts the try in the known browser; null when it is none, or has failed too often of late. */
async function countKnown(core: OpenIdentity, browserId: string | null): Promise<string | null> {
  if (browserId === null) return null;
  const within = await core.database.withoutCompany((tx) => countBrowserTry(tx, core, browserId));
  return within ? browserId : null;
}

function addressOf({ ip }: RequestContext): string {
  return `login:address:${addressBucket(ip)}`;
}

/**
 * Counts a stranger's try before it is made. True when this account has had so many that the sign-in is guarded: password and
 * code are only judged together.
 * @throws DomainError tooManyRequests after too many from one network address
 */
async function countStranger(context: OpenIdentityContext, account: Account): Promise<boolean> {
  const { accountWindowMs, loginAccount, loginAddress, loginWindowMs } = context.limits;
  const bucket = loginBucket(account.mac);
  const [open] = await context.database.withoutCompany((tx) =>
    mayTry(tx, [{ bucket, limit: loginAccount, windowMs: accountWindowMs }]),
  );
  await countTry(context, [{ bucket: addressOf(context), limit: loginAddress, windowMs: loginWindowMs }]);
  if (open?.first) await record(context, account, { action: 'identity.signInGuarded' });
  return open !== undefined;
}

/** The password was right: the try was no failure. The failures of others stay counted. */
async function takeBackTry(context: OpenIdentityContext, { mac, browserId }: Account): Promise<void> {
  await context.database.withoutCompany(async (tx) => {
    if (browserId !== null) return clearEvents(tx, browserBucket(browserId));
    await uncountEvent(tx, loginBucket(mac));
    await uncountEvent(tx, addressOf(context));
  });
}

/** Records the failure (for an unknown address under the platform's own trail, so that both take alike long). */
async function refuse(context: OpenIdentityContext, account: Account): Promise<never> {
  await recordFailure(context, account);
  throw new DomainError('loginFailed');
}

function recordFailure(context: OpenIdentityContext, account: Account): Promise<void> {
  return record(context, account, { action: 'identity.signInFailed', detail: { step: 'password' } });
}

async function record(
  context: OpenIdentityContext,
  { member, mac }: Account,
  entry: Pick<AuditEntry, 'action' | 'detail'>,
): Promise<void> {
  const { ip, requestId } = context;
  await context.database.withCompany(member?.companyId ?? nilCompany, (tx) =>
    audit(tx, {
      actor: { kind: 'system', id: 'identity', ip, requestId },
      subjectKind: member ? 'member' : 'address',
      subjectId: member?.userId ?? mac,
      ...entry,
    }),
  );
}

/** Goes on to the second step whether or not the password was right; every part of the answer is the same. */
async function startGuarded(
  context: OpenIdentityContext,
  account: Account,
  { right, email }: { right: boolean; email: string },
  body: LoginBody,
): Promise<LoginAnswer> {
  const ticket = makeTicket(context, true);
  const { member } = account;
  if (right && member) {
    const { companyId, userId } = member;
    await context.database.withCompany(companyId, (tx) => keepTicket(tx, ticket, { userId, browserId: null }));
  } else {
    await recordFailure(context, account);
  }
  if (body.code !== undefined || body.recoveryCode !== undefined) return finishLogin(context, ticket, body);
  const maskedEmail = maskEmail(email);
  return { accessToken: null, guarded: true, boundOtp: true, passkey: false, ticket, laissezPasser: null, maskedEmail };
}

async function passwordWasRight(
  context: OpenIdentityContext,
  { member, credential, browserId }: Account & { member: MemberRef; credential: CredentialRow },
  body: LoginBody,
): Promise<LoginAnswer> {
  const ticket = makeTicket(context, false);
  const { laissezPasser } = body;
  const { companyId, userId } = member;
  const { hasOtp: boundOtp, hasPasskey: passkey } = credential;
  const accessToken = await context.database.withCompany(companyId, async (tx) => {
    const pass = laissezPasser === undefined || browserId === null ? null : { token: sha256(laissezPasser), browserId };
    if (pass && (await useTrustedBrowser(tx, userId, pass))) {
      return (await openSession(tx, context, userId, { method: 'laissezPasser' })).token;
    }
    await keepTicket(tx, ticket, { userId, browserId });
    return null;
  });
  const answer = { guarded: false, boundOtp, passkey, laissezPasser: null };
  if (accessToken !== null) return { ...answer, accessToken, ticket: null, maskedEmail: null };
  if (body.code !== undefined || body.recoveryCode !== undefined) return finishLogin(context, ticket, body);
  return { ...answer, accessToken: null, ticket, maskedEmail: maskEmail(credential.email) };
}
