import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import { hasCode } from '../failure.ts';

/** Keys and secrets between the bank and its customer: made once and kept. */

export const BANK_USER = 'causeway';
export const CLIENT_ID = 'sandbox-causeway';

const FILES = {
  clientKey: 'client-key',
  clientPublicKey: 'client-key.pub',
  hostKey: 'host-key',
  hostPublicKey: 'host-key.pub',
  otherHostKey: 'other-host-key',
  apiKey: 'api-key',
  webhookSecret: 'webhook-secret',
} as const;

export type BankSecrets = Readonly<Record<keyof typeof FILES, string>>;

/** Reads what `dir` holds and makes what it lacks. A pair of keys is made whole: its public half is written last. */
export async function ensureBankSecrets(dir: string): Promise<BankSecrets> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const client = await pair(dir, FILES.clientKey, FILES.clientPublicKey);
  const host = await pair(dir, FILES.hostKey, FILES.hostPublicKey);
  const other = await pair(dir, FILES.otherHostKey, `${FILES.otherHostKey}.pub`);
  return {
    clientKey: client.privateKey,
    clientPublicKey: client.publicKey,
    hostKey: host.privateKey,
    hostPublicKey: host.publicKey,
    otherHostKey: other.privateKey,
    apiKey: await secret(dir, FILES.apiKey),
    webhookSecret: await secret(dir, FILES.webhookSecret),
  };
}

/** As OpenSSH prints it: `SHA256:` and the digest of the public key in base64 without padding. */
export function fingerprintOf(publicKey: string): string {
  const [, body = ''] = publicKey.split(' ');
  return `SHA256:${createHash('sha256').update(Buffer.from(body, 'base64')).digest('base64').replace(/=+$/, '')}`;
}

/** The list of connections that main and worker read (`BANK_CONNECTIONS_FILE`). */
export async function writeBankConnections(
  dir: string,
  file: string,
  ports: Readonly<{ files: number; http: number }>,
): Promise<void> {
  const { hostPublicKey } = await ensureBankSecrets(dir);
  const connections = [
    {
      bank: 'harbour',
      kind: 'files',
      host: '127.0.0.1',
      port: ports.files,
      user: BANK_USER,
      privateKeyFile: join(dir, FILES.clientKey),
      hostKeyFingerprint: fingerprintOf(hostPublicKey),
      outgoing: '/out',
      incoming: '/in',
      pollIntervalMs: 1000,
    },
    {
      bank: 'meridian',
      kind: 'http',
      url: `http://127.0.0.1:${ports.http}`,
      clientId: CLIENT_ID,
      apiKeyFile: join(dir, FILES.apiKey),
      webhookSecretFile: join(dir, FILES.webhookSecret),
      pollIntervalMs: 1000,
    },
  ];
  await writeDurably(file, `${JSON.stringify(connections, null, 2)}\n`);
}

async function pair(dir: string, name: string, publicName: string): Promise<{ privateKey: string; publicKey: string }> {
  const [privateKey, publicKey] = [await read(join(dir, name)), await read(join(dir, publicName))];
  if (privateKey !== undefined && publicKey !== undefined) return { privateKey, publicKey };
  const { default: ssh2 } = await import('ssh2');
  const made = usableKeys(() => ssh2.utils.generateKeyPairSync('ed25519', { comment: name }), ssh2.utils.parseKey);
  const texts = { privateKey: `${made.private.trimEnd()}\n`, publicKey: `${made.public.trimEnd()}\n` };
  await writeDurably(join(dir, name), texts.privateKey);
  await writeDurably(join(dir, publicName), texts.publicKey);
  return texts;
}

type KeyTexts = { private: string; public: string };

/**
 * ssh2 drops leading zeros of a public key, so that one pair in 256 cannot be read: then the next is made.
 *
 * @param parse ssh2's, which returns an error instead of throwing it
 */
export function usableKeys<K extends KeyTexts>(make: () => K, parse: (text: string) => unknown): K {
  for (;;) {
    const made = make();
    if (![made.private, made.public].some((text) => parse(text) instanceof Error)) return made;
  }
}

async function secret(dir: string, name: string): Promise<string> {
  const known = await read(join(dir, name));
  if (known !== undefined) return known.trim();
  const made = randomBytes(32).toString('hex');
  await writeDurably(join(dir, name), `${made}\n`);
  await chmod(join(dir, name), 0o600);
  return made;
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}
