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
export function dyingDatabase(database: Database, transactions: number, moment: Moment): Database & Life {
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
    withCompanies: (companyIds, work, options) => ended(database.withCompanies(companyIds, guard(work), options)),
  };
}

/** The database of a process that dies when a test says so: from then on it commits nothing more, until another one takes its place. */
export interface MortalDatabase extends Database {
  /** Dies at so many of its transactions from now on. */
  doom(transactions: number, moment: Moment): Life['life'];
  revive(): void;
}

export type Moment = (typeof moments)[number];
const moments = ['before commit', 'after commit'] as const;

export function mortalDatabase(database: Database): MortalDatabase {
  let doomed: (Database & Life) | null = null;
  const alive = async (): Promise<Database> => {
    if (doomed?.life.isOver) throw new Killed('its process is gone');
    return doomed ?? database;
  };
  return {
    ...database,
    doom(transactions, moment) {
      doomed = dyingDatabase(database, transactions, moment);
      return doomed.life;
    },
    revive() {
      doomed = null;
    },
    withoutCompany: async (work) => (await alive()).withoutCompany(work),
    withCompany: async (companyId, work, options) => (await alive()).withCompany(companyId, work, options),
    withCompanies: async (companyIds, work, options) => (await alive()).withCompanies(companyIds, work, options),
  };
}

/**
 * Has a process die at its first transaction, then at its second, and so on, before the commit and after it, until one comes to the end.
 * @param round goes through one case; returns whether the process died @returns how often it died
 */
export async function eachDeath(round: (transactions: number, moment: Moment) => Promise<boolean>): Promise<number> {
  let deaths = 0;
  for (const moment of moments) {
    for (let transactions = 1; await round(transactions, moment); transactions += 1) deaths += 1;
  }
  return deaths;
}

/** How often a test goes through all deaths: more often in `npm run proof`. */
export const killRounds = Number(process.env['PROOF_ROUNDS'] ?? 8) > 8 ? 20 : 1;

/** What became of a worker: how many transactions it began, and whether it died. */
export interface Life {
  readonly life: { readonly transactions: number; readonly isOver: boolean };
}
