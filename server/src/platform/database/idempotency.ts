import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { DomainError } from '../domain-error.ts';
import type { Database, Tx } from './database.ts';

/** One request that moves money, as its `Idempotency-Key` names it. */
export interface Once {
  companyId: string;
  /** A key belongs to the member who sent it: the same key from another member is another request. */
  memberId: string;
  key: string;
  /** The call's name: a key serves one call. */
  call: string;
  /** What was asked: parameters and body. */
  request: unknown;
  /** The id that the client chose for what the call makes. Requests for one id run one after another, whatever their keys. */
  makes?: string;
}

export interface Answered<T> {
  answer: T;
  replayed: boolean;
}

/**
 * Runs `work` at most once for a key, in one transaction with the record of its answer; afterwards, and for all but one
 * of many at the same time, the first answer comes back. Keys are kept for ever. Failures are not recorded: nothing
 * happened, and the same key may try again.
 * @throws DomainError idempotencyKeyReused when the key came with another request.
 */
export function once<T>(database: Database, request: Once, work: (tx: Tx) => Promise<T>): Promise<Answered<T>> {
  return onceReading(database, request, async () => undefined, work);
}

/**
 * As `once`, for work that begins by reading: what it reads travels with the look for an earlier answer. `read` has no effect
 * and issues its statements without waiting in between; what it throws is thrown only where there is no earlier answer.
 */
export async function onceReading<R, T>(
  database: Database,
  request: Once,
  read: (tx: Tx) => Promise<R>,
  work: (tx: Tx, facts: R) => Promise<T>,
): Promise<Answered<T>> {
  const sha256 = createHash('sha256')
    .update(JSON.stringify([request.call, request.request]))
    .digest();
  const { companyId, memberId, key, makes } = request;
  // Requests with the same key run one after another, so that all but the first find its answer.
  const locks = [lockOf('key', companyId, memberId, key)];
  if (makes !== undefined) locks.push(lockOf('made', companyId, makes));
  return database.withCompany<Answered<T>>(
    companyId,
    async (tx) => {
      const [found, facts] = await Promise.allSettled([findAnswer<T>(tx, { memberId, key, sha256 }), read(tx)]);
      if (found.status === 'rejected') throw found.reason;
      if (found.value) return found.value;
      if (facts.status === 'rejected') throw facts.reason;
      return { answer: await work(tx, facts.value), replayed: false };
    },
    {
      locks,
      last: ({ answer, replayed }) =>
        replayed
          ? null
          : sql`
              insert into idempotency (company_id, member_id, key, call, request_sha256, answer)
              values (company_id(), ${memberId}, ${key}, ${request.call}, ${sha256}, ${JSON.stringify(answer)})`,
    },
  );
}

function lockOf(...parts: readonly string[]): bigint {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readBigInt64BE();
}

async function findAnswer<T>(
  tx: Tx,
  { memberId, key, sha256 }: { memberId: string; key: string; sha256: Buffer },
): Promise<Answered<T> | null> {
  const { rows } = await sql<{ request_sha256: Buffer; answer: T }>`
    select request_sha256, answer from idempotency
    where company_id = company_id() and member_id = ${memberId} and key = ${key}`.execute(tx);
  const row = rows[0];
  if (!row) return null;
  if (!row.request_sha256.equals(sha256)) throw new DomainError('idempotencyKeyReused');
  return { answer: row.answer, replayed: true };
}
