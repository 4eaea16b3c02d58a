import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { findRuleHold, type RuleHold } from '../../organisation/index.ts';
import { type ChainNode, canBePassed, start } from '../domain.ts';
import type { PeopleById } from './core.ts';

/**
 * The second person for a change of the approval settings (ADR 0037). From whom somebody else took the right to change them still
 * counts for seven days; in that time only those count besides who had the right before.
 */

/** Whoever may manage rules, other than the proposer, may approve their change. */
export const secondPerson: ChainNode = { needed: 1, people: [], roles: [], holders: 'rule.manage' };

/** Whether changes need a second person: two may manage rules, or could until somebody took it from one of them. */
export function isDualControlled(people: PeopleById, { taken }: RuleHold): boolean {
  const active = [...people.values()].filter(
    ({ status, permissions }) => status === 'active' && permissions.includes('rule.manage'),
  );
  return new Set([...active.map(({ id }) => id), ...taken]).size >= 2;
}

/**
 * A proposal must have somebody who can decide it.
 * @throws DomainError approvalNobodyCan; approvalRulesHeld when nobody can because of who was taken away, until that is over
 */
export function requireSecondPerson(initiatorId: string, people: PeopleById, hold: RuleHold): void {
  if (hold.newcomers.has(initiatorId)) throw held(hold);
  const counting = new Map([...people].filter(([id]) => !hold.newcomers.has(id)));
  if (canBePassed({ initiatorId, nodes: [secondPerson], valueCents: null }, start, counting)) return;
  throw hold.until ? held(hold) : new DomainError('approvalNobodyCan');
}

/**
 * Both who agreed on a change must have had the right before it was taken from somebody; also where it was proposed before that.
 * @throws DomainError approvalRulesHeld
 */
export async function refuseNewcomers(tx: Tx, agreed: readonly string[], now: Date): Promise<void> {
  const hold = await findRuleHold(tx, now);
  if (agreed.some((id) => hold.newcomers.has(id))) throw held(hold);
}

function held({ until }: RuleHold): DomainError {
  const text = until?.toISOString().slice(0, 16).replace('T', ' ') ?? '';
  return new DomainError('approvalRulesHeld', { until: `${text} UTC` });
}
