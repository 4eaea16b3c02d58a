/** A command that cannot be read: answered with the usage. */
export class UsageError extends Error {}

/** A command that was understood and cannot be done: one sentence, and exit status 1. */
export class RefusedError extends Error {}
