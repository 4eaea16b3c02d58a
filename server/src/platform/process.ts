import { tidyUpAfterStart } from './memory.ts';
import { sentenceOf } from './start-failure.ts';

/** Starts a process; what an operator can mend is one sentence on standard error, anything else is printed in full. */
export async function runProcess(start: () => Promise<void>): Promise<void> {
  try {
    await start();
    tidyUpAfterStart();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1);
  }
}

/** Runs a command line to its end; failures are said as `runProcess` says them, with exit code 1. */
export async function runCommand(run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
}
