/** A reason not to start that an operator can mend; its message is a sentence for them. */
export class StartFailure extends Error {
  /** What the process exits with. */
  readonly exitCode: number = 1;
}

/** The exit code of a process or command that failed. */
export function exitCodeOf(error: unknown): number {
  return error instanceof StartFailure ? error.exitCode : 1;
}

/** What an operator can mend, by the code of the operating system or of PostgreSQL (SQLSTATE). */
const sentences: Readonly<Record<string, (message: string) => string>> = {
  EADDRINUSE: (message) => `${message}: the port is taken; end what uses it or configure another.`,
  EADDRNOTAVAIL: (message) => `${message}: this machine does not have that address.`,
  EACCES: (message) => `${message}: the user that this process runs as may not do that.`,
  EPERM: (message) => `${message}: the user that this process runs as may not do that.`,
  EROFS: (message) => `${message}: the file system is read-only.`,
  ENOSPC: () => 'The disk is full.',
  ECONNREFUSED: (message) => `The database does not answer: ${message}`,
  ECONNRESET: (message) => `The database ended the connection: ${message}`,
  ETIMEDOUT: (message) => `The database does not answer in time: ${message}`,
  EHOSTUNREACH: (message) => `The database's host cannot be reached: ${message}`,
  ENOTFOUND: (message) => `The database's host has no address: ${message}`,
  EAI_AGAIN: (message) => `The database's host name cannot be resolved: ${message}`,
  '28P01': () => 'The database refuses the password; run the migration program after changing it.',
  '28000': (message) => `The database refuses this sign-in (pg_hba.conf): ${message}`,
  '3D000': (message) => `The database does not exist: ${message}`,
  '3F000': () => 'The database has no schema of Causeway; run the migration program first.',
  '42P01': (message) => `The database is not up to date (${message}); run the migration program first.`,
  '42501': (message) => `The database's role lacks a right (${message}); run the migration program as the owner.`,
  '53300': () => 'The database has no connection free; raise max_connections or lower DATABASE_POOL_SIZE.',
};

/** One sentence for what an operator can mend; the whole error for anything else. Values of the configuration never show. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  const say = code === undefined ? undefined : sentences[code];
  return say ? say(message) : (error.stack ?? error.message);
}
