import type { Locale } from '@causeway/contract/locale.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findNamedPeople, findPeople, type Named, type Person } from '../../organisation/index.ts';
import type { TaskRow } from '../store/tasks.ts';

/** The people whom tasks name. */

export type PeopleById = ReadonlyMap<string, Person>;

/** Everyone of the company. */
export async function peopleById(tx: Tx, locale?: Locale): Promise<PeopleById> {
  return byId(await findPeople(tx, undefined, locale));
}

/** Those whom these tasks name, or who could decide on them, and their deputies: what showing the tasks needs. */
export async function peopleOf(
  tx: Tx,
  tasks: readonly Pick<TaskRow, 'initiatorId' | 'nodes'>[],
  userId: string,
  locale?: Locale,
): Promise<PeopleById> {
  const nodes = tasks.flatMap((task) => task.nodes);
  const named: Named = {
    ids: unique([userId, ...tasks.map(({ initiatorId }) => initiatorId), ...nodes.flatMap(({ people }) => people)]),
    roleIds: unique(nodes.flatMap(({ roles }) => roles)),
    holding: unique(nodes.flatMap(({ holders }) => holders ?? [])),
    deputies: [userId],
  };
  return byId(await findNamedPeople(tx, named, locale));
}

export function byId(people: readonly Person[]): PeopleById {
  return new Map(people.map((person) => [person.id, person]));
}

function unique<T extends string>(ids: readonly T[]): T[] {
  return [...new Set(ids)];
}
