import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { operatorCaptcha, operatorLogin } from '@causeway/contract/operator.ts';
import { audit } from '../../../../platform/audit/record.ts';
import { macOf, sha256 } from '../../../../platform/crypto/secrets.ts';
import { DomainError } from '../../../../platform/domain-error.ts';
import { addressBucket } from '../../../../platform/http/address-bucket.ts';
import { eventsIn, uncountEvent } from '../../../../platform/http/throttle.ts';
import { newId } from '../../../../platform/ids.ts';
import {
  captchaSizeOf,
  captchaSizes,
  countTry,
  emailKey,
  makeTicket,
  mayTry,
  nilCompany,
} from '../../../identity/index.ts';
import { counterScope, type VisitorContext } from '../dependencies.ts';
import { type CredentialRow, findCredentialByEmail } from '../store/accounts.ts';
import { insertTicket } from '../store/sessions.ts';

/**
 * The first step of an operator's sign-in: email and password. An unknown email, a wrong password and a disabled account run the same
 * statements and get the same answer. Strangers' failures lock no account: the captcha grows, and after ten of a day the ticket is
 * given whether or not the password was right, so that a stranger does not learn it (as for companies, docs/adr/0046-…).
 */

function macOfEmail({ keys }: VisitorContext, email: string): string {
  return macOf(keys.email, emailKey(email)).toString('base64url');
}

const accountBucket = (mac: string) => `${counterScope}login:account:${mac}`;
const networkBucket = (ip: string) => `${counterScope}login:address:${addressBucket(ip)}`;

async function captchaSize(context: VisitorContext, mac: string): Promise<number> {
  const { loginCaptchaAccount, loginCaptchaAddress } = context.limits;
  const [account, address] = await context.database.withoutCompany(async (tx) => [
    await eventsIn(tx, accountBucket(mac)),
    await eventsIn(tx, networkBucket(context.ip)),
  ]);
  return Math.max(captchaSizeOf(account, loginCaptchaAccount), captchaSizeOf(address, loginCaptchaAddress));
}

/** A challenge of the size that a sign-in with this email asks of this address now. */
export async function prepareLogin(
  context: VisitorContext,
  { email }: Body<typeof operatorCaptcha>,
): Promise<OutputInput<typeof operatorCaptcha>> {
  return context.captcha.challenge(
    Math.max(captchaSizes.least, await captchaSize(context, macOfEmail(context, email))),
  );
}

/**
 * @returns a ticket for the second step
 * @throws DomainError loginFailed (whatever was wrong), captchaRequired, captchaFailed, passwordUndecipherable, tooManyRequests
 */
export async function login(
  context: VisitorContext,
  { email, password, captcha }: Body<typeof operatorLogin>,
): Promise<OutputInput<typeof operatorLogin>> {
  const mac = macOfEmail(context, email);
  const size = await captchaSize(context, mac);
  if (size > 0) {
    if (captcha === undefined) throw new DomainError('captchaRequired', {}, { captcha: 'field.captcha' });
    await context.captcha.redeem(captcha, size);
  }
  const clear = await context.passwords.decrypt(password);
  const guarded = await countLogin(context, mac);
  const found = await context.database.withoutCompany((tx) => findCredentialByEmail(tx, email));
  const account = found?.state === 'active' ? found : null;
  const right = await context.passwords.matches(account?.passwordHash ?? null, clear);
  const ticket = makeTicket(context, guarded);
  if (account !== null && right) {
    const { id: operatorId, hasPasskey } = account;
    await context.database.withCompany(nilCompany, (tx) =>
      insertTicket(tx, { id: newId(), operatorId, tokenSha256: sha256(ticket) }),
    );
    if (guarded) return { ticket, factors: ['authenticator'] };
    await context.database.withoutCompany(async (tx) => {
      await uncountEvent(tx, accountBucket(mac));
      await uncountEvent(tx, networkBucket(context.ip));
    });
    return { ticket, factors: hasPasskey ? ['authenticator', 'passkey'] : ['authenticator'] };
  }
  await recordFailure(context, found, mac);
  if (!guarded) throw new DomainError('loginFailed');
  return { ticket, factors: ['authenticator'] };
}

/** Counts the try before it is made. True when there were so many that password and code are judged together. */
async function countLogin(context: VisitorContext, mac: string): Promise<boolean> {
  const { accountWindowMs, loginAccount, loginAddress, loginWindowMs } = context.limits;
  const [over] = await context.database.withoutCompany((tx) =>
    mayTry(tx, [{ bucket: accountBucket(mac), limit: loginAccount, windowMs: accountWindowMs }]),
  );
  await countTry(context, [{ bucket: networkBucket(context.ip), limit: loginAddress, windowMs: loginWindowMs }]);
  return over !== undefined;
}

async function recordFailure(
  { database, ip, requestId }: VisitorContext,
  account: CredentialRow | null,
  mac: string,
): Promise<void> {
  await database.withCompany(nilCompany, (tx) =>
    audit(tx, {
      actor: { kind: 'system', id: 'operator', ip, requestId },
      action: 'staff.signInFailed',
      subjectKind: account ? 'operator' : 'address',
      subjectId: account?.id ?? mac,
      detail: { step: 'password' },
    }),
  );
}
