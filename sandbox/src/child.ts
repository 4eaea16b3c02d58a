import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** How a child process came to its end. */
export type ChildEnd = { code: number | null; signal: NodeJS.Signals | null };

export type Child = {
  pid: number;
  process: ChildProcess;
  /** Settles once, when the process is gone; never rejects. */
  ended: Promise<ChildEnd>;
  hasEnded(): boolean;
};

export type ChildOptions = {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** File that receives standard output and error, appended. A file outlives us, a pipe would break with us. */
  logFile: string;
  uid?: number;
  gid?: number;
  /** Opens a channel for messages to and from a Node.js child, which also tells the child when we are gone. */
  channel?: boolean;
};

type SpawnListener = (pid: number) => void;

const living = new Set<Child>();
const listeners = new Set<SpawnListener>();

/** The children that have not ended yet. */
export function livingChildren(): readonly Child[] {
  return [...living];
}

/** Calls the listener for every child from now on, at the moment it is there. */
export function onSpawn(listener: SpawnListener): void {
  listeners.add(listener);
}

/**
 * Starts a process in a group of its own, so that Ctrl-C in the terminal reaches the supervisor alone and
 * the supervisor decides in which order things end.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const log = openSync(options.logFile, 'a', 0o600);
  try {
    const process = spawn(options.command, [...options.args], {
      env: options.env,
      detached: true,
      stdio: options.channel === true ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.uid === undefined ? {} : { uid: options.uid }),
      ...(options.gid === undefined ? {} : { gid: options.gid }),
    });
    await new Promise<void>((resolve, reject) => {
      process.once('spawn', resolve);
      process.once('error', reject);
    });
    const { pid } = process;
    if (pid === undefined) throw new Error(`${options.command} started without a process id`);
    let hasEnded = process.exitCode !== null || process.signalCode !== null;
    const ended = new Promise<ChildEnd>((resolve) => {
      if (hasEnded) resolve({ code: process.exitCode, signal: process.signalCode });
      process.once('exit', (code, signal) => {
        hasEnded = true;
        resolve({ code, signal });
      });
    });
    const child: Child = { pid, process, ended, hasEnded: () => hasEnded };
    living.add(child);
    ended.then(() => living.delete(child));
    for (const listener of listeners) listener(pid);
    return child;
  } finally {
    closeSync(log);
  }
}

/** Asks a child to end, waits, and after `graceMs` milliseconds ends it by force. */
export async function endChild(child: Child, signal: NodeJS.Signals, graceMs: number): Promise<ChildEnd> {
  if (child.hasEnded()) return child.ended;
  child.process.kill(signal);
  const waiting = new AbortController();
  const patience = delay(graceMs, undefined, { signal: waiting.signal }).then(
    () => child.process.kill('SIGKILL'),
    () => undefined,
  );
  const end = await child.ended;
  waiting.abort();
  await patience;
  return end;
}

/** How long a log is now, in bytes; 0 when there is none. */
export function logLength(logFile: string): number {
  return statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
}

/** What was written to a log after it was `offset` bytes long: at most the last 4000 characters of it. */
export function logSince(logFile: string, offset: number): string {
  if (logLength(logFile) <= offset) return '';
  return readFileSync(logFile).subarray(offset).toString('utf8').trimEnd().slice(-4000);
}
