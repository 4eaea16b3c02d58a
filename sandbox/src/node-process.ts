import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Child, endChild, logLength, logSince, startChild } from './child.ts';
import { SandboxFailure } from './failure.ts';
import type { ServicesMessage } from './services.ts';
import type { Settings } from './settings.ts';
import type { Run } from './supervised.ts';

const run = promisify(execFile);

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 15_000;

/** The environment a Node.js child gets: nothing of ours leaks in, what its environment file says is all it knows. */
function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  // One arena of the C library for all threads: each thread's own keeps some megabytes for nothing.
  return { PATH, HOME, MALLOC_ARENA_MAX: '1', ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}

export type NodeProcessOptions = {
  root: string;
  logFile: string;
  /** Arguments to Node.js: options, then the file to run. */
  args: readonly string[];
  /** Beside what every child gets. */
  env?: Readonly<Record<string, string>>;
};

/** Exit code of the migration program for a database of another version. */
const OTHER_VERSION = 3;

/** Runs a Node.js program to its end and returns what it printed. @throws SandboxFailure not_ready, other_version */
export async function runToEnd(root: string, args: readonly string[], purpose: string): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [...args], { env: childEnvironment(), cwd: root });
    return stdout;
  } catch (error) {
    const said =
      error instanceof Error && 'stdout' in error && 'stderr' in error
        ? `${error.stdout}${error.stderr}`
        : String(error);
    if (error instanceof Error && 'code' in error && error.code === OTHER_VERSION) {
      throw new SandboxFailure('other_version', said.trim());
    }
    throw new SandboxFailure('not_ready', `${purpose} failed.`, said.trim());
  }
}

/** Starts a Node.js program and leaves it running. */
export async function startNode(options: NodeProcessOptions): Promise<Run> {
  return asRun(await spawnNode(options));
}

/** Starts a long-running Node.js program and waits until `<url>/readyz` returns 200. @throws SandboxFailure not_ready */
export async function startUntilReady(options: NodeProcessOptions & { name: string; url: string }): Promise<Run> {
  const written = logLength(options.logFile);
  const child = await spawnNode(options);
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(options.url))) {
    if (!child.hasEnded() && Date.now() < giveUpAt) {
      await delay(25);
      continue;
    }
    await endChild(child, 'SIGKILL', 0);
    const said = logSince(options.logFile, written);
    throw new SandboxFailure('not_ready', `The ${options.name} did not start; its log is ${options.logFile}.`, said);
  }
  return asRun(child);
}

/** Starts the world outside (services.ts) and waits until all of it is there. @throws SandboxFailure */
export async function startServices(settings: Settings, logFile: string): Promise<Run> {
  const child = await startChild({
    command: process.execPath,
    args: [join(import.meta.dirname, 'services.ts')],
    env: childEnvironment(),
    cwd: settings.root,
    logFile,
    channel: true,
  });
  const message = await new Promise<ServicesMessage | undefined>((resolve) => {
    child.process.once('message', (value: ServicesMessage) => resolve(value));
    child.ended.then(() => resolve(undefined));
    child.process.send(settings, () => undefined);
  });
  if (message !== undefined && 'ready' in message) return asRun(child);
  await endChild(child, 'SIGTERM', STOP_WITHIN_MS);
  if (message === undefined) {
    throw new SandboxFailure('not_ready', `The chain, inbox and price feed did not start; their log is ${logFile}.`);
  }
  const { kind, sentence, detail } = message.failure;
  throw new SandboxFailure(kind, sentence, detail);
}

function spawnNode({ root, logFile, args, env }: NodeProcessOptions): Promise<Child> {
  return startChild({ command: process.execPath, args, env: { ...childEnvironment(), ...env }, cwd: root, logFile });
}

function asRun(child: Child): Run {
  return { ended: child.ended, stop: () => endChild(child, 'SIGTERM', STOP_WITHIN_MS) };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
