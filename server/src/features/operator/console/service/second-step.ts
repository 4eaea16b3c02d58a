import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type {
  operatorLoginCode,
  operatorLoginPasskey,
  operatorLoginPasskeyOptions,
} from '@causeway/contract/operator.ts';
import type { OperatorFactor } from '@causeway/contract/operator-rules.ts';
import { audit } from '../../../../platform/audit/record.ts';
import { newToken, sha256 } from '../../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../../platform/database/database.ts';
import { DomainError, RememberedError } from '../../../../platform/domain-error.ts';
import { addressBucket } from '../../../../platform/http/address-bucket.ts';
import { uncountEvent } from '../../../../platform/http/throttle.ts';
import { newId } from '../../../../platform/ids.ts';
import {
  challengeOf,
  codeTries,
  deviceKey,
  deviceOf,
  isCounterBack,
  judgeTotp,
  mayTry,
  newChallenge,
  nilCompany,
  readTicket,
  requestOptionsOf,
  ticketLifetimeMs,
  userAgentOf,
  verifyAssertion,
} from '../../../identity/index.ts';
import { counterScope, type VisitorContext } from '../dependencies.ts';
import { postSecurity, recordSecurity } from '../post.ts';
import { type CredentialRow, lockCredential, useStep } from '../store/accounts.ts';
import {
  findPasskeys,
  insertChallenge,
  lockPasskey,
  markSuspected,
  takeChallenge,
  updateUse,
} from '../store/passkeys.ts';
import { insertSession, lockTicket, noteDevice, useTicket } from '../store/sessions.ts';

/** The second step of an operator's sign-in. A guarded ticket that leads nowhere is answered as one whose code was wrong. */

/** A sign-in at its second step; `account` is null when its ticket leads nowhere. */
interface Held {
  ticketId: string | null;
  account: CredentialRow | null;
  guarded: boolean;
}

/** Runs `work` with the ticket's sign-in, ticket and account locked. @throws DomainError signInExpired */
async function withTicket<T>(
  context: VisitorContext,
  token: string,
  work: (tx: Tx, held: Held) => Promise<T>,
): Promise<T> {
  const guarded = readTicket(context, token);
  if (guarded === null) throw new DomainError('signInExpired');
  return context.database.withCompany(nilCompany, async (tx) => {
    const ticket = await lockTicket(tx, sha256(token));
    const account = ticket && (await lockCredential(tx, ticket.operatorId));
    // Disabled, or reset, while this waited for the row.
    const holds = account?.state === 'active';
    if (!holds && !guarded) throw new DomainError('signInExpired');
    return work(
      tx,
      holds ? { ticketId: ticket?.id ?? null, account, guarded } : { ticketId: null, account: null, guarded },
    );
  });
}

/**
 * Counts the try before it is made, by ticket, and by account over all of its tickets, which a stranger who knows the password
 * could otherwise go on making.
 * @throws DomainError codeRequestBurnt, tooManyRequests
 */
async function countSecondStep(context: VisitorContext, ticket: string): Promise<string[]> {
  const { loginAddress, loginWindowMs } = context.limits;
  const byTicket = `${counterScope}ticket:${sha256(ticket).toString('base64url')}`;
  const byAddress = `${counterScope}code:address:${addressBucket(context.ip)}`;
  const exceeded = await context.database.withoutCompany((tx) =>
    mayTry(tx, [
      { bucket: byTicket, limit: codeTries, windowMs: ticketLifetimeMs },
      { bucket: byAddress, limit: loginAddress, windowMs: loginWindowMs },
    ]),
  );
  if (exceeded.some(({ bucket }) => bucket === byTicket)) {
    throw new DomainError('codeRequestBurnt', {}, { code: 'error.codeRequestBurnt' });
  }
  if (exceeded.length > 0) throw new DomainError('tooManyRequests');
  return [byAddress];
}

/** Wrong codes of one account, over all tickets. */
const wrongBucket = (operatorId: string) => `${counterScope}code:wrong:${operatorId}`;

async function countAccount(tx: Tx, context: VisitorContext, { account, guarded }: Held): Promise<void> {
  if (!account) return;
  const { wrongCodes: limit, accountWindowMs: windowMs } = context.limits;
  const [over] = await mayTry(tx, [{ bucket: wrongBucket(account.id), limit, windowMs }]);
  if (!over) return;
  // A guarded sign-in must not tell that the password is right.
  throw guarded ? wrongCode() : new RememberedError('tooManyRequests');
}

function wrongCode(): RememberedError {
  return new RememberedError('codeWrong', {}, { code: 'error.codeWrong' });
}

/** @throws DomainError signInExpired, codeRequestBurnt, tooManyRequests; RememberedError codeWrong */
export async function loginWithCode(
  context: VisitorContext,
  { ticket, code }: Body<typeof operatorLoginCode>,
): Promise<OutputInput<typeof operatorLoginCode>> {
  const counted = await countSecondStep(context, ticket);
  const answer = await withTicket(context, ticket, async (tx, held) => {
    await countAccount(tx, context, held);
    const { account, ticketId } = held;
    if (!account || !ticketId) throw wrongCode();
    const bound = { secret: account.totpSecret, lastStep: account.totpLastStep };
    const judged = judgeTotp(context, account.id, bound, code);
    if (judged === 'unbound' || judged === 'wrong') {
      await recordRefusal(tx, context, account, 'authenticator');
      throw wrongCode();
    }
    await useStep(tx, account.id, judged);
    return openSession(tx, context, account, { ticketId, factor: 'authenticator' });
  });
  await takeBack(context, counted);
  return answer;
}

