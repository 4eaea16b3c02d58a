import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@causeway/sandbox/free-port.ts';
import { vi } from 'vitest';

/** The HTTP process as production starts it: the program itself, with an environment and nothing else. */
export interface MainProcess {
  port: number;
  child: ChildProcess;
  /** What it has written so far. */
  output(): string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
}

export interface MainEnvironment {
  directory: string;
  values: Record<string, string>;
}

/** What several processes of one installation share. */
export function mainEnvironment(directory: string, databaseUrl: string): MainEnvironment {
  const secret = () => randomBytes(32).toString('base64url');
  const jwk = (key: { export(options: { format: 'jwk' }): object }, about: object) =>
    JSON.stringify({ ...key.export({ format: 'jwk' }), ...about });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ed25519 = generateKeyPairSync('ed25519').privateKey;
  const files = join(directory, 'files');
  mkdirSync(files, { recursive: true });
  const chain = { id: 'ethereum', family: 'evm', name: 'Ethereum', chainId: 31_337, rpcUrls: ['http://127.0.0.1:1'] };
  writeFileSync(
    join(directory, 'chains.json'),
    JSON.stringify({ chains: [{ ...chain, confirmations: 6, nativeCoin: 'ETH', tokens: [] }] }),
  );
  return {
    directory,
    values: {
      CHAINS_FILE: join(directory, 'chains.json'),
      DATABASE_APP_URL: databaseUrl,
      FILES_DIR: files,
      APP_SECRET: secret(),
      MAIL_SECRET: secret(),
      WEBHOOK_SECRET: secret(),
      PUBLIC_URL: 'http://127.0.0.1:1',
      AUTHORISATION_KEY: jwk(ed25519, { alg: 'EdDSA', use: 'sig', kid: 'a' }),
      PASSWORD_KEY: jwk(rsa, { alg: 'RSA-OAEP-256', use: 'enc', kid: 'p' }),
    },
  };
}

/** Starts a process on a free port and waits until it is ready. */
export async function startMain(environment: MainEnvironment, more: Record<string, string>): Promise<MainProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { PATH: process.env['PATH'], ...environment.values, HTTP_PORT: String(port), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += String(bytes)));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`the process ended: ${output}`);
      if (!(await isReady())) throw new Error(`not ready: ${output}`);
    },
    { timeout: 180_000, interval: 100 },
  );
  return { port, child, output: () => output, exited };
}
