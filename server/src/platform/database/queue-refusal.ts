import pg from 'pg';

/**
 * How a transaction is refused since rows of a company are held and not entered as transactions yet (docs/adr/0116-…), and what is done then. The refusal
 * itself is in `queued.ts`.
 */

/** Enters the queued rows of a company. */
export type EnterQueued = (companyId: string) => Promise<void>;

/** Of `refuse_queued`; its detail is the company. */
const queuedState = 'CW005';
/** lock_not_available: a lock was waited for as long as the transaction lets it. */
const lockNotAvailable = '55P03';

/** So many times a transaction is refused for queued rows before that is its error. */
export const mostRefusals = 100;

/** The company whose queued rows refused a transaction; null: another error. */
export function companyQueuedOf(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === queuedState ? (error.detail ?? null) : null;
}

/** Whether a transaction that waits for nothing for long failed of what it would have waited for: a lock, or queued rows. */
export function isHeldUp(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === lockNotAvailable || error.code === queuedState);
}
