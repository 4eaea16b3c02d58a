import type { Permission } from '@causeway/contract/permission.ts';

/** What members can do to a company's controls, and what a change gives them; pure. */

/** A member who is not disabled, with role and deputy as they are. */
export interface Holder {
  id: string;
  roleId: string;
  /** Where a link to set the password would go; null once it is set. */
  invitedAt: string | null;
  /** The controlling permissions of the role, none while the role is inactive. */
  rights: readonly Permission[];
  /** Approves what is worth less, in US cents; null: unlimited. */
  quotaCents: bigint | null;
  onLeave: boolean;
  deputyId: string | null;
}

/** What a member can do; kept as JSON before each change of it. */
export interface Power {
  roleId: string;
  invitedAt: string | null;
  rights: readonly Permission[];
  /** US cents as text; null: unlimited, or no say at all. */
  quotaCents: string | null;
  /** Members on leave whose deputy they are, where either of them may decide or change controls. */
  seats: readonly string[];
}

/** The power of everybody who has any. */
export function powersOf(holders: readonly Holder[]): Map<string, Power> {
  const powers = new Map<string, Power>();
  for (const { id, roleId, invitedAt, rights, quotaCents } of holders) {
    // A rule may name a person who cannot decide; a deputy who can would decide in their place.
    const seats = holders
      .filter((other) => other.onLeave && other.deputyId === id && (other.rights.length > 0 || rights.length > 0))
      .map((other) => other.id);
    if (rights.length === 0 && seats.length === 0) continue;
    const decides = rights.includes('approval.decide');
    powers.set(id, {
      roleId,
      invitedAt,
      rights: [...rights],
      quotaCents: decides ? (quotaCents?.toString() ?? null) : null,
      seats: seats.sort(),
    });
  }
  return powers;
}

/** The members whose power a change touches, each with what it was before, and whether they come to anything by it. */
export function changedPowers(
  before: ReadonlyMap<string, Power>,
  after: ReadonlyMap<string, Power>,
): { memberId: string; before: Power | null; gained: boolean }[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  return ids.flatMap((memberId) => {
    const [was, is] = [before.get(memberId) ?? null, after.get(memberId) ?? null];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ memberId, before: was, gained: is !== null && gains(was, is) }];
  });
}

/**
 * Whether a member gains anything: a right, a higher amount, a place in the chains that name another role, another person's seat,
 * or another mailbox to which the invitation goes.
 */
function gains(before: Power | null, after: Power): boolean {
  if (!before) return true;
  if (after.rights.some((right) => !before.rights.includes(right))) return true;
  if (after.seats.some((seat) => !before.seats.includes(seat))) return true;
  if (after.invitedAt !== null && after.invitedAt !== before.invitedAt) return true;
  if (!after.rights.includes('approval.decide')) return false;
  if (
    before.quotaCents !== null &&
    (after.quotaCents === null || BigInt(after.quotaCents) > BigInt(before.quotaCents))
  ) {
    return true;
  }
  // Rules may name the other role. A person who could change the rules themselves gains nothing by that.
  return after.roleId !== before.roleId && !(before.rights.includes('rule.manage') && before.quotaCents === null);
}
