import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError } from './config.ts';

/** The connections to banks, from the JSON file that BANK_CONNECTIONS_FILE names: a list, one entry for each bank. */

const folder = z.string().regex(/^\/[^\0]*$/, 'wants an absolute folder of the bank, for example "/in"');

const filesConnection = z.strictObject({
  bank: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
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

/** A bank reached in another way, which is its own adapter's to read. */
const otherConnection = z.looseObject({ bank: z.string().min(1), kind: z.literal('http') });

const banksSchema = z.array(z.discriminatedUnion('kind', [filesConnection, otherConnection]));

export type FilesConnection = z.output<typeof filesConnection>;
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
