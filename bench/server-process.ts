import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@causeway/sandbox/free-port.ts';
import type { StageDatabase } from './stage.ts';

/** The product's own HTTP process, started as in production, on a database of the stage. */
export interface Server {
  port: number;
  pid: number;
  appSecret: string;
  stop(): Promise<void>;
}

const ownCheckout = join(import.meta.dirname, '..');

/** Starts the server of a checkout, by default this one; `more`: further variables of its environment. */
export async function startServer(
  database: StageDatabase,
  checkout = ownCheckout,
  more: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const fixedPort = checkout === ownCheckout ? process.env['BENCH_HTTP_PORT'] : undefined;
  const port = Number(fixedPort ?? (await freePort()));
  const directory = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
  const appSecret = randomBytes(32).toString('base64url');
  const child = spawn(process.execPath, [join(checkout, 'server/src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      ...environment(database, port, directory, appSecret),
      ...more,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await answering(child, port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, pid: child.pid ?? 0, appSecret, stop };
}

function environment(
  database: StageDatabase,
  port: number,
  directory: string,
  appSecret: string,
): Record<string, string> {
  const jwk = (type: 'rsa' | 'ed25519', about: object) => {
    const { privateKey } =
      type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync(type);
    return JSON.stringify({ ...privateKey.export({ format: 'jwk' }), ...about, kid: type });
  };
  const chainsFile = join(directory, 'chains.json');
  writeFileSync(chainsFile, JSON.stringify({ chains: database.chains }));
  return {
    LOG_LEVEL: 'warn',
    DRAIN_MS: '0',
    CHAINS_FILE: chainsFile,
    DATABASE_APP_URL: database.urlFor('causeway_app'),
    HTTP_PORT: String(port),
    FILES_DIR: directory,
    APP_SECRET: appSecret,
    MAIL_SECRET: randomBytes(32).toString('base64url'),
    WEBHOOK_SECRET: randomBytes(32).toString('base64url'),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    AUTHORISATION_KEY: jwk('ed25519', { alg: 'EdDSA', use: 'sig' }),
    PASSWORD_KEY: jwk('rsa', { alg: 'RSA-OAEP-256', use: 'enc' }),
    ...Object.fromEntries(
      ['DATABASE_POOL_SIZE', 'BATCH_CONNECTIONS', 'BATCH_MAX_SIZE']
        .filter((name) => process.env[name] !== undefined)
        .map((name) => [name, process.env[name] ?? '']),
    ),
  };
}

async function answering(child: ChildProcess, port: number): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (Date.now() < giveUpAt && child.exitCode === null) {
    const isUp = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    await delay(100);
  }
  throw new Error('the server did not come up');
}
