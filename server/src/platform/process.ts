import { ConfigError } from './config.ts';
import type { Log } from './log.ts';
import { tidyUpWhenIdle } from './memory.ts';

/** Starts a process; what an operator can mend is one sentence on standard error, anything else is told in full. */
export async function runProcess(start: () => Promise<void>): Promise<void> {
  try {
    await start();
    tidyUpWhenIdle();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1);
  }
}

/**
 * The last resort: an error that no code caught leaves the process in an unknown state. It is logged and the process
 * exits with 1, so that its supervisor starts it again. `log` writes synchronously to standard output.
 */
export function exitOnUncaught(log: Log): void {
  const exit = (message: string) => (error: unknown) => {
    log.fatal({ err: error }, message);
    log.flush();
    process.exit(1);
  };
  process.on('uncaughtException', exit('an exception was caught by no code; the process ends'));
  process.on('unhandledRejection', exit('a rejection was handled by no code; the process ends'));
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${error.message}: the port is taken; end what uses it or configure another.`;
  if (code === 'ENOSPC') return 'The disk is full.';
  if (code === 'ECONNREFUSED') return `The database does not answer: ${error.message}`;
  if (code === '28P01') return 'The database refuses the password; run the migration program after changing it.';
  return error.stack ?? error.message;
}
