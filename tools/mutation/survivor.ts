/**
 * Mutants that no test can kill, because the mutated program does the same: each with the reason. run.ts fails on a survivor
 * that is not listed here.
 */
export interface Survivor {
  file: string;
  /** The text that Stryker replaced, on one line. */
  original: string;
  replacement: string;
  reason: string;
}
