/** Why a part of the sandbox could not start, in a form the supervisor can tell a person in one sentence. */
export type FailureKind =
  | 'port_taken'
  | 'damaged'
  | 'other_version'
  | 'in_use'
  | 'no_space'
  | 'unsupported'
  | 'not_ready';

/**
 * A foreseen failure of a part. The message is one complete sentence in plain English, fit for the terminal;
 * `detail` holds the part's own message (the last lines of its log), for diagnosis.
 */
export class SandboxFailure extends Error {
  readonly kind: FailureKind;
  readonly detail: string;

  constructor(kind: FailureKind, sentence: string, detail = '') {
    super(sentence);
    this.name = 'SandboxFailure';
    this.kind = kind;
    this.detail = detail;
  }
}

/** Whether an error of the operating system carries this code (`ENOENT`, `EADDRINUSE`, …). */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
