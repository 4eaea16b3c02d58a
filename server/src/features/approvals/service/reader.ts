import type { Session } from '../../../platform/session.ts';
import type { AuthorityChange, Person } from '../../organisation/index.ts';
import { actorOf, centsOf } from '../domain.ts';
import type { Reader, Seat } from '../store/lists.ts';
import type { PeopleById } from './people.ts';

/** Who looks at tasks, with the seats they act for at this moment. `inactive`: of whom nothing waits for a decision. */
export function readerOf(
  { userId, isLook }: Pick<Session, 'userId' | 'isLook'>,
  people: PeopleById,
  inactive: readonly string[] = [],
): Reader {
  const person = people.get(userId);
  // An onlooker decides nothing, and sees what those who manage the rules see.
  if (!person) return { ...noMember(userId), managesRules: isLook === true };
  const seats = [...people.values()].flatMap((seat): Seat[] => {
    if (seat.status !== 'active') return [];
    const actor = actorOf(seat, people);
    if (actor.id === userId) return [seatOf(seat, seat.id === userId ? [] : seat.changes, null)];
    // Of what began before their deputy stood in, a person on leave decides themselves.
    const before = seat.id === userId ? stoodInSince(actor, userId) : null;
    return before ? [seatOf(seat, [], before)] : [];
  });
  return {
    id: userId,
    roleId: person.roleId,
    permissions: person.permissions,
    quotaCents: person.quotaUsd === null ? null : centsOf(person.quotaUsd),
    mayDecide: person.permissions.includes('approval.decide'),
    managesRules: person.permissions.includes('rule.manage'),
    changes: person.changes,
    inactive,
    seats,
  };
}

function seatOf({ id, roleId, permissions }: Person, changes: readonly AuthorityChange[], before: Date | null): Seat {
  return { id, roleId, permissions, changes, before };
}

/** Since when a deputy acts for this person; null: for longer than is recorded. */
function stoodInSince({ changes }: Person, id: string): Date | null {
  return changes.findLast(({ before }) => !before?.seats.includes(id))?.at ?? null;
}

function noMember(id: string): Reader {
  const none = { permissions: [], changes: [], inactive: [], seats: [] };
  return { id, roleId: id, quotaCents: 0n, mayDecide: false, managesRules: false, ...none };
}
