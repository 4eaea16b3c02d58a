import type { Log } from './log.ts';
import { tidyUpWhenIdle } from './memory.ts';
import { exitCodeOf, sentenceOf } from './start-failure.ts';

/** Starts a process; what an operator can mend is one sentence on standard error, anything else is printed in full. */
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

/** Runs a command line to its end; prints failures as `runProcess` does, and exits with `exitCodeOf` the error. */
export async function runCommand(run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
