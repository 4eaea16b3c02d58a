import { type Locale, localeOf } from '@causeway/contract/locale.ts';
import { sayInstant } from '../../../platform/text/instant.ts';
import { type Letter, layOut, type Mail } from '../../../platform/text/mail.ts';
import { translate } from '../../../platform/text/texts.ts';
import { deviceOf } from '../../identity/index.ts';
import { linkLifetimeMs } from './domain.ts';
import type { StaffLetter } from './events.ts';

/** What the mails of the operator's console say; pure. */

/** The mail in its reader's language. */
export function staffMail(letter: StaffLetter): Mail {
  const locale = localeOf(letter.to.language);
  const body = letter.kind === 'security' ? securityLetter(locale, letter) : linkLetter(locale, letter);
  return layOut(letter.to.email, locale, {
    greeting: translate(locale, 'mail.greetingTo', { name: letter.to.name }),
    ...body,
  });
}

function linkLetter(
  locale: Locale,
  { kind, url, by }: Extract<StaffLetter, { kind: 'invitation' | 'reset' }>,
): Omit<Letter, 'greeting'> {
  return {
    subject: translate(locale, `mail.staff.${kind}.subject`),
    paragraphs: [
      translate(locale, `mail.staff.${kind}.text`, { by }),
      translate(locale, 'mail.staff.once', { hours: linkLifetimeMs / 3_600_000 }),
      translate(locale, 'mail.staff.warning'),
    ],
    link: { label: translate(locale, `mail.staff.${kind}.link`), url },
  };
}

function securityLetter(
  locale: Locale,
  { what, at, ip, userAgent, url }: Extract<StaffLetter, { kind: 'security' }>,
): Omit<Letter, 'greeting'> {
  const { browser, system } = deviceOf(userAgent);
  const device =
    [browser, system].filter((name) => name !== null).join(' · ') || translate(locale, 'security.device.unknown');
  return {
    subject: translate(locale, `mail.staff.${what}.subject`),
    paragraphs: [translate(locale, `mail.staff.${what}.text`), translate(locale, 'mail.staff.notYou')],
    facts: [
      { label: translate(locale, 'security.time'), value: sayInstant({ at, timeZone: 'UTC' }, locale) },
      { label: translate(locale, 'security.device'), value: device },
      { label: translate(locale, 'security.ip'), value: ip },
    ],
    link: { label: translate(locale, 'mail.staff.open'), url },
  };
}
