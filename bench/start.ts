import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@causeway/sandbox/free-port.ts';
import { PORTS } from '@causeway/sandbox/settings.ts';

/**
 * Seconds from `npm start` to a console that is ready: on an empty data directory, and again. Then, of the running product:
 * the memory of server, worker and signer when nothing happens, and how long it is away after `kill -9` of the database and
 * of the server.
 */

const root = join(import.meta.dirname, '..');
const giveUpAfterMs = 180_000;
const idleMs = 60_000;

export interface Starts {
  coldSeconds: number;
  warmSeconds: number;
  /** Megabytes (10^6) of resident memory. */
  idleMegabytes: number;
  databaseBackSeconds: number;
  serverBackSeconds: number;
}

export async function timeStarts(): Promise<Starts> {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-start-'));
  try {
    const environment: Record<string, string> = { CAUSEWAY_DATA_DIR: directory };
    const variables = Object.values(PORTS).map(({ variable }) => variable);
    const ports = await Promise.all(variables.map(() => freePort()));
    for (const [i, variable] of variables.entries()) environment[variable] = String(ports[i]);
    const cold = await startOnce(environment, async () => null);
    const warm = await startOnce(environment, async (port) => {
      await delay(idleMs);
      const idleMegabytes = residentMegabytes(directory);
      const databaseBackSeconds = await backAfterKill(directory, '/bin/postgres', port);
      return {
        idleMegabytes,
        databaseBackSeconds,
        serverBackSeconds: await backAfterKill(directory, 'src/main.ts', port),
      };
    });
    if (warm.found === null) throw new Error('the second start was looked at');
    return { coldSeconds: cold.seconds, warmSeconds: warm.seconds, ...warm.found };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function startOnce<T>(
  environment: Readonly<Record<string, string>>,
  look: (port: number) => Promise<T>,
): Promise<{ seconds: number; found: T }> {
  const port = Number(environment[PORTS.http.variable]);
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: 'ignore',
    detached: true,
  });
  const began = performance.now();
  try {
    while (performance.now() - began < giveUpAfterMs && child.exitCode === null) {
      if (await answers(port)) {
        const seconds = (performance.now() - began) / 1000;
        return { seconds, found: await look(port) };
      }
      await delay(50);
    }
    throw new Error('npm start did not bring up a console that answers');
  } finally {
    if (child.pid !== undefined) await endGroup(child.pid);
  }
}

/** Ends a group of processes as a terminal does at Ctrl-C, and waits for the last of them: npm itself goes before the rest. */
async function endGroup(leader: number): Promise<void> {
  const reach = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-leader, signal);
    } catch {
      return false;
    }
  };
  reach('SIGINT');
  while (reach(0)) await delay(50);
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}

interface Part {
  pid: number;
  kilobytes: number;
  command: string;
}

/** The product's processes as the sandbox noted them when it started them. */
function partsOf(directory: string): Part[] {
  const noted: { pid: number }[] = JSON.parse(readFileSync(join(directory, 'processes.json'), 'utf8'));
  const pids = noted.map(({ pid }) => String(pid)).join(',');
  return execFileSync('ps', ['-o', 'pid=,rss=,command=', '-p', pids], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, kilobytes, ...command] = line.trim().split(/\s+/);
      return { pid: Number(pid), kilobytes: Number(kilobytes), command: command.join(' ') };
    });
}

function residentMegabytes(directory: string): number {
  const own = partsOf(directory).filter(({ command }) => /server\/src\/(main|worker|signer)\.ts/.test(command));
  if (own.length !== 3) throw new Error(`server, worker and signer are three processes, not ${own.length}`);
  return own.reduce((sum, { kilobytes }) => sum + kilobytes * 1024, 0) / 1e6;
}

/** Seconds from `kill -9` of a part to a console that is ready again; it must have been away in between. */
async function backAfterKill(directory: string, command: string, port: number): Promise<number> {
  const part = partsOf(directory).findLast((one) => one.command.includes(command));
  if (!part) throw new Error(`${command} does not run`);
  process.kill(part.pid, 'SIGKILL');
  const began = performance.now();
  while (await answers(port)) await delay(5);
  while (!(await answers(port))) {
    if (performance.now() - began > giveUpAfterMs) throw new Error(`${command} did not come back`);
    await delay(20);
  }
  return (performance.now() - began) / 1000;
}
