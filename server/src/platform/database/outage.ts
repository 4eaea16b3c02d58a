/**
 * Tells an outage of the database, which passes and is worth a new attempt, from a fault of ours. The driver reports an
 * outage in three ways: PostgreSQL's own SQLSTATE, the operating system's code of a socket error, or a sentence alone.
 */

/** SQLSTATE: connection exceptions (08), insufficient resources (53), operator intervention (57P), system error (58). */
const stateClass = /^(08[0-9A-Z]{3}|53[0-9A-Z]{3}|57P0[1-5]|58[0-9A-Z]{3})$/;
const states = new Set([
  // read_only_sql_transaction: the connection leads to a standby, or to a primary that is being demoted.
  '25006',
  // serialization_failure and deadlock_detected, after `Database` has repeated the transaction in vain.
  '40001',
  '40P01',
]);

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** What `pg` and `pg-pool` say without a code. */
const sentences = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]);

/** No configured host of the database accepts writes at the moment. */
export class NoPrimary extends Error {
  constructor(options?: ErrorOptions) {
    super('No host of the database accepts writes', options);
    this.name = 'NoPrimary';
  }
}

/** The depth to which causes are followed; `pg-pool` wraps once, Node.js once for a name with several addresses. */
const maxDepth = 4;

/** Whether the error, or what caused it, is an outage of the database. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false;
  if (error instanceof NoPrimary || sentences.has(error.message)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (stateClass.test(code) || states.has(code) || socketCodes.has(code)) return true;
  const causes: unknown[] = [error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  return causes.some((cause) => isOutage(cause, depth + 1));
}
