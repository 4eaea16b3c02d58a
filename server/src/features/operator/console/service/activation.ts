import { createHmac } from 'node:crypto';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { activateOperator, checkOperatorActivation } from '@causeway/contract/operator.ts';
import { audit } from '../../../../platform/audit/record.ts';
import { newToken, seal, sha256 } from '../../../../platform/crypto/secrets.ts';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { DomainError, RememberedError } from '../../../../platform/domain-error.ts';
import { addressBucket } from '../../../../platform/http/address-bucket.ts';
import {
  codeTries,
  countTry,
  matchTotpStep,
  nilCompany,
  openNewPassword,
  totpEnrolment,
  wordsOf,
} from '../../../identity/index.ts';
import { type ConsoleCore, counterScope, type VisitorContext } from '../dependencies.ts';
import { linkLifetimeMs } from '../domain.ts';
import { postSecurity } from '../post.ts';
import { activateAccount } from '../store/accounts.ts';
import { insertLink, type LinkPurpose, type LinkRow, lockLink, useLink } from '../store/activations.ts';
import { deletePasskeys } from '../store/passkeys.ts';
import { endAccess } from '../store/sessions.ts';

/** The link by which an operator sets password and authenticator; only the hash of its token is kept. */

const secretBytes = 20;
const issuer = 'Causeway Operator';

/** Makes a link, in place of those before it. @returns its address, under the console's `url`, and when it expires */
export async function makeLink(
  tx: PlatformTx,
  url: string,
  operatorId: string,
  purpose: LinkPurpose,
): Promise<{ url: string; expiresAt: Date }> {
  const token = newToken();
  const expiresAt = await insertLink(tx, operatorId, purpose, sha256(token));
  // In the fragment, which no browser sends and no server or proxy logs.
  return { url: new URL(`/activate#${token}`, url).href, expiresAt };
}

/**
 * The secret of the authenticator that a link binds: the same each time, and only with the process's own secret, so that an old mail
 * does not hold the second factor.
 */
function enrolledSecret({ keys }: Pick<ConsoleCore, 'keys'>, token: string): Buffer {
  return createHmac('sha256', keys.enrolment).update(token).digest().subarray(0, secretBytes);
}

async function countAddress(context: VisitorContext): Promise<void> {
  const { resetsAddress: limit, codeWindowMs: windowMs } = context.limits;
  const bucket = `${counterScope}activation:address:${addressBucket(context.ip)}`;
  await countTry(context, [{ bucket, limit, windowMs }]);
}

async function withLink<T>(
  { database }: VisitorContext,
  token: string,
  work: (tx: Tx, link: LinkRow) => Promise<T>,
): Promise<T> {
  return database.withCompany(nilCompany, async (tx) => {
    const link = await lockLink(tx, sha256(token));
    if (!link) throw new DomainError('activationInvalid');
    return work(tx, link);
  });
}

/** Whose account a link opens. @throws DomainError activationInvalid, tooManyRequests */
export async function checkActivation(
  context: VisitorContext,
  { token }: Body<typeof checkOperatorActivation>,
): Promise<OutputInput<typeof checkOperatorActivation>> {
  await countAddress(context);
  const link = await withLink(context, token, async (_tx, found) => found);
  const { name, email, role, language, expiresAt } = link;
  const enrolment = totpEnrolment(enrolledSecret(context, token), email, issuer);
  return { name, email, role, language, expiresAt: expiresAt.toISOString(), ...enrolment };
}

/**
 * Sets the password and binds the authenticator. Whatever opened the account before ends.
 * @throws DomainError activationInvalid, passwordRule, passwordCommon, passwordPersonal, passwordUndecipherable, tooManyRequests;
 * RememberedError codeWrong
 */
export async function activate(
  context: VisitorContext,
  { token, password: jwe, code }: Body<typeof activateOperator>,
): Promise<void> {
  await countAddress(context);
  const { email, name } = await withLink(context, token, async (_tx, found) => found);
  const personal = wordsOf({ email, firstName: name });
  const password = await openNewPassword(context, { jwe, field: 'password', personal });
  const bucket = `${counterScope}activation:code:${sha256(token).toString('base64url')}`;
  await countTry(context, [{ bucket, limit: 4 * codeTries, windowMs: linkLifetimeMs }]);
  const passwordHash = await context.passwords.hash(password);
  await withLink(context, token, async (tx, link) => {
    const { operatorId, purpose } = link;
    const secret = enrolledSecret(context, token);
    const step = matchTotpStep(secret, code, context.clock.now(), 0);
    if (step === null) throw new RememberedError('codeWrong', {}, { code: 'error.codeWrong' });
    await useLink(tx, link.id);
    await activateAccount(tx, operatorId, {
      passwordHash,
      totpSecret: seal(context.keys.totp, secret, operatorId),
      step,
    });
    await deletePasskeys(tx, operatorId, null);
    await endAccess(tx, operatorId, null);
    const { ip, requestId } = context;
    await audit(tx, {
      actor: { kind: 'operator', id: operatorId, ip, requestId },
      action: purpose === 'invitation' ? 'staff.activate' : 'staff.activateAgain',
      subjectKind: 'operator',
      subjectId: operatorId,
    });
    if (purpose === 'reset') await postSecurity(tx, context, { ...link, id: operatorId }, 'passwordChanged');
  });
}
