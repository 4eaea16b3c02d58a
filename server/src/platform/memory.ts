import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const settledAfterMs = 3000;

/**
 * Gives back, once, what loading the modules has left behind: some 35 MB of a process that V8 would keep as long as little
 * happens, because it collects garbage when memory is asked for and not when it lies about. A few seconds after the start,
 * so that nobody waits for it.
 */
export function tidyUpAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect: NodeJS.GCFunction = runInNewContext('gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, settledAfterMs).unref();
}
