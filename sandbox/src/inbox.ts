import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { readJson, writeDurably } from './durable-file.ts';
import { hasCode, SandboxFailure } from './failure.ts';

export type Mail = {
  /** Grows with time: a later mail's id sorts behind an earlier one's. */
  id: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  from: string;
  to: string[];
  subject: string;
  /** The Content-Language header, empty when there is none. */
  language: string;
  /** The headers by which its reader ends such mails (RFC 2369, RFC 8058), as they were sent; empty when there are none. */
  unsubscribe: string[];
  text: string;
  html: string;
  /** Every whole number of exactly six digits in the text, in order; the decimals of an amount are none. */
  codes: string[];
  attachments: { name: string; type: string; bytes: number }[];
};

/** refusing: mails are put off with a temporary error (RFC 5321, 451), as by an overloaded server. */
export const INBOX_MODES = ['ok', 'refusing'] as const;
export type InboxMode = (typeof INBOX_MODES)[number];

export type Inbox = {
  url: string;
  port: number;
  /** Newest first; `to` finds a part of a recipient's address, in any case. */
  list(to?: string): readonly Mail[];
  find(id: string): Mail | undefined;
  mode(): InboxMode;
  setMode(mode: InboxMode): void;
  stop(): Promise<void>;
};

export type InboxOptions = {
  /** Where mails are kept; made when missing. Without it they are kept in a new directory that `stop` removes. */
  dir?: string;
  /** 0, the default, takes any free port. */
  port?: number;
};

const KEPT_MAILS = 1000;
const LARGEST_MAIL = 20_000_000;
const MOST_CLIENTS = 200;
const IDLE_MS = 60_000;

/**
 * A real SMTP server that accepts every mail and shows it at the desk. A mail is accepted (250) only when it is
 * on the disk.
 *
 * @throws SandboxFailure port_taken
 */
export async function startInbox(options: InboxOptions = {}): Promise<Inbox> {
  const isEphemeral = options.dir === undefined;
  const dir = options.dir === undefined ? await mkdtemp(join(tmpdir(), 'causeway-inbox-')) : resolve(options.dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const mails = await load(dir);
  let number = Number(mails[0]?.id.split('-')[0] ?? 0);
  let mode: InboxMode = 'ok';

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    number += 1;
    const id = String(number).padStart(8, '0');
    const mail = await parse(id, stream, session);
    await writeDurably(join(dir, `${id}.json`), JSON.stringify(mail));
    mails.unshift(mail);
    mails.sort((a, b) => b.id.localeCompare(a.id));
    for (const old of mails.splice(KEPT_MAILS)) await rm(join(dir, `${old.id}.json`), { force: true });
  }

  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: LARGEST_MAIL,
    logger: false,
    maxClients: MOST_CLIENTS,
    socketTimeout: IDLE_MS,
    onData(stream, session, done) {
      if (mode === 'refusing') {
        stream.resume();
        stream.once('end', () => done(Object.assign(new Error('try again later'), { responseCode: 451 })));
        return;
      }
      receive(stream, session).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  // A client that hangs up in the middle of a session is no reason to end the server.
  const port = await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    if (isEphemeral) await rm(dir, { recursive: true, force: true });
    throw error;
  });
  server.on('error', () => undefined);
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    list: (to = '') => mails.filter((mail) => mail.to.some((address) => address.includes(to.toLowerCase()))),
    find: (id) => mails.find((mail) => mail.id === id),
    mode: () => mode,
    setMode(next) {
      mode = next;
    },
    async stop() {
      await new Promise<void>((settle) => {
        server.close(() => settle());
      });
      if (isEphemeral) await rm(dir, { recursive: true, force: true });
    },
  };
}

function listen(server: SMTPServer, port: number): Promise<number> {
  return new Promise((settle, reject) => {
    const refuse = (error: Error): void => {
      const sentence = `Port ${port}, wanted for the mail inbox, is taken by another program.`;
      reject(hasCode(error, 'EADDRINUSE') ? new SandboxFailure('port_taken', sentence) : error);
    };
    server.once('error', refuse);
    const listener = server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', refuse);
      const address: AddressInfo | string | null = listener.address();
      settle(address !== null && typeof address === 'object' ? address.port : port);
    });
  });
}

async function parse(id: string, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Mail> {
  const parsed = await simpleParser(stream);
  const text = parsed.text ?? '';
  const { mailFrom, rcptTo } = session.envelope;
  const language = parsed.headers.get('content-language');
  return {
    id,
    receivedAt: new Date().toISOString(),
    from: parsed.from?.text ?? (mailFrom === false ? '' : mailFrom.address),
    to: rcptTo.map((recipient) => recipient.address.toLowerCase()),
    subject: parsed.subject ?? '',
    language: typeof language === 'string' ? language : '',
    unsubscribe: parsed.headerLines
      .filter(({ key }) => key.startsWith('list-unsubscribe'))
      .map(({ line }) => line.replaceAll(/\r?\n\s+/g, ' ')),
    text,
    html: parsed.html === false ? '' : parsed.html,
    codes: text.match(/(?<![\w.,])\d{6}(?!\w|[.,]\d)/g) ?? [],
    attachments: parsed.attachments.map((part) => ({
      name: part.filename ?? '',
      type: part.contentType,
      bytes: part.size,
    })),
  };
}

async function load(dir: string): Promise<Mail[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.json')).sort();
  const found = await Promise.all(names.map((name) => readJson(join(dir, name))));
  return found.filter(isMail).reverse();
}

function isMail(value: unknown): value is Mail {
  return typeof value === 'object' && value !== null && 'id' in value && 'to' in value && Array.isArray(value.to);
}
