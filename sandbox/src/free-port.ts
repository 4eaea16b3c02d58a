import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Where tests look for a port: below Linux's range for outgoing connections (32768 to 60999), so that no connection takes the
 * port between the probe and its use, and above the fixed ports of `npm start` and of the journeys.
 */
const FIRST = 27_000;
const LAST = 32_767;

/** Ports that this process has tried: a test asks for several before it listens on the first. */
const tried = new Set<number>();

/** Returns a TCP port of 127.0.0.1 that is free, and that `freePort` gives to no other process while this one runs. */
export async function freePort(): Promise<number> {
  const count = LAST - FIRST + 1;
  const start = Math.floor(Math.random() * count);
  for (let step = 0; step < count; step += 1) {
    const port = FIRST + ((start + step) % count);
    if (tried.has(port)) continue;
    tried.add(port);
    if (reserve(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`no port from ${FIRST} to ${LAST} is free`);
}

/** Files named after ports, with the process that has each; all test processes of this machine share them. */
const folder = join(tmpdir(), 'causeway-ports');
const fileOf = (port: number) => join(folder, `${port}`);

const reserved = new Set<number>();

/** @returns false when a living process has the port */
function reserve(port: number): boolean {
  if (reserved.size === 0) {
    mkdirSync(folder, { recursive: true });
    process.once('exit', release);
  }
  try {
    writeFileSync(fileOf(port), `${process.pid}`, { flag: 'wx' });
  } catch {
    if (!takeOver(port)) return false;
  }
  reserved.add(port);
  return true;
}

/** Takes a port whose process has ended without giving it back; of several that try, one succeeds. */
function takeOver(port: number): boolean {
  if (isHeld(port)) return false;
  const lock = `${fileOf(port)}.lock`;
  try {
    mkdirSync(lock);
  } catch {
    return false;
  }
  try {
    if (isHeld(port)) return false;
    writeFileSync(fileOf(port), `${process.pid}`);
    return true;
  } finally {
    rmdirSync(lock);
  }
}

function isHeld(port: number): boolean {
  try {
    process.kill(Number(readFileSync(fileOf(port), 'utf8')), 0);
    return true;
  } catch (error) {
    // No such process: it ended without an exit handler.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function release(): void {
  for (const port of reserved) rmSync(fileOf(port), { force: true });
}

/** Whether this port of 127.0.0.1 can be listened on. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
