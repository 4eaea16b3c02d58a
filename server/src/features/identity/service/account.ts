import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { getCaptcha, prepareCaptcha as prepareCall } from '@causeway/contract/identity.ts';
import { addressBucket } from '../../../platform/address-bucket.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { eventsIn } from '../../../platform/throttle.ts';
import { captchaSizeOf, captchaSizes, nilCompany } from '../domain.ts';
import { findByEmail, type MemberRef } from '../store/lookups.ts';
import { type CredentialRow, findCredential } from '../store/members.ts';
import { emailMac } from './code.ts';
import type { IdentityCore } from './core.ts';
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

/** For an unknown address the same statements run, in the company that nobody has, and find nothing. */
export async function findAccount(core: IdentityCore, email: string, context: RequestContext): Promise<Account> {
  const member = await core.database.withoutCompany((tx) => findByEmail(tx, email));
  const { companyId, userId } = member ?? { companyId: nilCompany, userId: nilCompany };
  return core.database.withCompany(companyId, async (tx) => ({
    mac: emailMac(core, email),
    member,
    credential: await findCredential(tx, userId),
    browserId: await findBrowser(core, tx, userId, context),
  }));
}

/** @throws DomainError captchaRequired, captchaFailed */
export async function requireLoginCaptcha(
  core: IdentityCore,
  mac: string,
  context: RequestContext,
  solution: string | undefined,
): Promise<void> {
  const size = await loginCaptchaSize(core, mac, context);
  if (size === 0) return;
  if (solution === undefined) throw new DomainError('captchaRequired', {}, { captcha: 'field.captcha' });
  await core.captcha.redeem(solution, size);
}

/** A challenge of the size that this step asks of this browser now; known and unknown addresses are counted alike. */
export async function prepareCaptcha(
  core: IdentityCore,
  { scenario, email }: Body<typeof prepareCall>,
  context: RequestContext,
): Promise<OutputInput<typeof getCaptcha>> {
  const { browserId, mac } = await findAccount(core, email, context);
  const known =
    browserId !== null && (await core.database.withoutCompany((tx) => isBrowserTrusted(core, tx, browserId)));
  const needed = scenario === 'login' ? loginCaptchaSize(core, mac, context) : codeCaptchaSize(core, scenario, mac);
  return core.captcha.challenge(known ? captchaSizes.least : Math.max(captchaSizes.least, await needed));
}

/** The captcha of a code that is mailed to an address; there is always one. */
export async function codeCaptchaSize(
  core: IdentityCore,
  scenario: 'register' | 'forget',
  mac: string,
): Promise<number> {
  const asked = await core.database.withoutCompany((tx) => eventsIn(tx, codeBucket(scenario, mac)));
  return Math.max(captchaSizes.least, captchaSizeOf(asked, core.limits.codesCaptcha));
}

async function loginCaptchaSize(core: IdentityCore, mac: string, { ip }: RequestContext): Promise<number> {
  const { loginCaptchaAccount, loginCaptchaAddress } = core.limits;
  const [account, address] = await core.database.withoutCompany(async (tx) => [
    await eventsIn(tx, loginBucket(mac)),
    await eventsIn(tx, `login:address:${addressBucket(ip)}`),
  ]);
  return Math.max(captchaSizeOf(account, loginCaptchaAccount), captchaSizeOf(address, loginCaptchaAddress));
}
