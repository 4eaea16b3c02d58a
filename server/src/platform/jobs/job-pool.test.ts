import pg from 'pg';
import { expect, test } from 'vitest';
import { releasedOnce } from './job-pool.ts';

test('a connection that is asked for after the pool has ended is refused, and can be released without harm', async () => {
  const pool = new pg.Pool();
  await pool.end();
  const message = await new Promise<string | undefined>((resolve) => {
    releasedOnce(pool).connect((error, _client, done) => {
      done();
      resolve(error?.message);
    });
  });
  expect(message).toContain('after calling end');
});
