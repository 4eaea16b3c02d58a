import type { KeyObject } from 'node:crypto';
import { localeOf } from '@causeway/contract/locale.ts';
import { deriveKey, unsealWithAny } from '../../platform/crypto/secrets.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { JobContext, JobDefinition } from '../../platform/jobs/jobs.ts';
import { type Sweep, sweepBatch } from '../../platform/jobs/sweeping.ts';
import { type Letter, layOut, type Mailer } from '../../platform/text/mail.ts';
import { memberName } from './domain.ts';
import {
  type ActivationIssued,
  type CodeRequested,
  identityEvents,
  type MemberEvent,
  type SecurityEvent,
} from './events.ts';
import {
  type ActivationLetter,
  activationLetter,
  alreadyRegisteredLetter,
  type CodeLetter,
  codeLetter,
  securityLetter,
  welcomeLetter,
} from './letters.ts';
import { expiringKinds, removeExpired } from './store/expiry.ts';
import { findByEmail } from './store/lookups.ts';
import { type Contact, findCompanyName, findContacts, findInvitee } from './store/members.ts';

export interface IdentityJobDependencies {
  mailer: Mailer;
  mailSecret: string;
  /** Earlier secrets: mails that waited during a rotation are still sent. */
  previousMailSecrets?: readonly string[];
  publicUrl: string;
  /** The time zone (IANA) of this transaction's company, which organisation keeps. */
  timeZoneOf: (tx: Tx) => Promise<string>;
}

/**
 * What has expired: sessions, sign-ins that were begun, trusted browsers, codes, the counts of their wrong tries, and
 * challenges to passkeys that were never answered.
 */
export const identitySweeps: readonly Sweep[] = expiringKinds.map((kind) => ({
  name: `identity.${kind}`,
  run: (database) => database.withoutCompany((tx) => removeExpired(tx, kind, sweepBatch)),
}));

type Locale = ReturnType<typeof localeOf>;

/** Identity's mails. A mail that is sent twice, because a job ran again, does no harm. */
export function identityJobs(deps: IdentityJobDependencies): JobDefinition[] {
  const keys = [deps.mailSecret, ...(deps.previousMailSecrets ?? [])].map((secret) => deriveKey(secret, 'mail'));
  const mailMember = async (context: JobContext, userId: string, write: (locale: Locale) => Letter) => {
    const contact = await contactOf(context, userId);
    if (contact) await send(deps.mailer, contact.email, localeOf(contact.language), write);
  };
  return [
    {
      name: 'identity.mailCode',
      on: [identityEvents.codeRequested],
      run: async (context, payload) => {
        const { sealed } = payload as unknown as CodeRequested;
        const letter = openLetter<CodeLetter>(keys, sealed, identityEvents.codeRequested);
        if (new Date(letter.expiresAt) <= new Date()) return;
        if ('userId' in letter.to) {
          await mailMember(context, letter.to.userId, (locale) => codeLetter(locale, letter));
        } else {
          await mailAddress(context, deps, letter, letter.to.email);
        }
      },
    },
    {
      name: 'identity.mailActivation',
      on: [identityEvents.activationIssued],
      run: async (context, payload) => {
        const { sealed } = payload as unknown as ActivationIssued;
        const letter = openLetter<ActivationLetter>(keys, sealed, identityEvents.activationIssued);
        if (new Date(letter.expiresAt) <= new Date()) return;
        const to = await context.database.withCompany(context.companyId, (tx) => findInvitee(tx, letter.userId));
        if (!to) return;
        await send(deps.mailer, to.email, localeOf(to.language), (locale) =>
          activationLetter(locale, deps.publicUrl, letter, {
            name: `${to.firstName}${to.lastName}`.trim() === '' ? '' : memberName(to),
            company: to.companyName,
          }),
        );
      },
    },
    {
      name: 'identity.mailWelcome',
      on: [identityEvents.companyCreated],
      run: async (context, payload) => {
        const { userId } = payload as unknown as MemberEvent;
        const company = await context.database.withCompany(context.companyId, findCompanyName);
        await mailMember(context, userId, (locale) => welcomeLetter(locale, deps.publicUrl, company));
      },
    },
    {
      name: 'identity.mailSecurity',
      on: [identityEvents.security],
      run: async (context, payload) => {
        const event = payload as unknown as SecurityEvent;
        const timeZone = await context.database.withCompany(context.companyId, deps.timeZoneOf);
        await mailMember(context, event.userId, (locale) => securityLetter(locale, deps.publicUrl, event, timeZone));
      },
    },
  ];
}

function openLetter<T>(keys: readonly KeyObject[], sealed: string, event: string): T {
  return JSON.parse(unsealWithAny(keys, Buffer.from(sealed, 'base64'), event).toString('utf8')) as T;
}

/**
 * Only here is it asked whether an address is known, long after the request was answered: a sign-up with a known one
 * gets another mail, a forgotten password of an unknown one none.
 */
async function mailAddress(
  context: JobContext,
  deps: IdentityJobDependencies,
  letter: CodeLetter,
  email: string,
): Promise<void> {
  const member = await context.database.withoutCompany((tx) => findByEmail(tx, email));
  const contact = member ? await contactOf({ ...context, companyId: member.companyId }, member.userId) : null;
  if (letter.scenario === 'register') {
    if (!member) await send(deps.mailer, email, letter.locale, (locale) => codeLetter(locale, letter));
    else if (contact) {
      await send(deps.mailer, contact.email, localeOf(contact.language), (locale) =>
        alreadyRegisteredLetter(locale, deps.publicUrl),
      );
    }
  } else if (contact) {
    await send(deps.mailer, contact.email, localeOf(contact.language), (locale) => codeLetter(locale, letter));
  }
}

async function contactOf({ database, companyId }: JobContext, userId: string): Promise<Contact | null> {
  return database.withCompany(companyId, async (tx) => (await findContacts(tx, userId))[0] ?? null);
}

async function send(mailer: Mailer, to: string, locale: Locale, write: (locale: Locale) => Letter): Promise<void> {
  await mailer.send(layOut(to, locale, write(locale)));
}
