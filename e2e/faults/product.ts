import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bringUp } from '@causeway/sandbox/bring-up.ts';
import { type Child, livingChildren, onSpawn } from '@causeway/sandbox/child.ts';
import { type DeskClient, deskClient } from '@causeway/sandbox/desk-client.ts';
import { SandboxFailure } from '@causeway/sandbox/failure.ts';
import { freePort } from '@causeway/sandbox/free-port.ts';
import { runToEnd } from '@causeway/sandbox/node-process.ts';
import { PORTS, type Settings } from '@causeway/sandbox/settings.ts';
import type { Supervised } from '@causeway/sandbox/supervised.ts';

/** The whole product as `npm start` runs it, on ports and data of its own: real processes, kept running. */
export interface Product {
  consoleUrl: string;
  /** The chain's first node, for looking at the chain from outside. */
  chainUrl: string;
  workerUrl: string;
  desk: DeskClient;
  dataDir: string;
  /** An invitation code from the operator's command line. */
  invite(): Promise<string>;
  /** Runs one of the server's programs to its end and returns what it printed; rejects unless it exits with 0. */
  run(program: 'verify-ledger' | 'verify-chain'): Promise<string>;
  /** SIGKILL. Returns how long the recovery took, or null when the victim was just being started again. */
  kill(victim: Victim): Promise<Death | null>;
  stop(): Promise<void>;
}

export const victims = ['main', 'worker', 'signer', 'database'] as const;
export type Victim = (typeof victims)[number];

export interface Death {
  victim: Victim;
  /** Until it is ready again: milliseconds since it was started again, and since the kill. */
  recovered: Promise<{ sinceStartMs: number; sinceKillMs: number }>;
}

const marks: Readonly<Record<Victim, RegExp>> = {
  main: /server\/src\/main\.ts$/,
  worker: /server\/src\/worker\.ts$/,
  signer: /server\/src\/signer\.ts$/,
  database: /bin\/postgres$/,
};
const farewells = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const recoveryPatienceMs = 60_000;
const lookEveryMs = 20;

/** Brings everything up; no demo company. `name` says in the output which of them speaks. */
export async function startProduct(name: string): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-faults-'));
  await chmod(dataDir, 0o711);
  const settings = { root: resolve(import.meta.dirname, '../..'), dataDir, ports: await freePorts() };
  // Settings that are in the file before the first start are kept: the clients come through a proxy, and the proof also runs with
  // batches of one.
  const { BATCH_MAX_SIZE } = process.env;
  const settingLines = { TRUSTED_PROXIES: '127.0.0.1', ...(BATCH_MAX_SIZE === undefined ? {} : { BATCH_MAX_SIZE }) };
  const lines = Object.entries(settingLines).map(([setting, value]) => `${setting}="${value}"\n`);
  await writeFile(join(dataDir, 'causeway.env'), lines.join(''), { mode: 0o600 });
  const parts: Supervised[] = [];
  const spawnedAt = new Map<number, number>();
  onSpawn((pid) => spawnedAt.set(pid, performance.now()));
  // Should this process end before `stop`, nothing of it stays behind.
  const endAll = (): void => {
    for (const child of livingChildren()) child.process.kill('SIGKILL');
  };
  const leave = (): void => process.exit(1);
  process.once('exit', endAll);
  for (const signal of farewells) process.once(signal, leave);
  const url = (port: number): string => `http://127.0.0.1:${port}`;
  const { ports } = settings;
  await bringUp({
    settings,
    isDevelopment: false,
    withDemoCompany: false,
    say: (sentence) => void process.stdout.write(`${name}: ${sentence}\n`),
    keep: (part) => parts.unshift(part),
    refuseTakenPorts: async () => undefined,
  });
  const program = (file: string, ...args: string[]): Promise<string> =>
    runToEnd(
      settings.root,
      [`--env-file=${join(dataDir, 'causeway.env')}`, `server/src/${file}.ts`, ...args],
      `Running ${file}`,
    );
  const doors: Readonly<Record<Victim, string>> = {
    main: url(ports.http),
    worker: url(ports.worker),
    signer: url(ports.signer),
    // Back when the console, which asks it, says so.
    database: url(ports.http),
  };

  return {
    consoleUrl: url(ports.http),
    chainUrl: url(ports.chain),
    workerUrl: url(ports.worker),
    desk: deskClient(url(ports.desk)),
    dataDir,
    invite: async () => JSON.parse(await program('operator', 'invitation', 'create', '--json')).code,
    run: (file) =>
      program(file).catch((error: unknown) => {
        throw error instanceof SandboxFailure ? new Error(`${error.message}\n${error.detail}`) : error;
      }),
    async kill(victim) {
      const child = childOf(victim);
      if (child === undefined) return null;
      const killedAt = performance.now();
      child.process.kill('SIGKILL');
      await child.ended;
      return { victim, recovered: recovery(victim, child, doors[victim], spawnedAt, killedAt) };
    },
    async stop() {
      const ending = (part: Supervised): Promise<void> => part.stop();
      await Promise.all(parts.filter((part) => part.isServer).map(ending));
      await Promise.all(parts.filter((part) => !part.isServer).map(ending));
      process.off('exit', endAll);
      for (const signal of farewells) process.off(signal, leave);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePorts(): Promise<Settings['ports']> {
  const ports: Record<string, number> = {};
  for (const name of Object.keys(PORTS)) ports[name] = await freePort();
  return ports as Settings['ports'];
}

function childOf(victim: Victim): Child | undefined {
  return livingChildren().find((child) => child.process.spawnargs.some((arg) => marks[victim].test(arg)));
}

async function recovery(
  victim: Victim,
  dead: Child,
  door: string,
  spawnedAt: ReadonlyMap<number, number>,
  killedAt: number,
): Promise<{ sinceStartMs: number; sinceKillMs: number }> {
  let next: Child | undefined;
  const isBack = async (): Promise<boolean> => {
    next = childOf(victim);
    return next !== undefined && next.pid !== dead.pid && (await answers(door));
  };
  await until(`the ${victim} is back`, isBack, recoveryPatienceMs);
  const now = performance.now();
  const sinceKillMs = now - killedAt;
  return { sinceStartMs: now - (spawnedAt.get(next?.pid ?? 0) ?? killedAt), sinceKillMs };
}

async function answers(door: string): Promise<boolean> {
  try {
    return (await fetch(`${door}/readyz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

/** Waits for a condition. @throws Error naming what did not come */
export async function until(what: string, holds: () => Promise<boolean>, patienceMs: number): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`waited ${patienceMs / 1000} s in vain until ${what}`);
    await new Promise((resume) => setTimeout(resume, lookEveryMs));
  }
}
