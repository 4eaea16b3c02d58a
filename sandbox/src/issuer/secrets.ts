import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import { newSecret } from './messages.ts';

/** The programme's API key, and what verifies the issuer's requests and events. */
export type IssuerSecrets = { apiKey: string; responder: string; events: string };

const fileOf = (dir: string, name: keyof IssuerSecrets): string => join(dir, `${name}-secret`);

/** Those of an issuer that lives in `dir`, made where they are missing: both sides read them, whichever starts first. */
export async function issuerSecrets(dir: string): Promise<IssuerSecrets> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return {
    apiKey: await kept(fileOf(dir, 'apiKey'), randomUUID),
    responder: await kept(fileOf(dir, 'responder'), newSecret),
    events: await kept(fileOf(dir, 'events'), newSecret),
  };
}

/** Keeps a secret that was changed. */
export function keepSecret(dir: string, name: keyof IssuerSecrets, secret: string): Promise<void> {
  return writeDurably(fileOf(dir, name), `${secret}\n`);
}

async function kept(file: string, make: () => string): Promise<string> {
  const known = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (known !== '') return known;
  const made = make();
  await writeDurably(file, `${made}\n`);
  return made;
}
