import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { sendCode, sendRegisterCode } from '@causeway/contract/identity.ts';
import { codeResendMs } from '@causeway/contract/identity.ts';
import { newToken } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { countEvent } from '../../../platform/http/throttle.ts';
import { nilCompany } from '../domain.ts';
import { type Account, codeCaptchaSize, findAccount } from './account.ts';
import { mailForgetLink } from './activation.ts';
import { addressHolder, issueCode, ticketHolder } from './code.ts';
import { codeExpiry, mailCode, sentNow } from './code-mail.ts';
import type { IdentityCore, OpenIdentity, OpenIdentityContext } from './dependencies.ts';
import { type HeldTicket, withTicket } from './ticket.ts';
import { codeBucket, countTry, mayTry, soonBucket } from './tries.ts';

/**
 * Codes for people who are not signed in. Each request has a ticket that only the asking browser knows, and a code serves its own
 * ticket alone: strangers' requests and guesses do not touch those of the mailbox's owner (docs/adr/0046). Known and unknown
 * addresses are answered alike; whether there is an account is looked at by the job that mails, after the answer.
 */

type Sent = OutputInput<typeof sendCode>;

export async function requestRegisterCode(
  context: OpenIdentityContext,
  { email, captcha }: Body<typeof sendRegisterCode>,
): Promise<Sent> {
  const account = await acceptRequest(context, 'register', { email, captcha });
  const { codesRecipient: limit, accountWindowMs: windowMs } = context.limits;
  await countTry(context, [{ bucket: codeBucket('register', account.mac), limit, windowMs }]);
  return mailAddressCode(context, 'register', email);
}

export async function requestCode(context: OpenIdentityContext, body: Body<typeof sendCode>): Promise<Sent> {
  if (body.scenario === 'login') return requestLoginCode(context, body.ticket);
  const account = await acceptRequest(context, 'forget', body);
  const within = await countForget(context, account);
  if (within) return mailAddressCode(context, 'forget', body.email);
  const { companyId, userId } = account.member ?? { companyId: nilCompany, userId: nilCompany };
  await context.database.withCompany(companyId, (tx) => mailForgetLink(tx, context, userId));
  return { ...sentNow, ticket: newToken() };
}

/** @throws DomainError captchaFailed, codeTooSoon, tooManyRequests */
async function acceptRequest(
  context: OpenIdentityContext,
  scenario: 'register' | 'forget',
  { email, captcha }: { email: string; captcha: string },
): Promise<Account> {
  const account = await findAccount(context, email);
  const size = account.browserId === null ? await codeCaptchaSize(context, scenario, account.mac) : 0;
  await context.captcha.redeem(captcha, size);
  const address = addressBucket(context.ip);
  const { codesAddress, codeWindowMs } = context.limits;
  await countTry(context, [{ bucket: `code:address:${address}`, limit: codesAddress, windowMs: codeWindowMs }]);
  const soon = { bucket: soonBucket(scenario, account.mac, context), limit: 1, windowMs: codeResendMs };
  const early = await context.database.withoutCompany((tx) => mayTry(tx, [soon]));
  if (early.length > 0) throw new DomainError('codeTooSoon', { seconds: Math.ceil(codeResendMs / 1000) });
  return account;
}

/** Whether a code of six digits may be mailed; past that the mail has a link, which cannot be guessed. */
async function countForget(core: OpenIdentity, { mac, browserId }: Account): Promise<boolean> {
  const { codesRecipient, accountWindowMs } = core.limits;
  const bucket = browserId === null ? codeBucket('forget', mac) : `code:forget:browser:${browserId}`;
  const asked = await core.database.withoutCompany((tx) => countEvent(tx, bucket, accountWindowMs));
  return asked <= codesRecipient;
}

async function mailAddressCode(
  context: OpenIdentityContext,
  scenario: 'register' | 'forget',
  email: string,
): Promise<Sent> {
  const { locale } = context;
  const ticket = newToken();
  return context.database.withCompany(nilCompany, async (tx) => {
    const code = await issueCode(tx, context, addressHolder(context, { email, ticket }, scenario));
    await mailCode(tx, context, { scenario, code, to: { email }, locale, facts: [], expiresAt: codeExpiry() });
    return { ...sentNow, ticket };
  });
}

/** Mails the code of a sign-in's second step. */
async function requestLoginCode(context: OpenIdentityContext, ticket: string): Promise<Sent> {
  const { codesAddress, codeWindowMs: windowMs } = context.limits;
  await countTry(context, [{ bucket: `code:address:${addressBucket(context.ip)}`, limit: codesAddress, windowMs }]);
  return withTicket(context, ticket, async (tx, held) => {
    const code = await issueCode(tx, context, ticketHolder(held.subject, 'login'));
    if (await mayMail(tx, context, held)) {
      const to = { userId: held.userId };
      await mailCode(tx, context, {
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
  tx: Tx,
  core: IdentityCore,
  { userId, id, browserId, subject, guarded }: HeldTicket,
): Promise<boolean> {
  const account = userId === id ? subject : userId;
  const bucket = browserId === null ? `code:recipient:login:${account}` : `code:login:browser:${browserId}`;
  const { codesRecipient, accountWindowMs } = core.limits;
  if ((await countEvent(tx, bucket, accountWindowMs)) <= codesRecipient) return true;
  if (guarded) return false;
  throw new DomainError('tooManyRequests');
}
