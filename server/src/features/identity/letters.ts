import type { CodeScenario } from '@causeway/contract/identity.ts';
import { codeLifetimeMs } from '@causeway/contract/identity.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { activationLifetimeMs } from '@causeway/contract/organisation-rules.ts';
import { sayInstant } from '../../platform/text/instant.ts';
import type { Letter } from '../../platform/text/mail.ts';
import { translate } from '../../platform/text/texts.ts';
import { deviceOf } from './devices.ts';
import type { SecurityEvent } from './events.ts';
import type { ActivationPurpose } from './store/activations.ts';

/** What identity's mails say; pure. */

/** What a code's mail is made from. It travels sealed, because the code is in it. */
export interface CodeLetter {
  scenario: CodeScenario;
  code: string;
  /** An unclaimed address, or a member. */
  to: { email: string } | { userId: string };
  /** For an address without a member; a member is written to in the member's own language. */
  locale: Locale;
  facts: readonly { label: string; value: string; headline?: string }[];
  /** Who asked for it, when that is not the recipient. */
  askedBy?: string;
  /** ISO 8601; later the code is of no use, and no mail is sent. */
  expiresAt: string;
}

export function codeLetter(
  locale: Locale,
  { scenario, code, facts, askedBy: name }: Pick<CodeLetter, 'scenario' | 'code' | 'facts' | 'askedBy'>,
): Letter {
  const minutes = codeLifetimeMs / 60_000;
  // Empty where the code confirms no content.
  const what = facts.flatMap(({ headline }) => headline ?? []).join(' · ');
  if (name !== undefined) {
    return {
      subject: translate(locale, `mail.codeForOther.${what === '' ? 'subject' : 'subjectOf'}`, { code, name, what }),
      paragraphs: [
        translate(locale, 'mail.codeForOther.text', { name, minutes }),
        translate(locale, 'mail.codeForOther.warning'),
      ],
      code,
      facts: [{ label: translate(locale, 'mail.codeForOther.askedBy'), value: name }, ...facts],
    };
  }
  return {
    subject:
      what === ''
        ? translate(locale, `mail.code.${scenario}.subject`, { code })
        : translate(locale, 'mail.code.subjectOf', { code, what }),
    paragraphs: [
      translate(locale, `mail.code.${scenario}.text`, { minutes }),
      translate(locale, `mail.code.${scenario}.warning`),
    ],
    code,
    ...(facts.length > 0 ? { facts } : {}),
  };
}

/** What the mail with an activation or reset link is made from; sealed on its way, because the token is in it. */
export interface ActivationLetter {
  token: string;
  userId: string;
  purpose: ActivationPurpose;
  /** The name of who invites, or asks for another password; null where the member does. */
  by: string | null;
  /** ISO 8601; later the link is of no use, and no mail is sent. */
  expiresAt: string;
}

/** The token is in the fragment of the address, which no browser sends and no server or proxy logs. */
export function activationLetter(
  locale: Locale,
  publicUrl: string,
  { purpose, token, by }: Pick<ActivationLetter, 'purpose' | 'token' | 'by'>,
  { name, company }: { name: string; company: string },
): Letter {
  const facts = { company, by: by ?? company };
  const hours = activationLifetimeMs / 3_600_000;
  return {
    subject: translate(locale, `mail.activate.${purpose}.subject`, facts),
    ...(name !== '' && { greeting: translate(locale, 'mail.greetingTo', { name }) }),
    paragraphs: [
      translate(locale, `mail.activate.${purpose}.text`, facts),
      translate(locale, 'mail.activate.once', { hours }),
      translate(locale, `mail.activate.${purpose}.warning`),
    ],
    link: {
      label: translate(locale, `mail.activate.${purpose}.link`),
      url: new URL(`/activate#${token}`, publicUrl).href,
    },
  };
}

/** For a sign-up with an address that has a member already. */
export function alreadyRegisteredLetter(locale: Locale, publicUrl: string): Letter {
  return {
    subject: translate(locale, 'mail.known.subject'),
    paragraphs: [translate(locale, 'mail.known.text'), translate(locale, 'mail.known.warning')],
    link: { label: translate(locale, 'mail.known.link'), url: new URL('/sign-in', publicUrl).href },
  };
}

export function welcomeLetter(locale: Locale, publicUrl: string, company: string): Letter {
  return {
    subject: translate(locale, 'mail.welcome.subject'),
    paragraphs: [translate(locale, 'mail.welcome.text', { company }), translate(locale, 'mail.welcome.next')],
    link: { label: translate(locale, 'mail.welcome.link'), url: new URL('/sign-in', publicUrl).href },
  };
}

/** A way to sign in has changed, or was used in a way its owner should know of, to act if it was someone else. */
export function securityLetter(locale: Locale, publicUrl: string, event: SecurityEvent, timeZone: string): Letter {
  const { what, at, ip, userAgent } = event;
  const { browser, system } = deviceOf(userAgent);
  const device =
    [browser, system].filter((name) => name !== null).join(' · ') || translate(locale, 'security.device.unknown');
  return {
    subject: translate(locale, `mail.security.${what}.subject`),
    paragraphs: [translate(locale, `mail.security.${what}.text`), translate(locale, 'mail.security.warning')],
    facts: [
      { label: translate(locale, 'security.time'), value: sayInstant({ at, timeZone }, locale) },
      { label: translate(locale, 'security.device'), value: device },
      { label: translate(locale, 'security.ip'), value: ip },
    ],
    link: { label: translate(locale, 'mail.reset.link'), url: new URL('/forget', publicUrl).href },
  };
}
