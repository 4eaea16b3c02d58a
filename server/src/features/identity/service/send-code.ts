import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { sendCode, sendRegisterCode } from '@causeway/contract/identity.ts';
import { codeResendMs } from '@causeway/contract/identity.ts';
import { addressBucket } from '../../../platform/address-bucket.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newToken } from '../../../platform/secrets.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { countEvent } from '../../../platform/throttle.ts';
import { nilCompany } from '../domain.ts';
import { type Account, codeCaptchaSize, findAccount } from './account.ts';
import { mailForgetLink } from './activation.ts';
import { addressHolder, issueCode, ticketHolder } from './code.ts';
import { codeExpiry, mailCode, sentNow } from './code-mail.ts';
import type { IdentityCore } from './core.ts';
import { type HeldTicket, withTicket } from './ticket.ts';
import { codeBucket, countTry, mayTry, soonBucket } from './tries.ts';

/**
 * Codes for people who are not signed in. Each request has a ticket that only the asking browser knows, and a code serves its own
 * ticket alone: strangers' requests and guesses do not touch those of the mailbox's owner (docs/adr/0046). Known and unknown
 * addresses are answered alike; whether there is an account is looked at by the job that mails, after the answer.
 */

type Sent = OutputInput<typeof sendCode>;

export async function requestRegisterCode(
  core: IdentityCore,
  { email, captcha }: Body<typeof sendRegisterCode>,
  context: RequestContext,
): Promise<Sent> {
  const account = await acceptRequest(core, 'register', { email, captcha }, context);
  const { codesRecipient: limit, accountWindowMs: windowMs } = core.limits;
  await countTry(core, [{ bucket: codeBucket('register', account.mac), limit, windowMs }]);
  return mailAddressCode(core, 'register', email, context);
}

export async function requestCode(
  core: IdentityCore,
  body: Body<typeof sendCode>,
  context: RequestContext,
): Promise<Sent> {
  if (body.scenario === 'login') return requestLoginCode(core, body.ticket, context);
  const account = await acceptRequest(core, 'forget', body, context);
  const within = await countForget(core, account);
  if (within) return mailAddressCode(core, 'forget', body.email, context);
  const { companyId, userId } = account.member ?? { companyId: nilCompany, userId: nilCompany };
  await core.database.withCompany(companyId, (tx) => mailForgetLink(core, tx, userId));
  return { ...sentNow, ticket: newToken() };
}

/** @throws DomainError captchaFailed, codeTooSoon, tooManyRequests */
async function acceptRequest(
  core: IdentityCore,
  scenario: 'register' | 'forget',
  { email, captcha }: { email: string; captcha: string },
  context: RequestContext,
): Promise<Account> {
  const account = await findAccount(core, email, context);
  const size = account.browserId === null ? await codeCaptchaSize(core, scenario, account.mac) : 0;
  await core.captcha.redeem(captcha, size);
  const address = addressBucket(context.ip);
  const { codesAddress, codeWindowMs } = core.limits;
  await countTry(core, [{ bucket: `code:address:${address}`, limit: codesAddress, windowMs: codeWindowMs }]);
  const soon = { bucket: soonBucket(scenario, account.mac, context), limit: 1, windowMs: codeResendMs };
  const early = await core.database.withoutCompany((tx) => mayTry(tx, [soon]));
  if (early.length > 0) throw new DomainError('codeTooSoon', { seconds: Math.ceil(codeResendMs / 1000) });
  return account;
}

/** Whether a code of six digits may be mailed; past that a link is, which nobody guesses. */
async function countForget(core: IdentityCore, { mac, browserId }: Account): Promise<boolean> {
  const { codesRecipient, accountWindowMs } = core.limits;
  const bucket = browserId === null ? codeBucket('forget', mac) : `code:forget:browser:${browserId}`;
  const asked = await core.database.withoutCompany((tx) => countEvent(tx, bucket, accountWindowMs));
  return asked <= codesRecipient;
}

async function mailAddressCode(
  core: IdentityCore,
  scenario: 'register' | 'forget',
  email: string,
  { locale }: RequestContext,
): Promise<Sent> {
  const ticket = newToken();
  return core.database.withCompany(nilCompany, async (tx) => {
    const code = await issueCode(core, tx, addressHolder(core, { email, ticket }, scenario));
    await mailCode(core, tx, { scenario, code, to: { email }, locale, facts: [], expiresAt: codeExpiry() });
    return { ...sentNow, ticket };
  });
}

/** Mails the code of a sign-in's second step. */
async function requestLoginCode(core: IdentityCore, ticket: string, context: RequestContext): Promise<Sent> {
  const { codesAddress, codeWindowMs: windowMs } = core.limits;
  await countTry(core, [{ bucket: `code:address:${addressBucket(context.ip)}`, limit: codesAddress, windowMs }]);
  return withTicket(core, ticket, async (tx, held) => {
    const code = await issueCode(core, tx, ticketHolder(held.subject, 'login'));
    if (await mayMail(core, tx, held)) {
      const to = { userId: held.userId };
      await mailCode(core, tx, {
        scenario: 'login',
        code,
        to,
        locale: context.locale,
        facts: [],
        expiresAt: codeExpiry(),
      });
    }
    return { ...sentNow, ticket };
  });
}

/**
 * Whether the account may be mailed one more code. A guarded sign-in beyond the limit is answered as if one were mailed, since a
 * refusal would tell that the password is right.
 * @throws DomainError tooManyRequests
 */
async function mayMail(
  core: IdentityCore,
  tx: Tx,
  { userId, id, browserId, subject, guarded }: HeldTicket,
): Promise<boolean> {
  const account = userId === id ? subject : userId;
  const bucket = browserId === null ? `code:recipient:login:${account}` : `code:login:browser:${browserId}`;
  const { codesRecipient, accountWindowMs } = core.limits;
  if ((await countEvent(tx, bucket, accountWindowMs)) <= codesRecipient) return true;
  if (guarded) return false;
  throw new DomainError('tooManyRequests');
}
