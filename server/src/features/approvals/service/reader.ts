import type { Session } from '../../../platform/session.ts';
import type { Person } from '../../organisation/index.ts';
import { actorOf, centsOf } from '../domain.ts';
import type { Reader } from '../store/lists.ts';
import type { PeopleById } from './core.ts';

/** Who looks at tasks, with the seats they act for at this moment. */
export function readerOf({ userId }: Session, people: PeopleById): Reader {
  const person = people.get(userId);
  if (!person) return nobody(userId);
  const seats = [...people.values()].filter((seat) => seat.status === 'active' && actorOf(seat, people).id === userId);
  return {
    id: userId,
    roleId: person.roleId,
    quotaCents: person.quotaUsd === null ? null : centsOf(person.quotaUsd),
    mayDecide: person.permissions.includes('approval.decide'),
    managesRules: managesRules(person),
    seats: seats.map((seat) => ({ id: seat.id, roleId: seat.roleId, managesRules: managesRules(seat) })),
  };
}

function managesRules({ permissions }: Person): boolean {
  return permissions.includes('rule.manage');
}

function nobody(id: string): Reader {
  return { id, roleId: id, quotaCents: 0n, mayDecide: false, managesRules: false, seats: [] };
}
