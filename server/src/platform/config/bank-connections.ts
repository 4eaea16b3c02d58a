import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError } from './config.ts';

/** The connections to banks, from the JSON file that BANK_CONNECTIONS_FILE names: a list, one entry for each bank. */

const folder = z.string().regex(/^\/[^\0]*$/, 'wants an absolute folder of the bank, for example "/in"');

const bankId = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

const filesConnection = z.strictObject({
  bank: bankId,
  kind: z.literal('files'),
  host: z.string().min(1),
  port: z.number().int().min(1).max(65_535).default(22),
  user: z.string().min(1),
  privateKeyFile: z.string().min(1),
  /** Of the bank's host key, as `ssh-keyscan HOST | ssh-keygen -lf -` prints it; another key is refused. */
  hostKeyFingerprint: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'wants the fingerprint as SHA256: and 43 characters'),
  outgoing: folder,
  incoming: folder,
  pollIntervalMs: z.number().int().min(100).max(3_600_000).default(15_000),
  /** For one answer of the bank's server. */
  timeoutMs: z.number().int().min(100).max(600_000).default(30_000),
  /** Of one file, bytes; a larger one is left where it is and reported. */
  maxFileBytes: z
    .number()
    .int()
    .min(1)
    .default(512 * 1024 * 1024),
});

const secretFile = z.string().min(1);

/** A bank that is reached by its HTTP API. */
const httpConnection = z.strictObject({
  bank: bankId,
  kind: z.literal('http'),
  url: z.url().refine(isPrivate, 'wants https:, or this machine'),
  clientId: z.string().min(1),
  apiKeyFile: secretFile,
  /** Of the bank's events; without it none are taken, and the bank is asked by the clock alone. */
  webhookSecretFile: secretFile.optional(),
  /** The one before, while the secret is being changed. */
  webhookSecretPreviousFile: secretFile.optional(),
  /** ISO 3166-1 by currency: where companies' accounts are opened; the currency's own country without it. */
  accountCountries: z.record(z.string().regex(/^[A-Z]{3}$/), z.string().regex(/^[A-Z]{2}$/)).default({}),
  pollIntervalMs: z.number().int().min(100).max(3_600_000).default(15_000),
  /** For one whole answer of the bank. */
  timeoutMs: z.number().int().min(100).max(600_000).default(30_000),
});

/** Keys never travel in clear. */
function isPrivate(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname));
}

const banksSchema = z.array(z.discriminatedUnion('kind', [filesConnection, httpConnection]));

export type FilesConnection = z.output<typeof filesConnection>;
export type HttpConnection = z.output<typeof httpConnection>;
type BankConnection = z.output<typeof banksSchema>[number];

/** @throws ConfigError when the file is missing or wrong, or names a bank twice; no file is no bank */
export function readBankConnections(file: string | undefined): BankConnection[] {
  if (file === undefined) return [];
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`BANK_CONNECTIONS_FILE names ${file}, which cannot be read: ${reason}`);
  }
  const result = banksSchema.safeParse(content);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`BANK_CONNECTIONS_FILE names ${file}, which is not usable:\n${lines.join('\n')}`);
  }
  const named = result.data.map(({ bank }) => bank);
  const twice = named.find((bank, index) => named.indexOf(bank) !== index);
  if (twice !== undefined)
    throw new ConfigError(`BANK_CONNECTIONS_FILE names ${file}, which has the bank ${twice} twice.`);
  return result.data;
}

/** The connections by files alone. */
export function byFiles(connections: readonly BankConnection[]): FilesConnection[] {
  return connections.filter((connection) => connection.kind === 'files');
}

/** The connections by HTTP alone. */
export function byHttp(connections: readonly BankConnection[]): HttpConnection[] {
  return connections.filter((connection) => connection.kind === 'http');
}

/** Secrets of the events of each bank that sends some: the current one, and the one before while it is being changed. */
export function readWebhookSecrets(connections: readonly HttpConnection[]): Map<string, string[]> {
  return new Map(
    connections.flatMap(({ bank, webhookSecretFile, webhookSecretPreviousFile }) => {
      const files = [webhookSecretFile ?? [], webhookSecretPreviousFile ?? []].flat();
      return files.length === 0 ? [] : [[bank, files.map(readSecret)] as const];
    }),
  );
}

function readSecret(file: string): string {
  let secret = '';
  try {
    secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`BANK_CONNECTIONS_FILE names ${file}, which cannot be read: ${reason}`);
  }
  if (secret.length < 16) throw new ConfigError(`${file} holds no secret of at least 16 characters.`);
  return secret;
}
