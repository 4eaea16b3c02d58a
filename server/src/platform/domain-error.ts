import type { ErrorDetails, ErrorKey } from '@causeway/contract/errors.ts';

/**
 * The one way in which a rule says no. It rolls the transaction back, and one handler turns it into the contract's
 * number, status and the sentence in the caller's language. `fields` maps a field to the id of its message.
 */
export class DomainError extends Error {
  readonly key: ErrorKey;
  readonly details: ErrorDetails;
  readonly fields: Record<string, string>;

  constructor(key: ErrorKey, details: ErrorDetails = {}, fields: Record<string, string> = {}) {
    super(key);
    this.name = 'DomainError';
    this.key = key;
    this.details = details;
    this.fields = fields;
  }
}

/**
 * A refusal that must itself be remembered, such as a wrong guess of a code: what the transaction wrote before it is
 * committed. Thrown only before anything else was written.
 */
export class RememberedError extends DomainError {}

/** A broken invariant: crashes the request or the job, is logged in full, and is never shown as a rule. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}
