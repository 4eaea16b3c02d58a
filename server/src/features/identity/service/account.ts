import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { getCaptcha, prepareCaptcha as prepareCall } from '@causeway/contract/identity.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { eventsIn } from '../../../platform/http/throttle.ts';
import { captchaSizeOf, captchaSizes, nilCompany } from '../domain.ts';
import { findByEmail, type MemberRef } from '../store/lookups.ts';
import { type CredentialRow, findCredential } from '../store/members.ts';
import { emailMac } from './code.ts';
import type { OpenIdentity, OpenIdentityContext } from './dependencies.ts';
import { findBrowser, isBrowserTrusted } from './known-browser.ts';
import { codeBucket, loginBucket } from './tries.ts';

/** What is found of an account before its owner is known to be there, and how much work strangers do to try it. */

export interface Account {
  /** The keyed hash of the email address. */
  mac: string;
  member: MemberRef | null;
  credential: CredentialRow | null;
  /** The known browser of this member that asks; null for a stranger. */
  browserId: string | null;
}

/** For an unknown address the same statements run, for a company id that no company has, and find nothing. */
export async function findAccount(context: OpenIdentityContext, email: string): Promise<Account> {
  const member = await context.database.withoutCompany((tx) => findByEmail(tx, email));
  const { companyId, userId } = member ?? { companyId: nilCompany, userId: nilCompany };
  return context.database.withCompany(companyId, async (tx) => ({
    mac: emailMac(context, email),
    member,
    credential: await findCredential(tx, userId),
    browserId: await findBrowser(tx, context, userId),
  }));
}

/** @throws DomainError captchaRequired, captchaFailed */
export async function requireLoginCaptcha(
  context: OpenIdentityContext,
  mac: string,
  solution: string | undefined,
): Promise<void> {
  const size = await loginCaptchaSize(context, mac);
  if (size === 0) return;
  if (solution === undefined) throw new DomainError('captchaRequired', {}, { captcha: 'field.captcha' });
  await context.captcha.redeem(solution, size);
}

/** A challenge of the size that this step asks of this browser now; known and unknown addresses are counted alike. */
export async function prepareCaptcha(
  context: OpenIdentityContext,
  { scenario, email }: Body<typeof prepareCall>,
): Promise<OutputInput<typeof getCaptcha>> {
  const { browserId, mac } = await findAccount(context, email);
  const known =
    browserId !== null && (await context.database.withoutCompany((tx) => isBrowserTrusted(tx, context, browserId)));
  const needed = scenario === 'login' ? loginCaptchaSize(context, mac) : codeCaptchaSize(context, scenario, mac);
  return context.captcha.challenge(known ? captchaSizes.least : Math.max(captchaSizes.least, await needed));
}

/** The captcha of a code that is mailed to an address; there is always one. */
export async function codeCaptchaSize(
  core: OpenIdentity,
  scenario: 'register' | 'forget',
  mac: string,
): Promise<number> {
  const asked = await core.database.withoutCompany((tx) => eventsIn(tx, codeBucket(scenario, mac)));
  return Math.max(captchaSizes.least, captchaSizeOf(asked, core.limits.codesCaptcha));
}

async function loginCaptchaSize(context: OpenIdentityContext, mac: string): Promise<number> {
  const { ip } = context;
  const { loginCaptchaAccount, loginCaptchaAddress } = context.limits;
  const [account, address] = await context.database.withoutCompany(async (tx) => [
    await eventsIn(tx, loginBucket(mac)),
    await eventsIn(tx, `login:address:${addressBucket(ip)}`),
  ]);
  return Math.max(captchaSizeOf(account, loginCaptchaAccount), captchaSizeOf(address, loginCaptchaAddress));
}
