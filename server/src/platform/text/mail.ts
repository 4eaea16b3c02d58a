import { type Locale, locales } from '@causeway/contract/locale.ts';
import { invariant } from '../domain-error.ts';
import type { HealthCheck } from '../process/health.ts';
import { escapeHtml } from './html.ts';
import { translate } from './texts.ts';

/** One mail, ready to be sent. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The language it is written in (BCP 47). */
  language: string;
  /** Where its reader ends mails of this kind: by one POST (RFC 8058), or on the page that the address shows (RFC 2369). */
  unsubscribe?: string;
}

/** The port behind which mail leaves. `send` resolves when the next server has taken it; jobs call it, requests never. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

export interface SmtpMailer extends Mailer {
  /** Resolves when the next server responds and accepts our credentials. */
  verify(): Promise<void>;
}

const timeoutMs = 10_000;

/** Mail over SMTP (RFC 5321); `url` as `smtp://user:password@host:port` or `smtps://…`. */
export function smtpMailer(url: string, from: string): SmtpMailer {
  // Loaded with the first mail: this file is in every process, and only the worker sends.
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport(
      {
        url,
        pool: true,
        maxConnections: 4,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
      },
      { from },
    );
  };
  let transport: ReturnType<typeof connect> | undefined;
  return {
    async send({ to, subject, text, html, language, unsubscribe }) {
      transport ??= connect();
      await (await transport).sendMail({
        // As an object, so that nothing in an address can be read as a second one.
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'Content-Language': language,
          ...unsubscribeHeaders(unsubscribe),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    async verify() {
      transport ??= connect();
      await (await transport).verify();
    },
    close: () => void transport?.then((open) => open.close()),
  };
}

/** One click is for HTTPS alone (RFC 8058, section 3.1). */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  const oneClick = url.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {};
  return { 'List-Unsubscribe': `<${url}>`, ...oneClick };
}

/** A look at the mail server costs a session there. */
const keepCheckMs = 30_000;

export function mailCheck(mailer: Pick<SmtpMailer, 'verify'>): HealthCheck {
  return { name: 'mail', need: 'degraded', keepMs: keepCheckMs, check: () => mailer.verify() };
}

/** What a mail says, before it is laid out. */
export interface Letter {
  subject: string;
  /** Whom it addresses; absent: no one by name. */
  greeting?: string;
  paragraphs: readonly string[];
  /** A code to be typed, set apart. */
  code?: string;
  /** What it is about, line by line. */
  facts?: readonly { label: string; value: string }[];
  /** A page of the console to go to. */
  link?: { label: string; url: string };
}

/** Lays a letter out as plain text and as simple HTML without images or styles from elsewhere. */
export function layOut(to: string, locale: Locale, letter: Letter): Mail {
  invariant(locales.includes(locale), `locale ${locale} is one of ours`);
  const greeting = oneLine(letter.greeting ?? translate(locale, 'mail.greeting'));
  const footer = translate(locale, 'mail.footer');
  return {
    to,
    subject: oneLine(letter.subject),
    text: textOf(locale, greeting, letter, footer),
    html: htmlOf(locale, greeting, letter, footer),
    language: htmlLanguage[locale],
  };
}

function textOf(locale: Locale, greeting: string, letter: Letter, footer: string): string {
  const [first = '', ...others] = letter.paragraphs;
  const blocks = [greeting, first];
  const colon = locale === 'en-us' ? ': ' : '：';
  if (letter.code) blocks.push(`    ${letter.code}`);
  if (letter.facts) blocks.push(letter.facts.map(({ label, value }) => `${label}${colon}${oneLine(value)}`).join('\n'));
  if (letter.link) blocks.push(`${letter.link.label}${colon.trimEnd()}\n${letter.link.url}`);
  return `${[...blocks, ...others, `--\n${footer}`].join('\n\n')}\n`;
}

function htmlOf(locale: Locale, greeting: string, letter: Letter, footer: string): string {
  const [first = '', ...others] = letter.paragraphs;
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const blocks = [paragraph(greeting), paragraph(first)];
  if (letter.code) {
    blocks.push(
      `<p style="margin:0 0 16px;font:600 28px/1.4 ui-monospace,monospace;letter-spacing:4px">${escapeHtml(letter.code)}</p>`,
    );
  }
  if (letter.facts) {
    const rows = letter.facts.map(
      ({ label, value }) =>
        `<tr><th align="left" style="padding:2px 16px 2px 0;vertical-align:top;font-weight:400;color:#5b6472">${escapeHtml(label)}</th>` +
        // Amounts stay whole; only what is longer than the line, as an address can be, is broken.
        `<td style="padding:2px 0;vertical-align:top;word-break:break-word;overflow-wrap:anywhere">${escapeHtml(oneLine(value))}</td></tr>`,
    );
    blocks.push(`<table role="presentation" style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`);
  }
  if (letter.link) {
    const { label, url } = letter.link;
    blocks.push(`<p style="margin:0 0 16px"><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`);
  }
  blocks.push(...others.map(paragraph));
  blocks.push(`<p style="margin:24px 0 0;color:#5b6472;font-size:12px">${escapeHtml(footer)}</p>`);
  return (
    `<!doctype html><html lang="${htmlLanguage[locale]}"><head><meta charset="utf-8"><title>${escapeHtml(oneLine(letter.subject))}</title></head>` +
    `<body style="margin:0;padding:24px;max-width:560px;font:14px/1.6 system-ui,sans-serif;color:#1b2330">${blocks.join('')}</body></html>`
  );
}

const htmlLanguage: Record<Locale, string> = { 'en-us': 'en-US', 'zh-hk': 'zh-HK', 'zh-cn': 'zh-CN' };

/** Values that people typed must not add lines of their own to a mail. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
