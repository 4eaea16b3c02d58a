import type { Database } from '../platform/database/database.ts';

/** What a killed process leaves: thrown at one step, before or after its work. */
export class Killed extends Error {}

/** A gateway or signer that dies at one step, `count` times; what it did before remains. */
export function dying<T extends object>(target: T, method: keyof T & string, moment: 'before' | 'after', count = 1): T {
  let left = count;
  return new Proxy(target, {
    get(own, name) {
      const value: unknown = Reflect.get(own, name);
      if (name !== method || typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        left -= 1;
        if (left < 0) return value.apply(own, args) as unknown;
        if (moment === 'after') await value.apply(own, args);
        throw new Killed(`${method} ${moment}`);
      };
    },
  });
}

/** A database whose connection a killed process leaves in the middle: after so many statements of its transactions, nothing is committed. */
export function dyingDatabase(
  database: Database,
  transactions: number,
  moment: 'before commit' | 'after commit',
): Database {
  let left = transactions;
  const guard =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      left -= 1;
      const result = await work(...given);
      if (left === 0 && moment === 'before commit') throw new Killed('before commit');
      return result;
    };
  const ended = async <T>(done: Promise<T>): Promise<T> => {
    const result = await done;
    if (left === 0 && moment === 'after commit') throw new Killed('after commit');
    return result;
  };
  return {
    ...database,
    withoutCompany: (work) => ended(database.withoutCompany(guard(work))),
    withCompany: (companyId, work, options) => ended(database.withCompany(companyId, guard(work), options)),
  };
}
