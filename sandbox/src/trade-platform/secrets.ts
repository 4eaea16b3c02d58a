import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readJson, writeDurably } from '../durable-file.ts';

const secret = z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/));
const secrets = z.object({ events: secret, confirmations: secret });
/** What platform and installation share: the first signs events, the second signs what companies confirm. */
export type TradeSecrets = z.output<typeof secrets>;

const fileOf = (dataDir: string): string => join(dataDir, 'trade-platform.json');
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Made once and kept. */
export async function ensureTradeSecrets(dataDir: string): Promise<TradeSecrets> {
  const known = z.safeParse(secrets, await readJson(fileOf(dataDir)));
  if (known.success) return known.data;
  const made = { events: newSecret(), confirmations: newSecret() };
  await writeDurably(fileOf(dataDir), `${JSON.stringify(made, null, 2)}\n`);
  return made;
}
