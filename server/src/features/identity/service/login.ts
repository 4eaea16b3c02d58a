import { addressBucket } from '../../../platform/address-bucket.ts';
import { type AuditEntry, audit } from '../../../platform/audit.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { sha256 } from '../../../platform/secrets.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { clearEvents, uncountEvent } from '../../../platform/throttle.ts';
import { maskEmail, nilCompany } from '../domain.ts';
import type { MemberRef } from '../store/lookups.ts';
import type { CredentialRow } from '../store/members.ts';
import { useTrustedBrowser } from '../store/sessions.ts';
import { type Account, findAccount, requireLoginCaptcha } from './account.ts';
import type { IdentityCore } from './core.ts';
import { browserBucket, countBrowserTry } from './known-browser.ts';
import { finishLogin, type LoginAnswer, type LoginBody, openSession } from './login-code.ts';
import { keepTicket, makeTicket } from './ticket.ts';
import { countTry, loginBucket, mayTry } from './tries.ts';

/**
 * Signs in. First step: email and password; answers a ticket, or a token when this browser may skip the code. Second
 * step: the ticket and the code. Strangers' failures lock nobody out (docs/adr/0046).
 * @throws DomainError loginFailed (whatever was wrong), captchaRequired, captchaFailed, tooManyRequests, signInExpired,
 * codeWrong, codeRequestBurnt, recoveryCodeWrong, loginMethodUnavailable, passwordUndecipherable
 */
export async function login(core: IdentityCore, body: LoginBody, context: RequestContext): Promise<LoginAnswer> {
  if (body.loginMethod === 'phone') throw new DomainError('loginMethodUnavailable');
  if (body.ticket !== undefined) return finishLogin(core, body.ticket, body, context);
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
  const found = await findAccount(core, email, context);
  const browserId = await countKnown(core, found.browserId);
  const account = { ...found, browserId };
  if (browserId === null) await requireLoginCaptcha(core, account.mac, context, body.captcha);
  const clear = await core.passwords.decrypt(password);
  const guarded = browserId === null && (await countStranger(core, account, context));
  const right = await core.passwords.matches(account.credential?.passwordHash ?? null, clear);
  if (guarded) return startGuarded(core, account, { right, email }, body, context);
  const { member, credential } = account;
  if (!right || !member || !credential) return refuse(core, account, context);
  await takeBackTry(core, account, context);
  return passwordWasRight(core, { ...account, member, credential }, body, context);
}

/** Counts the try in the known browser; null when it is none, or has failed too often of late. */
async function countKnown(core: IdentityCore, browserId: string | null): Promise<string | null> {
  if (browserId === null) return null;
  const within = await core.database.withoutCompany((tx) => countBrowserTry(core, tx, browserId));
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
async function countStranger(core: IdentityCore, account: Account, context: RequestContext): Promise<boolean> {
  const { accountWindowMs, loginAccount, loginAddress, loginWindowMs } = core.limits;
  const bucket = loginBucket(account.mac);
  const [open] = await core.database.withoutCompany((tx) =>
    mayTry(tx, [{ bucket, limit: loginAccount, windowMs: accountWindowMs }]),
  );
  await countTry(core, [{ bucket: addressOf(context), limit: loginAddress, windowMs: loginWindowMs }]);
  if (open?.first) await record(core, account, context, { action: 'identity.signInGuarded' });
  return open !== undefined;
}

/** The password was right: the try was no failure. The failures of others stay counted. */
async function takeBackTry(core: IdentityCore, { mac, browserId }: Account, context: RequestContext): Promise<void> {
  await core.database.withoutCompany(async (tx) => {
    if (browserId !== null) return clearEvents(tx, browserBucket(browserId));
    await uncountEvent(tx, loginBucket(mac));
    await uncountEvent(tx, addressOf(context));
  });
}

/** Records the failure (for an unknown address under the platform's own trail, so that both take alike long). */
async function refuse(core: IdentityCore, account: Account, context: RequestContext): Promise<never> {
  await recordFailure(core, account, context);
  throw new DomainError('loginFailed');
}

function recordFailure(core: IdentityCore, account: Account, context: RequestContext): Promise<void> {
  return record(core, account, context, { action: 'identity.signInFailed', detail: { step: 'password' } });
}

async function record(
  core: IdentityCore,
  { member, mac }: Account,
  { ip, requestId }: RequestContext,
  entry: Pick<AuditEntry, 'action' | 'detail'>,
): Promise<void> {
  await core.database.withCompany(member?.companyId ?? nilCompany, (tx) =>
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
  core: IdentityCore,
  account: Account,
  { right, email }: { right: boolean; email: string },
  body: LoginBody,
  context: RequestContext,
): Promise<LoginAnswer> {
  const ticket = makeTicket(core, true);
  const { member } = account;
  if (right && member) {
    const { companyId, userId } = member;
    await core.database.withCompany(companyId, (tx) => keepTicket(tx, ticket, { userId, browserId: null }));
  } else {
    await recordFailure(core, account, context);
  }
  if (body.code !== undefined || body.recoveryCode !== undefined) return finishLogin(core, ticket, body, context);
  const maskedEmail = maskEmail(email);
  return { accessToken: null, guarded: true, boundOtp: true, passkey: false, ticket, laissezPasser: null, maskedEmail };
}

async function passwordWasRight(
  core: IdentityCore,
  { member, credential, browserId }: Account & { member: MemberRef; credential: CredentialRow },
  body: LoginBody,
  context: RequestContext,
): Promise<LoginAnswer> {
  const ticket = makeTicket(core, false);
  const { laissezPasser } = body;
  const { companyId, userId } = member;
  const { hasOtp: boundOtp, hasPasskey: passkey } = credential;
  const accessToken = await core.database.withCompany(companyId, async (tx) => {
    const pass = laissezPasser === undefined || browserId === null ? null : { token: sha256(laissezPasser), browserId };
    if (pass && (await useTrustedBrowser(tx, userId, pass))) {
      return (await openSession(core, tx, userId, context, { method: 'laissezPasser' })).token;
    }
    await keepTicket(tx, ticket, { userId, browserId });
    return null;
  });
  const answer = { guarded: false, boundOtp, passkey, laissezPasser: null };
  if (accessToken !== null) return { ...answer, accessToken, ticket: null, maskedEmail: null };
  if (body.code !== undefined || body.recoveryCode !== undefined) return finishLogin(core, ticket, body, context);
  return { ...answer, accessToken: null, ticket, maskedEmail: maskEmail(credential.email) };
}
