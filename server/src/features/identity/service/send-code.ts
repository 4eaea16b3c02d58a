import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { CodeSubject, sendCode, sendRegisterCode, sendUserCode } from '@causeway/contract/identity.ts';
import { codeLifetimeMs, codeResendMs } from '@causeway/contract/identity.ts';
import { type Locale, localeOf } from '@causeway/contract/locale.ts';
import { addressBucket } from '../../../platform/address-bucket.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { announce } from '../../../platform/outbox.ts';
import { seal, sha256 } from '../../../platform/secrets.ts';
import type { RequestContext, SignedInContext } from '../../../platform/session.ts';
import { nilCompany } from '../domain.ts';
import { identityEvents } from '../events.ts';
import type { CodeLetter } from '../letters.ts';
import type { CodeHolder } from '../store/codes.ts';
import { findByTicket } from '../store/lookups.ts';
import { findContacts } from '../store/members.ts';
import { lockTicket } from '../store/sessions.ts';
import { addressHolder, issueCode, memberHolder } from './code.ts';
import type { IdentityCore } from './core.ts';
import { countTry } from './tries.ts';

/** Asking for codes. Nothing here looks whether an address is known: the job that mails does, after the answer. */

type Sent = OutputInput<typeof sendCode>;

const sentNow: Sent = { resendAfterMs: codeResendMs, expiresAfterMs: codeLifetimeMs };

export async function requestRegisterCode(
  core: IdentityCore,
  { email, captcha }: Body<typeof sendRegisterCode>,
  context: RequestContext,
): Promise<Sent> {
  return requestAddressCode(core, 'register', email, captcha, context);
}

export async function requestCode(
  core: IdentityCore,
  body: Body<typeof sendCode>,
  context: RequestContext,
): Promise<Sent> {
  if (body.scenario === 'forget') return requestAddressCode(core, 'forget', body.email, body.captcha, context);
  const token = sha256(body.ticket);
  const member = await core.database.withoutCompany((tx) => findByTicket(tx, token));
  if (!member) throw new DomainError('signInExpired');
  await countIssue(core, `login:${member.userId}`, core.limits.codesRecipient, context);
  return core.database.withCompany(member.companyId, async (tx) => {
    if (!(await lockTicket(tx, token))) throw new DomainError('signInExpired');
    return issueToMember(core, tx, member.userId, 'login', context.locale);
  });
}

/** @throws what the subject's own feature throws for content it cannot describe */
export async function requestUserCode(
  core: IdentityCore,
  body: Body<typeof sendUserCode>,
  context: SignedInContext,
): Promise<OutputInput<typeof sendUserCode>> {
  const { session } = context;
  await countIssue(core, `member:${session.userId}`, core.limits.codesMember, context);
  return core.database.withCompany(session.companyId, async (tx) => {
    if (body.scenario === 'transaction') return requestTransactionCode(core, tx, body.subject, context);
    const sent = await issueToMember(core, tx, session.userId, 'update_psd', context.locale);
    return { ...sent, recipient: 'initiator' };
  });
}

/** The code is the initiator's, whoever is mailed it: it counts against their tries and proves their content. */
async function requestTransactionCode(
  core: IdentityCore,
  tx: Tx,
  { kind, content }: { kind: CodeSubject; content: Record<string, unknown> },
  context: SignedInContext,
): Promise<OutputInput<typeof sendUserCode>> {
  const { session } = context;
  const describe = core.describeSubject[kind];
  if (!describe) throw new DomainError('notFound');
  const others = kind === 'transfer' ? await core.findCodeRecipients(tx, session.userId) : [];
  const readers = others.length === 0 ? [] : (await findContacts(tx)).filter(({ userId }) => others.includes(userId));
  const [own] = await findContacts(tx, session.userId);
  const locale = own ? localeOf(own.language) : context.locale;
  const { digest, facts } = await describe(tx, session, content, locale);
  if (readers.length === 0) {
    const sent = await issueToMember(core, tx, session.userId, 'transaction', locale, { digest, facts });
    return { ...sent, recipient: 'initiator' };
  }
  const code = await issueCode(core, tx, memberHolder(session.userId, 'transaction'), digest);
  const letter = { scenario: 'transaction', code, askedBy: session.userName, expiresAt: expiry() } as const;
  for (const { userId, language } of readers) {
    const theirs = localeOf(language);
    const told = theirs === locale ? facts : (await describe(tx, session, content, theirs)).facts;
    await mailCode(core, tx, { ...letter, to: { userId }, locale: theirs, facts: told });
  }
  return { ...sentNow, recipient: 'administrator' };
}

async function requestAddressCode(
  core: IdentityCore,
  scenario: 'register' | 'forget',
  email: string,
  captcha: string,
  context: RequestContext,
): Promise<Sent> {
  await core.captcha.redeem(captcha);
  const holder = addressHolder(core, email, scenario);
  await countIssue(core, `${scenario}:${holder.subject}`, core.limits.codesRecipient, context);
  return core.database.withCompany(nilCompany, async (tx) => {
    const code = await issueCode(core, tx, holder);
    return mailCode(core, tx, {
      scenario,
      code,
      to: { email },
      locale: context.locale,
      facts: [],
      expiresAt: expiry(),
    });
  });
}

async function issueToMember(
  core: IdentityCore,
  tx: Tx,
  userId: string,
  scenario: Extract<CodeHolder['scenario'], 'login' | 'update_psd' | 'transaction'>,
  locale: Locale,
  subject: { digest: string; facts: CodeLetter['facts'] } = { digest: '', facts: [] },
): Promise<Sent> {
  const code = await issueCode(core, tx, memberHolder(userId, scenario), subject.digest);
  return mailCode(core, tx, { scenario, code, to: { userId }, locale, facts: subject.facts, expiresAt: expiry() });
}

async function mailCode(core: IdentityCore, tx: Tx, letter: CodeLetter): Promise<Sent> {
  const sealed = seal(core.keys.mail, Buffer.from(JSON.stringify(letter)), identityEvents.codeRequested);
  await announce(tx, [{ name: identityEvents.codeRequested, payload: { sealed: sealed.toString('base64') } }]);
  return sentNow;
}

function expiry(): string {
  return new Date(Date.now() + codeLifetimeMs).toISOString();
}

async function countIssue(core: IdentityCore, recipient: string, limit: number, { ip }: RequestContext): Promise<void> {
  const { codesAddress, codeWindowMs: windowMs } = core.limits;
  await countTry(core, [
    { bucket: `code:recipient:${recipient}`, limit, windowMs },
    { bucket: `code:address:${addressBucket(ip)}`, limit: codesAddress, windowMs },
  ]);
}
