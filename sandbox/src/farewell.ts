import { endChild, livingChildren } from './child.ts';
import type { Supervised } from './supervised.ts';

/** A launcher passes a signal on that the terminal has sent as well: the same wish, told twice. */
const ECHO_MS = 500;
const GRACE_MS = 5_000;

/**
 * Waits for the wish to end: Ctrl-C, SIGTERM, a closed terminal, or a launcher that is gone. A second wish ends
 * everything at once.
 */
export function onFarewell(say: (sentence: string) => void): { asked: Promise<'asked'> } {
  let firstAt: number | undefined;
  const asked = new Promise<'asked'>((resolve) => {
    const wish = (): void => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        say('Stopping; press Ctrl-C again to stop at once.');
        resolve('asked');
      } else if (Date.now() - firstAt > ECHO_MS) {
        endAtOnce();
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, wish);
    process.once('disconnect', wish);
  });
  return { asked };
}

/** Ends what was started, last started first, and then whatever was still on its way up. */
export async function endAll(parts: readonly Supervised[]): Promise<void> {
  const [servers, others] = [parts.filter((part) => part.isServer), parts.filter((part) => !part.isServer)];
  await Promise.all(servers.map((part) => part.stop()));
  for (const part of others) await part.stop();
  await Promise.all(livingChildren().map((child) => endChild(child, 'SIGTERM', GRACE_MS)));
}

function endAtOnce(): void {
  // Told, not forced: a process that looks after others (the chain's node) still takes them along, within a moment.
  for (const child of livingChildren()) child.process.kill(child.process.channel ? 'SIGTERM' : 'SIGKILL');
  process.exit(130);
}