/** @throws DomainError signInExpired, passkeyNone, tooManyRequests */
export async function startPasskeyLogin(
  context: VisitorContext,
  { ticket }: Body<typeof operatorLoginPasskeyOptions>,
): Promise<OutputInput<typeof operatorLoginPasskeyOptions>> {
  const { codesAddress: limit, codeWindowMs: windowMs } = context.limits;
  const bucket = `${counterScope}passkey:address:${addressBucket(context.ip)}`;
  const over = await context.database.withoutCompany((tx) => mayTry(tx, [{ bucket, limit, windowMs }]));
  if (over.length > 0) throw new DomainError('tooManyRequests');
  return withTicket(context, ticket, async (tx, { account, ticketId, guarded }) => {
    // To offer the passkeys would tell that the password is right.
    if (guarded || !account) throw new DomainError('passkeyNone');
    const usable = (await findPasskeys(tx, account.id)).filter(({ suspectedAt }) => suspectedAt === null);
    if (usable.length === 0) throw new DomainError('passkeyNone');
    const challenge = newChallenge();
    await insertChallenge(tx, { operatorId: account.id, purpose: 'login', ticketId }, sha256(challenge));
    return requestOptionsOf(context.site, usable, challenge);
  });
}

/**
 * @throws DomainError signInExpired, passkeyExpired; RememberedError passkeyRefused, passkeySuspected (the challenge is used up all
 * the same, and a copied passkey is marked)
 */
export async function loginWithPasskey(
  context: VisitorContext,
  { ticket, response }: Body<typeof operatorLoginPasskey>,
): Promise<OutputInput<typeof operatorLoginPasskey>> {
  const challenge = challengeOf(response);
  return withTicket(context, ticket, async (tx, { account, ticketId }) => {
    if (!account || !ticketId || challenge === null) throw new DomainError('passkeyExpired');
    const held = { operatorId: account.id, purpose: 'login', ticketId } as const;
    if (!(await takeChallenge(tx, held, sha256(challenge)))) throw new DomainError('passkeyExpired');
    await usePasskey(tx, context, account, { response, challenge });
    return openSession(tx, context, account, { ticketId, factor: 'passkey' });
  });
}

async function usePasskey(
  tx: Tx,
  context: VisitorContext,
  account: CredentialRow,
  { response, challenge }: { response: Body<typeof operatorLoginPasskey>['response']; challenge: string },
): Promise<void> {
  const known = await lockPasskey(tx, account.id, Buffer.from(response.id, 'base64url'));
  const seen = known && (await verifyAssertion(context.site, response, challenge, known));
  if (!known || !seen) {
    await recordRefusal(tx, context, account, 'passkey');
    throw new RememberedError('passkeyRefused');
  }
  if (known.suspectedAt !== null) throw new RememberedError('passkeySuspected');
  if (isCounterBack(known.signCount, seen.signCount)) {
    await markSuspected(tx, known.id);
    await recordSecurity(tx, context, account, {
      what: 'passkeySuspected',
      action: 'staff.suspectPasskey',
      actor: { kind: 'system', id: 'operator', ip: context.ip, requestId: context.requestId },
      subjectKind: 'passkey',
      subjectId: known.id,
      detail: { name: known.name, counter: { stored: known.signCount, given: seen.signCount } },
    });
    throw new RememberedError('passkeySuspected');
  }
  await updateUse(tx, known.id, seen);
}

async function recordRefusal(
  tx: Tx,
  { ip, requestId }: VisitorContext,
  { id }: CredentialRow,
  method: OperatorFactor,
): Promise<void> {
  await audit(tx, {
    actor: { kind: 'system', id: 'operator', ip, requestId },
    action: 'staff.signInFailed',
    subjectKind: 'operator',
    subjectId: id,
    detail: { step: 'code', method },
  });
}

/** What every second step ends with: the ticket is used up, and the session is open. Its token is kept as a hash alone. */
async function openSession(
  tx: Tx,
  context: VisitorContext,
  account: CredentialRow,
  { ticketId, factor }: { ticketId: string; factor: OperatorFactor },
): Promise<{ accessToken: string }> {
  await useTicket(tx, ticketId);
  await uncountEvent(tx, wrongBucket(account.id));
  const accessToken = newToken();
  const id = newId();
  const { ip, requestId } = context;
  const userAgent = userAgentOf(context);
  await insertSession(tx, { id, operatorId: account.id, tokenSha256: sha256(accessToken), factor, ip, userAgent });
  await audit(tx, {
    actor: { kind: 'operator', id: account.id, ip, requestId },
    action: 'staff.signIn',
    subjectKind: 'session',
    subjectId: id,
    detail: { method: factor },
  });
  if (await noteDevice(tx, account.id, deviceKey(deviceOf(userAgent)))) {
    await postSecurity(tx, context, account, 'newDevice');
  }
  return { accessToken };
}

async function takeBack({ database }: VisitorContext, buckets: readonly string[]): Promise<void> {
  await database.withoutCompany(async (tx) => {
    for (const bucket of buckets) await uncountEvent(tx, bucket);
  });
}
