import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PORTS } from '@causeway/sandbox/settings.ts';
import { freePort } from './server-process.ts';

/** Seconds from `npm start` to a console that answers: on an empty data directory, and again. */

const root = join(import.meta.dirname, '..');
const giveUpAfterMs = 180_000;

export async function timeStarts(): Promise<{ coldSeconds: number; warmSeconds: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-start-'));
  try {
    const environment: Record<string, string> = { CAUSEWAY_DATA_DIR: directory };
    const variables = Object.values(PORTS).map(({ variable }) => variable);
    const ports = await Promise.all(variables.map(() => freePort()));
    for (const [i, variable] of variables.entries()) environment[variable] = String(ports[i]);
    return { coldSeconds: await startOnce(environment), warmSeconds: await startOnce(environment) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function startOnce(environment: Readonly<Record<string, string>>): Promise<number> {
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
      if (await answers(port)) return (performance.now() - began) / 1000;
      await delay(50);
    }
    throw new Error('npm start did not bring up a console that answers');
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // The whole group, as a terminal does at Ctrl-C.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  }
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}
