import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { type CodeSubject, codePermissions, type sendUserCode } from '@causeway/contract/identity.ts';
import { localeOf } from '@causeway/contract/locale.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { findContacts } from '../store/members.ts';
import { issueCode, memberHolder } from './code.ts';
import { codeExpiry, mailCode, sentNow } from './code-mail.ts';
import type { CodeFact, IdentityCore, MemberContext, OpenMemberContext } from './dependencies.ts';
import { countTry, mayTry } from './tries.ts';

/** Codes for the person signed in: for another password, or for what a code of scenario `transaction` confirms. */

type Sent = OutputInput<typeof sendUserCode>;

/** @throws DomainError noPermission, and what the subject's own feature throws for content it cannot describe */
export async function requestUserCode(context: OpenMemberContext, body: Body<typeof sendUserCode>): Promise<Sent> {
  const { session } = context;
  const subject = body.scenario === 'transaction' ? body.subject : null;
  const needed = subject === null ? 'signed-in' : codePermissions[subject.kind];
  if (needed !== 'signed-in' && !session.permissions.includes(needed)) throw new DomainError('noPermission');
  const { codesAddress, codesMember, codeWindowMs: windowMs } = context.limits;
  await countTry(context, [
    { bucket: `code:recipient:member:${session.userId}`, limit: codesMember, windowMs },
    { bucket: `code:address:${addressBucket(context.ip)}`, limit: codesAddress, windowMs },
  ]);
  return context.database.withCompany(session.companyId, async (tx) => {
    if (subject !== null) return requestTransactionCode(tx, context, subject);
    const code = await issueCode(tx, context, memberHolder(session.userId, 'update_psd'));
    const to = { userId: session.userId };
    await mailCode(tx, context, {
      scenario: 'update_psd',
      code,
      to,
      locale: context.locale,
      facts: [],
      expiresAt: codeExpiry(),
    });
    return { ...sentNow, recipient: 'initiator' };
  });
}

/** The code is the initiator's, whatever its recipient: it counts against their tries and proves their content. */
async function requestTransactionCode(
  tx: Tx,
  context: MemberContext,
  { kind, content }: { kind: CodeSubject; content: Record<string, unknown> },
): Promise<Sent> {
  const { session } = context;
  const subject = context.confirmed[kind];
  if (!subject) throw new DomainError('notFound');
  const { describe, goesToRecipients } = subject;
  const [others = []] = goesToRecipients ? await context.findCodeRecipients(tx, [session]) : [];
  const contacts = await findContacts(tx);
  const own = contacts.find(({ userId }) => userId === session.userId);
  const locale = own ? localeOf(own.language) : context.locale;
  const { digest, facts } = await describe(tx, session, content, locale);
  const readers = contacts.filter(({ userId }) => others.includes(userId));
  const code = await issueCode(tx, context, memberHolder(session.userId, 'transaction'), digest);
  const letter = { scenario: 'transaction', code, expiresAt: codeExpiry() } as const;
  if (readers.length === 0) {
    const told = factsFor(facts, session.permissions);
    await mailCode(tx, context, { ...letter, to: { userId: session.userId }, locale, facts: told });
    return { ...sentNow, recipient: 'initiator' };
  }
  await countMailsToOthers(tx, context, session.userId);
  for (const reader of readers) {
    const theirs = localeOf(reader.language);
    const said = theirs === locale ? facts : (await describe(tx, session, content, theirs)).facts;
    // Administrators, who may see all of it.
    await mailCode(tx, context, {
      ...letter,
      askedBy: session.userName,
      to: { userId: reader.userId },
      locale: theirs,
      facts: said.map(shown),
    });
  }
  return { ...sentNow, recipient: 'administrator' };
}

/** A mail shows its reader nothing that the reader's role may not see. */
function factsFor(facts: readonly CodeFact[], permissions: readonly Permission[]): Shown[] {
  return facts.filter(({ needs }) => needs === undefined || permissions.includes(needs)).map(shown);
}

type Shown = Omit<CodeFact, 'needs'>;

function shown({ needs: _, ...fact }: CodeFact): Shown {
  return fact;
}

/** In the same transaction, so that only mails that are sent count. @throws DomainError tooManyRequests */
async function countMailsToOthers(tx: Tx, core: IdentityCore, userId: string): Promise<void> {
  const { codesToOthers: limit, codeWindowMs: windowMs } = core.limits;
  const exceeded = await mayTry(tx, [{ bucket: `code:others:${userId}`, limit, windowMs }]);
  if (exceeded.length > 0) throw new DomainError('tooManyRequests');
}
