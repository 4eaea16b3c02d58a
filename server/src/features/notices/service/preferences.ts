import type { Body } from '@causeway/contract/call.ts';
import { type NoticePreferences, noticeGroups, type setNoticePreferences } from '@causeway/contract/notices.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { findContacts } from '../../identity/index.ts';
import { isFixed } from '../domain.ts';
import { findPreferences, savePreferences } from '../store/preferences.ts';

/** Of which groups this person also wants mails: of all that they have not switched off. */
export async function getPreferences(tx: Tx, { session: { userId } }: SignedInContext): Promise<NoticePreferences> {
  const [contact] = await findContacts(tx, userId);
  if (!contact) throw new DomainError('sessionEnded');
  const chosen = await findPreferences(tx, userId);
  const groups = noticeGroups.map((group) => ({
    group,
    mail: isFixed(group) || (chosen.get(group) ?? true),
    fixed: isFixed(group),
  }));
  return { email: contact.email, groups };
}

/** Chooses for some groups; the others stay. @throws DomainError noticeMailFixed */
export async function setPreferences(
  tx: Tx,
  context: SignedInContext,
  { groups: wanted }: Body<typeof setNoticePreferences>,
): Promise<NoticePreferences> {
  const { userId } = context.session;
  if (wanted.some(({ group, mail }) => isFixed(group) && !mail)) throw new DomainError('noticeMailFixed');
  const before = mailsOf(await getPreferences(tx, context));
  // Named twice, the last counts.
  const chosen = [...new Map(wanted.map((choice) => [choice.group, choice])).values()];
  await savePreferences(tx, userId, chosen);
  const preferences = await getPreferences(tx, context);
  await audit(tx, {
    actor: actorOf(context),
    action: 'notices.setPreferences',
    subjectKind: 'member',
    subjectId: userId,
    detail: { before: { mail: before }, after: { mail: mailsOf(preferences) } },
  });
  return preferences;
}

function mailsOf({ groups }: NoticePreferences): Record<string, boolean> {
  return Object.fromEntries(groups.map(({ group, mail }) => [group, mail]));
}
