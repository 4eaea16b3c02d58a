import { expect, test, vi } from 'vitest';
import type { Database } from './database.ts';
import { takeSessionLock } from './session-lock.ts';

test('a connection that breaks while a lock is asked for goes back to the pool', async () => {
  const release = vi.fn();
  const client = { query: () => Promise.reject(new Error('terminated')), release, on: vi.fn() };
  const database = { pool: { connect: async () => client } } as unknown as Database;
  await expect(takeSessionLock(database, 'watch/ethereum')).rejects.toThrow('terminated');
  expect(release).toHaveBeenCalledExactlyOnceWith(true);
});
