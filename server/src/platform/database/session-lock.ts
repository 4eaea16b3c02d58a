import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Database } from './database.ts';

/** An advisory lock of a connection of its own, held across transactions: of several processes, one does the work. */
export interface SessionLock {
  /** False when the connection broke: PostgreSQL has then released the lock. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Takes the lock of this name without waiting; null when another process holds it. */
export async function takeSessionLock(database: Database, name: string): Promise<SessionLock | null> {
  const key = createHash('sha256').update(name).digest().readBigInt64BE().toString();
  const client: pg.PoolClient = await database.pool.connect();
  const answer = await client
    .query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [key])
    .catch((error: unknown) => {
      // A connection that broke here would otherwise be missing from the pool for ever.
      client.release(true);
      throw error;
    });
  if (answer.rows[0]?.taken !== true) {
    client.release();
    return null;
  }
  let broken = false;
  client.on('error', () => {
    broken = true;
  });
  return {
    async isHeld() {
      if (broken) return false;
      return client.query('select 1').then(
        () => true,
        () => false,
      );
    },
    async release() {
      // The session ends with the connection, and the lock with the session.
      client.release(true);
    },
  };
}
