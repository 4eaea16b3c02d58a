import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process id is soon reused; with the start time it identifies one process for good. */
export type ProcessIdentity = { pid: number; startedAt: string };

/** The identity of a running process; undefined when there is none with this id. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  try {
    if (platform() === 'linux') {
      const [stat, boot] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8'),
        readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      ]);
      // The command is in parentheses and may hold spaces: the fields are counted from the last one on.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, ticks] = [fields[0], fields[19]];
      return state === 'Z' || ticks === undefined ? undefined : { pid, startedAt: `${boot.trim()} ${ticks}` };
    }
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    });
    return stdout.trim() === '' ? undefined : { pid, startedAt: stdout.trim() };
  } catch {
    return undefined;
  }
}

/** The command line of a process, empty when there is none with this id. */
export async function commandOf(pid: number): Promise<string> {
  try {
    if (platform() === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    return (await run('ps', ['-o', 'command=', '-p', String(pid)], { env: { PATH: '/usr/bin:/bin' } })).stdout;
  } catch {
    return '';
  }
}

export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  return (await identify(identity.pid))?.startedAt === identity.startedAt;
}

/** Ends a process that an earlier run left behind: asks first, and after `graceMs` milliseconds does it by force. */
export async function endOrphan(orphan: ProcessIdentity, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  const forceAt = Date.now() + graceMs;
  let sent: NodeJS.Signals | undefined;
  while (await isRunning(orphan)) {
    const due = Date.now() >= forceAt ? 'SIGKILL' : signal;
    if (due !== sent) {
      try {
        process.kill(orphan.pid, due);
      } catch {
        return;
      }
      sent = due;
    }
    await delay(20);
  }
}

export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startedAt' in value &&
    typeof value.startedAt === 'string'
  );
}
