import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findRoleNames } from '../../organisation/index.ts';
import { canBePassed, start } from '../domain.ts';
import { readRoute } from '../store/opening.ts';
import { sayWaiting } from './names.ts';
import { peopleById } from './people.ts';

export interface ForeseenRouting {
  outcome: 'off' | 'noRule' | 'nobodyCan' | 'required';
  /** The rule's name. */
  rule: string | null;
  steps: { needed: number; waitingFor: string }[];
}

/**
 * What `requireReview` would decide for an application of this value (US cents) by the person signed in now, in their words. The
 * names of the steps' approvers and of the rule are what its initiator sees of the application anyway; the rule's bounds are
 * left out, and so is the initiator, who can't approve their own.
 */
export async function foreseeRouting(
  tx: Tx,
  { session, locale }: Pick<SignedInContext, 'session' | 'locale'>,
  valueUsdCents: bigint,
): Promise<ForeseenRouting> {
  const { userId: initiatorId } = session;
  const { enabled, rule, forbidsGrantees, readAt } = await readRoute(tx, { valueUsdCents, initiatorId });
  if (!rule) return { outcome: enabled ? 'noRule' : 'off', rule: null, steps: [] };
  const people = await peopleById(tx, locale);
  const names = { people, roles: await findRoleNames(tx, locale) };
  const chain = {
    initiatorId,
    nodes: rule.nodes,
    valueCents: valueUsdCents,
    forbidsGrantees,
    now: readAt,
  };
  const steps = rule.nodes.map((node) => {
    const others = node.people.filter((id) => id !== initiatorId);
    return {
      needed: node.needed,
      waitingFor: sayWaiting({ ...node, people: others }, 0, new Set(), names, locale),
    };
  });
  return { outcome: canBePassed(chain, start, people) ? 'required' : 'nobodyCan', rule: rule.name, steps };
}
