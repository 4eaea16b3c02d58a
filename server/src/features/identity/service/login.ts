import { addressBucket } from '../../../platform/address-bucket.ts';
import { type AuditEntry, audit } from '../../../platform/audit.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { newToken, sha256 } from '../../../platform/secrets.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { clearEvents, eventsIn, uncountEvent } from '../../../platform/throttle.ts';
import { maskEmail, nilCompany } from '../domain.ts';
import { findByEmail, type MemberRef } from '../store/lookups.ts';
import { type CredentialRow, findCredential } from '../store/members.ts';
import { insertTicket, useTrustedBrowser } from '../store/sessions.ts';
import { emailMac } from './code.ts';
import type { IdentityCore } from './core.ts';
import { finishLogin, type LoginAnswer, type LoginBody, openSession } from './login-code.ts';
import { countTry, loginBucket } from './tries.ts';

/**
 * Signs in. First step: email and password; answers a ticket, or a token when this browser may skip the code. Second
 * step: the ticket and the code.
 * @throws DomainError loginFailed (whatever was wrong), captchaRequired, captchaFailed, tooManyRequests, signInExpired,
 * codeWrong, codeBurnt, recoveryCodeWrong, mfaNotBound, loginMethodUnavailable, passwordUndecipherable
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
  const buckets = bucketsOf(core, email, context);
  await requireCaptcha(core, buckets, body.captcha);
  const clear = await core.passwords.decrypt(password);
  const { loginAccount, loginAddress, loginWindowMs: windowMs } = core.limits;
  const allowances = [
    { bucket: buckets.account, limit: loginAccount, windowMs },
    { bucket: buckets.address, limit: loginAddress, windowMs },
  ];
  await countTry(core, allowances, async (bucket) => {
    if (bucket === buckets.account) await recordLock(core, email, buckets.mac, context);
  });
  const { member, credential } = await readMember(core, email);
  const right = await core.passwords.matches(credential?.passwordHash ?? null, clear);
  if (!right || !member || !credential) return refuse(core, member, buckets.mac, context);
  await core.database.withoutCompany(async (tx) => {
    await clearEvents(tx, buckets.account);
    await uncountEvent(tx, buckets.address);
  });
  return passwordWasRight(core, member, credential, body, context);
}

interface Buckets {
  mac: string;
  account: string;
  address: string;
}

function bucketsOf(core: IdentityCore, email: string, { ip }: RequestContext): Buckets {
  const mac = emailMac(core, email);
  return { mac, account: loginBucket(mac), address: `login:address:${addressBucket(ip)}` };
}

async function requireCaptcha(core: IdentityCore, buckets: Buckets, solution: string | undefined): Promise<void> {
  const suspicious = await core.database.withoutCompany(
    async (tx) =>
      (await eventsIn(tx, buckets.account)) >= core.limits.loginCaptchaAccount ||
      (await eventsIn(tx, buckets.address)) >= core.limits.loginCaptchaAddress,
  );
  if (!suspicious) return;
  if (solution === undefined) throw new DomainError('captchaRequired', {}, { captcha: 'field.captcha' });
  await core.captcha.redeem(solution);
}

/** For an unknown address the same statements run, in the company that nobody has, and find nothing. */
async function readMember(
  core: IdentityCore,
  email: string,
): Promise<{ member: MemberRef | null; credential: CredentialRow | null }> {
  const member = await core.database.withoutCompany((tx) => findByEmail(tx, email));
  const { companyId, userId } = member ?? { companyId: nilCompany, userId: nilCompany };
  const credential = await core.database.withCompany(companyId, (tx) => findCredential(tx, userId));
  return { member, credential };
}

/** Records the failure (for an unknown address under the platform's own trail, so that both take alike long). */
async function refuse(
  core: IdentityCore,
  member: MemberRef | null,
  mac: string,
  context: RequestContext,
): Promise<never> {
  const entry = { action: 'identity.signInFailed', detail: { step: 'password' } };
  await record(core, member, mac, context, entry);
  throw new DomainError('loginFailed');
}

/** Records that an account takes no more tries for now: once, with the first try beyond the limit. */
async function recordLock(core: IdentityCore, email: string, mac: string, context: RequestContext): Promise<void> {
  const { member } = await readMember(core, email);
  const minutes = Math.round(core.limits.loginWindowMs / 60_000);
  await record(core, member, mac, context, { action: 'identity.signInLocked', detail: { minutes } });
}

async function record(
  core: IdentityCore,
  member: MemberRef | null,
  mac: string,
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

async function passwordWasRight(
  core: IdentityCore,
  { companyId, userId }: MemberRef,
  credential: CredentialRow,
  body: LoginBody,
  context: RequestContext,
): Promise<LoginAnswer> {
  const ticket = newToken();
  const { laissezPasser } = body;
  const accessToken = await core.database.withCompany(companyId, async (tx) => {
    if (laissezPasser !== undefined && (await useTrustedBrowser(tx, userId, sha256(laissezPasser)))) {
      return openSession(tx, userId, context, { method: 'laissezPasser' });
    }
    await insertTicket(tx, { id: newId(), userId, tokenSha256: sha256(ticket) });
    return null;
  });
  if (accessToken !== null) {
    const { hasOtp: boundOtp, hasPasskey: passkey } = credential;
    return { accessToken, boundOtp, passkey, ticket: null, laissezPasser: null, maskedEmail: null };
  }
  if (body.code !== undefined || body.recoveryCode !== undefined) return finishLogin(core, ticket, body, context);
  return {
    accessToken: null,
    boundOtp: credential.hasOtp,
    passkey: credential.hasPasskey,
    ticket,
    laissezPasser: null,
    maskedEmail: maskEmail(credential.email),
  };
}
