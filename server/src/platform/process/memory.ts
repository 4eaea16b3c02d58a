import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const settledAfterMs = 3000;
const lookEveryMs = 30_000;
/** A process that used less of a core than this since the last look is idle. */
const idleShare = 0.05;
/** Less growth than this is not worth a pause. */
const worthBytes = 30 * 1024 * 1024;

export interface Look {
  /** Of one core since the last look, 0 to 1. */
  cpuShare: number;
  residentBytes: number;
}

/** Whether memory should be given back now; `keptBytes` is what was resident after it was given back last. */
export function isWorthCollecting({ cpuShare, residentBytes }: Look, keptBytes: number): boolean {
  return cpuShare < idleShare && residentBytes - keptBytes > worthBytes;
}

/**
 * Gives back what V8 would keep, because it collects garbage when memory is asked for and not when it lies about: some
 * 35 MB a few seconds after the start, which loading the modules has left behind, and what a time of load has left, once
 * the process is idle again. A collection then pauses a process that has nothing to do.
 */
export function tidyUpWhenIdle(): void {
  let keptBytes = Number.POSITIVE_INFINITY;
  let usage = process.cpuUsage();
  let lookedAt = performance.now();

  const tidy = (): void => {
    setFlagsFromString('--expose-gc');
    const collect: NodeJS.GCFunction = runInNewContext('gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    keptBytes = process.memoryUsage.rss();
  };
  const look = (): void => {
    const { user, system } = process.cpuUsage(usage);
    const now = performance.now();
    const cpuShare = (user + system) / 1000 / (now - lookedAt);
    usage = process.cpuUsage();
    lookedAt = now;
    if (isWorthCollecting({ cpuShare, residentBytes: process.memoryUsage.rss() }, keptBytes)) tidy();
  };
  setTimeout(tidy, settledAfterMs).unref();
  setInterval(look, lookEveryMs).unref();
}
