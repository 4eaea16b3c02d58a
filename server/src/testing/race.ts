import type { TestDatabase } from './database.ts';

/** Both at once, one of them a little later; in the first two rounds one after the other, so that each side wins once. */
export async function race<A, B>(
  db: Pick<TestDatabase, 'worker'>,
  round: number,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<[A, B]> {
  if (round === 0) return [await one(), await other()];
  if (round === 1) {
    const second = await other();
    return [await one(), second];
  }
  const late = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let left = 8 * (round % 10); left > 0; left -= 1) await db.worker.pool.query('select 1');
    return work();
  };
  return round % 2 === 0 ? Promise.all([one(), late(other)]) : Promise.all([late(one), other()]);
}
