import { createHash } from 'node:crypto';
import { type Locale, localeOf } from '@causeway/contract/locale.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { JobContext, JobDefinition } from '../../platform/jobs/jobs.ts';
import { type Letter, layOut, type Mailer } from '../../platform/text/mail.ts';
import { hasText, translate } from '../../platform/text/texts.ts';
import { findContacts, findFormerContact, identityEvents } from '../identity/index.ts';
import { type ControlChanged, findPeople, organisationEvents } from '../organisation/index.ts';
import { groupOf, isAlert, isFixed, linkFor, reachesFormer, render, sayFact } from './domain.ts';
import { announcementPublished, type MailDue, mailDue } from './events.ts';
import { mailAnnouncement } from './service/announcing.ts';
import { notify } from './service/giving.ts';
import { findMailed, type MailedNotice, markMailed } from './store/giving.ts';
import { findPreferences } from './store/preferences.ts';

interface Mailing {
  mailer: Mailer;
  publicUrl: string;
}

/** Mails of notices, one for each person, and the notices of what happened to a person's account. */
export function noticeJobs(deps: Mailing): JobDefinition[] {
  return [
    {
      name: 'notices.mail',
      on: [mailDue],
      run: (context, payload) => mail(context, deps, payload as unknown as MailDue),
    },
    {
      name: 'notices.mailAnnouncement',
      on: [announcementPublished],
      run: ({ database }, payload) => mailAnnouncement(database, String(payload['announcementId'])),
    },
    {
      // Identity is left of notices and cannot give any: it announces, and sends its own mails.
      name: 'notices.security',
      on: [identityEvents.security],
      run: ({ companyId, database }, payload) =>
        database.withCompany(companyId, async (tx) => {
          await noteSecurity(tx, payload);
        }),
    },
    {
      // So does organisation of what is done to those who may change approval rules.
      name: 'notices.control',
      on: [organisationEvents.controlChanged],
      run: ({ companyId, database }, payload) =>
        database.withCompany(companyId, async (tx) => {
          const { id, what, values, link, to } = payload as unknown as ControlChanged;
          await notify(tx, { kind: `security.${what}`, sourceId: id, values, link, to });
        }),
    },
  ];
}

async function mail({ companyId, database }: JobContext, { mailer, publicUrl }: Mailing, due: MailDue): Promise<void> {
  const { noticeId, userId } = due;
  const { notice, contact, chosen, permissions } = await database.withCompany(companyId, async (tx) => {
    const found = await findMailed(tx, noticeId, userId);
    invariant(found, `notice ${noticeId} is there`);
    const former = found.kind !== null && reachesFormer(found.kind);
    return {
      notice: found,
      contact: former ? await findFormerContact(tx, userId) : (await findContacts(tx, userId))[0],
      chosen: await findPreferences(tx, userId),
      permissions: (await findPeople(tx, [userId]))[0]?.permissions ?? [],
    };
  });
  const group = notice.kind === null ? 'announcement' : groupOf(notice.kind);
  const isChosen = notice.kind !== null && isAlert(notice.kind);
  const wanted = isChosen || isFixed(group) || (chosen.get(group) ?? true);
  // Disabled since, out already, or not wanted.
  if (!contact || notice.sent || !wanted) return;
  const locale = localeOf(contact.language);
  await mailer.send(layOut(contact.email, locale, letterOf(notice, { locale, permissions }, publicUrl)));
  await database.withCompany(companyId, (tx) => markMailed(tx, noticeId, userId));
}

/** Whom a mail is for. */
interface MailReader {
  locale: Locale;
  permissions: readonly Permission[];
}

function letterOf(notice: MailedNotice, { locale, permissions }: MailReader, publicUrl: string): Letter {
  if (notice.texts) {
    const { title, body } = notice.texts[locale];
    // The operator's own words, whole: there is nothing more to be seen in the console.
    return { subject: title, paragraphs: body.split(/\r?\n\s*\n/) };
  }
  const reader = { locale, timeZone: notice.timeZone };
  const { title, body } = render(notice.kind, notice.values, reader);
  return {
    subject: title,
    paragraphs: [body],
    facts: notice.facts.map((fact) => sayFact(fact, reader)),
    link: {
      label: translate(locale, 'notice.mailLink'),
      url: new URL(linkFor(notice.link, permissions) ?? noticesOf(permissions), publicUrl).href,
    },
  };
}

/** Where a reader sees the notice itself; home for those who may not read notices. */
function noticesOf(permissions: readonly Permission[]): string {
  return permissions.includes('notice.view') ? '/app/notice-center' : '/app/home';
}

/** By what happened: which notice tells of it. */
const securityKinds: readonly (readonly [RegExp, string])[] = [
  [/^password/, 'account.passwordChanged'],
  [/^passkey/, 'account.passkeyChanged'],
  [/^newDevice/, 'account.newDevice'],
];

async function noteSecurity(tx: Tx, payload: Record<string, unknown>): Promise<void> {
  const { userId, what, at, ip } = payload;
  invariant(typeof userId === 'string' && typeof what === 'string', 'the event says whose account, and what happened');
  const text = `notice.what.${what}`;
  await notify(tx, {
    kind: securityKinds.find(([start]) => start.test(what))?.[1] ?? 'account.mfaChanged',
    sourceId: idOf(`${userId} ${what} ${String(at)}`),
    values: {
      what: { text: hasText('en-us', text) ? text : 'notice.what.other' },
      time: { at: String(at) },
      ip: String(ip),
    },
    link: '/app/account',
    to: [userId],
    mailTo: [],
  });
}

/** An id that is the same for the same event, however often its job runs. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
