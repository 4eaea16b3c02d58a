import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Outcome } from '../batching.ts';
import { DomainError, invariant } from '../domain-error.ts';
import type { CompaniesTx, Database, Tx } from './database.ts';
import { companyQueuedOf } from './queue-refusal.ts';

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
  const sha256 = digestOf(request);
  const { companyId, memberId, key } = request;
  return database.withCompany<Answered<T>>(
    companyId,
    async (tx) => {
      const [found, facts] = await Promise.allSettled([findAnswer<T>(tx, { memberId, key, sha256 }), read(tx)]);
      if (found.status === 'rejected') throw found.reason;
      if (facts.status === 'rejected' && companyQueuedOf(facts.reason) !== null) throw facts.reason;
      if (found.value) return found.value;
      if (facts.status === 'rejected') throw facts.reason;
      return { answer: await work(tx, facts.value), replayed: false };
    },
    {
      // Requests with the same key run one after another, so that all but the first find its answer.
      locks: locksOf(request),
      behindQueue: true,
      last: ({ answer, replayed }) =>
        replayed
          ? null
          : sql`
              insert into idempotency (company_id, member_id, key, call, request_sha256, answer)
              values (company_id(), ${memberId}, ${key}, ${request.call}, ${sha256}, ${JSON.stringify(answer)})`,
    },
  );
}

/** Longer than a batch takes on a busy machine. */
const sharedLockTimeoutMs = 200;

/** What several requests share: they read together, are decided one after another, and write with the commit. */
export interface Shared<W, T> {
  /** As `onceReading`: what it reads travels with the look for earlier answers, and it has no effect that a repetition would mind. */
  read(tx: CompaniesTx): Promise<W>;
  /** Decides the requests at these places, in order, and leaves what is to be written. */
  work(tx: CompaniesTx, places: readonly number[], world: W): Promise<readonly Outcome<T>[]>;
  /** As long as it takes; otherwise a wait of 200 ms fails with 55P03, so that one company's lock does not hold up the others. */
  waitsForLocks?: boolean;
}

/** As `onceReading` for several requests in one transaction, no two of which share a key or an id: each has an outcome of its own. */
export function onceEach<W, T>(
  database: Database,
  requests: readonly Once[],
  { read, work, waitsForLocks = false }: Shared<W, T>,
): Promise<Outcome<Answered<T>>[]> {
  const sent = requests.map((request) => ({ ...request, sha256: digestOf(request) }));
  return database.withCompanies(
    requests.map(({ companyId }) => companyId),
    async (tx) => {
      const [found, world] = await Promise.allSettled([findAnswers<T>(tx, sent), read(tx)]);
      if (found.status === 'rejected') throw found.reason;
      // It ended the transaction, so that nothing of it can be answered.
      if (world.status === 'rejected' && companyQueuedOf(world.reason) !== null) throw world.reason;
      const outcomes: (Outcome<Answered<T>> | null)[] = found.value;
      const places = outcomes.flatMap((outcome, place) => (outcome === null ? [place] : []));
      if (places.length > 0) {
        if (world.status === 'rejected') throw world.reason;
        const worked = await work(tx, places, world.value);
        places.forEach((place, index) => {
          const outcome = worked[index];
          invariant(outcome, 'each request that is decided has an outcome');
          outcomes[place] = 'answer' in outcome ? { answer: { answer: outcome.answer, replayed: false } } : outcome;
        });
      }
      const settled = outcomes.map((outcome) => {
        invariant(outcome, 'each request has an outcome');
        return outcome;
      });
      keepAnswers(tx, sent, settled);
      return settled;
    },
    { locks: requests.flatMap(locksOf), lockTimeoutMs: waitsForLocks ? 0 : sharedLockTimeoutMs, behindQueue: true },
  );
}

/** The locks behind which a request is alone: of its key, and of the id of what it makes. */
export function locksOf({ companyId, memberId, key, makes }: Once): bigint[] {
  const lock = lockOf('key', companyId, memberId, key);
  return makes === undefined ? [lock] : [lock, lockOf('made', companyId, makes)];
}

function digestOf({ call, request }: Once): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([call, request]))
    .digest();
}

type Sent = Once & { sha256: Buffer };

/** The earlier answers, in the order of the requests; null where there is none. */
async function findAnswers<T>(tx: CompaniesTx, sent: readonly Sent[]): Promise<(Outcome<Answered<T>> | null)[]> {
  const { rows } = await sql<{ place: number; request_sha256: Buffer; answer: T }>`
    select r.place::integer, i.request_sha256, i.answer
    from unnest(${sent.map(({ companyId }) => companyId)}::uuid[], ${sent.map(({ memberId }) => memberId)}::uuid[],
      ${sent.map(({ key }) => key)}::text[]) with ordinality as r (company_id, member_id, key, place)
    join idempotency i on i.company_id = r.company_id and i.member_id = r.member_id and i.key = r.key`.execute(tx);
  const outcomes: (Outcome<Answered<T>> | null)[] = sent.map(() => null);
  for (const { place, request_sha256, answer } of rows) {
    const isSame = sent[place - 1]?.sha256.equals(request_sha256) === true;
    outcomes[place - 1] = isSame
      ? { answer: { answer, replayed: true } }
      : { refused: new DomainError('idempotencyKeyReused') };
  }
  return outcomes;
}

function keepAnswers<T>(tx: CompaniesTx, sent: readonly Sent[], outcomes: readonly Outcome<Answered<T>>[]): void {
  const kept = sent.flatMap((request, place) => {
    const outcome = outcomes[place];
    return outcome && 'answer' in outcome && !outcome.answer.replayed
      ? [{ ...request, answer: JSON.stringify(outcome.answer.answer) }]
      : [];
  });
  if (kept.length === 0) return;
  tx.leave([
    sql`
      insert into idempotency (company_id, member_id, key, call, request_sha256, answer)
      select * from unnest(${kept.map(({ companyId }) => companyId)}::uuid[], ${kept.map(({ memberId }) => memberId)}::uuid[],
        ${kept.map(({ key }) => key)}::text[], ${kept.map(({ call }) => call)}::text[], ${kept.map(({ sha256 }) => sha256)}::bytea[],
        ${kept.map(({ answer }) => answer)}::jsonb[])`.execute(tx),
  ]);
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
