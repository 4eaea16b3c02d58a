import type { BatchFileProblem } from '@causeway/contract/batches-rules.ts';

/** A file that is not read at all: nothing of it is kept. Blanks of its sentence, `batches.file.<problem>`, are in `details`. */
export class BatchFileError extends Error {
  readonly problem: BatchFileProblem;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(problem: BatchFileProblem, details: Record<string, string | number> = {}) {
    super(problem);
    this.name = 'BatchFileError';
    this.problem = problem;
    this.details = details;
  }
}
