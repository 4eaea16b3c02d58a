import type { ControllingPermission } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { findCompanySettings, findRuleHold, findTimeZone, type RuleHold } from '../../organisation/index.ts';
import { type ChainNode, canBePassed, type People, start } from '../domain.ts';
import { readSettings, type Settings } from '../store/rules.ts';
import { type PeopleById, peopleById } from './people.ts';

/**
 * What becomes of a change that widens a control (docs/FOUR_EYES.md). A person from whom another took the right to make such changes
 * still counts as a second person for seven days; in that time only those count besides who had the right before (ADR 0037).
 */

const hourMs = 3_600_000;

/** Those who hold the permission, other than the proposer and those who gain by the change, may consent to it. */
export function secondPerson(holders: ControllingPermission, except: readonly string[] = []): ChainNode {
  return { needed: 1, people: [], roles: [], holders, ...(except.length > 0 ? { except } : {}) };
}

export interface Asked {
  initiatorId: string;
  permission: ControllingPermission;
  /** Who gains by the change. */
  concerned: readonly string[];
}

export type Mode =
  /** At once. `alone`: no other person holds the permission. */
  | { kind: 'applies'; alone: boolean }
  /** Once another person has consented. */
  | { kind: 'consent' }
  /** At that time, unless it is stopped. */
  | { kind: 'waits'; effectiveAt: Date }
  /** Not before that time: only who was taken away could consent. */
  | { kind: 'held'; hold: RuleHold };

/** A mode with what it was found by, which opening a task needs as well. */
export type ModeNow<K extends Mode['kind'] = 'consent' | 'waits'> = Extract<Mode, { kind: K }> & Found;

interface Found {
  people: PeopleById;
  settings: Settings;
  forbidsGrantees: boolean;
  /** The company's. */
  timeZone: string;
}

/** Of what was found, what the mode depends on. */
interface Judged {
  people: People;
  settings: Pick<Settings, 'reviewedSince' | 'readAt'>;
  forbidsGrantees: boolean;
}

export async function modeOf(tx: Tx, asked: Asked, now: Date): Promise<ModeNow<Mode['kind']>> {
  const people = await peopleById(tx);
  // After the people: a removal that commits in between is then in one of the two.
  const hold = await findRuleHold(tx, now, asked.permission, asked.concerned);
  const settings = await readSettings(tx);
  const { waitingHours, forbidOwnApprovers: forbidsGrantees, timeZone } = await findCompanySettings(tx);
  const found = { people, settings, forbidsGrantees, timeZone };
  const effectiveAt = new Date(now.getTime() + waitingHours * hourMs);
  return { ...judgeMode(asked, found, hold, effectiveAt), ...found };
}

/** The rule of `modeOf`, by what it reads. @param effectiveAt when a change that waits takes effect */
export function judgeMode(
  { initiatorId, permission, concerned }: Asked,
  { people, settings: { reviewedSince, readAt: now }, forbidsGrantees }: Judged,
  hold: RuleHold,
  effectiveAt: Date,
): Mode {
  if (hold.newcomers.has(initiatorId)) return { kind: 'held', hold };
  const nodes = [secondPerson(permission, concerned)];
  const chain = { initiatorId, nodes, valueCents: null, forbidsGrantees, reviewedSince, now };
  const counting: People = new Map([...people].filter(([id]) => !hold.newcomers.has(id)));
  if (canBePassed(chain, start, counting)) return { kind: 'consent' };
  if (hold.until) return { kind: 'held', hold };
  const others = [...people.values()].filter(
    ({ id, status, permissions }) => id !== initiatorId && status === 'active' && permissions.includes(permission),
  );
  if (reviewedSince === null) return { kind: 'applies', alone: others.length === 0 };
  return { kind: 'waits', effectiveAt };
}

/**
 * Both who agreed on a change must have had the right before it was taken from another; also where it was proposed before that.
 * @throws DomainError approvalRulesHeld
 */
export async function refuseNewcomers(
  tx: Tx,
  permission: ControllingPermission,
  agreed: readonly string[],
  now: Date,
): Promise<void> {
  const hold = await findRuleHold(tx, now, permission);
  if (!agreed.some((id) => hold.newcomers.has(id))) return;
  throw held(hold, await findTimeZone(tx));
}

export function held({ until }: RuleHold, timeZone: string): DomainError {
  invariant(until, 'only who was taken away lately holds a change back');
  return new DomainError('approvalRulesHeld', { until: { at: until.toISOString(), timeZone } });
}
