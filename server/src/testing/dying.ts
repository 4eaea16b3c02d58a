import type { Database } from '../platform/database/database.ts';

/** What a killed process leaves: thrown at one step, before or after its work. */
export class Killed extends Error {}

/** A gateway or signer that dies at one step, `count` times; what it did before remains. `died` is called at each death. */
export function dying<T extends object>(
  target: T,
  method: keyof T & string,
  moment: 'before' | 'after',
  count = 1,
  died: () => void = () => undefined,
): T {
  let left = count;
  return new Proxy(target, {
    get(own, name) {
      const value: unknown = Reflect.get(own, name);
      if (name !== method || typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        left -= 1;
        if (left < 0) return value.apply(own, args) as unknown;
        if (moment === 'after') await value.apply(own, args);
        died();
        throw new Killed(`${method} ${moment}`);
      };
    },
  });
}

/** A database whose connection a killed process leaves in the middle: after so many of its transactions; before its commit, nothing of the last is kept. */
export function dyingDatabase(
  database: Database,
  transactions: number,
  moment: 'before commit' | 'after commit',
): Database & Life {
  const life = { transactions: 0, isOver: false };
  const isLast = () => life.transactions === transactions;
  const die = () => {
    life.isOver = true;
    throw new Killed(moment);
  };
  const guard =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      life.transactions += 1;
      const result = await work(...given);
      if (isLast() && moment === 'before commit') die();
      return result;
    };
  const ended = async <T>(done: Promise<T>): Promise<T> => {
    const result = await done;
    if (isLast() && moment === 'after commit') die();
    return result;
  };
  return {
    ...database,
    life,
    withoutCompany: (work) => ended(database.withoutCompany(guard(work))),
    withCompany: (companyId, work, options) => ended(database.withCompany(companyId, guard(work), options)),
  };
}

/** What became of a worker: how many transactions it began, and whether it died. */
export interface Life {
  readonly life: { readonly transactions: number; readonly isOver: boolean };
}
