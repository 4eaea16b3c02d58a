import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Reads how much processor time a process and its children have used until now, in microseconds. Only Linux says so (proc(5)). */
export type ProcessorTime = () => number;

const microsecondsPerTick = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** From `ppid` on, which is the fourth field: the second may hold spaces. */
function fieldsOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) . /s, '')
      .split(' ');
  } catch {
    // It ended meanwhile; its parent has its time.
    return [];
  }
}

/** User and system time in ticks, that of children which have ended included. */
function ticksOf(fields: readonly string[]): number {
  return [10, 11, 12, 13].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
}

export function processorTimeOf(pid: number): ProcessorTime {
  return () => {
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(fieldsOf)
      .filter(([parent]) => parent === String(pid));
    return [fieldsOf(pid), ...children].reduce((sum, fields) => sum + ticksOf(fields), 0) * microsecondsPerTick;
  };
}
