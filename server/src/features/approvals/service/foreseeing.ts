import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findRoleNames } from '../../organisation/index.ts';
import { canBePassed, start } from '../domain.ts';
import { readRouting } from '../store/rules.ts';
import { peopleById } from './core.ts';
import { sayWaiting } from './naming.ts';

export type ForeseenRouting = Omit<ForeseenReview, 'codeRecipient'>;

/**
 * What `routeTransfer` would answer the person signed in for a transfer of this value (US cents) now, in their words. The
 * names of the steps' approvers and of the rule are what its initiator sees of the application anyway; the rule's bounds are
 * left out, and so is the initiator, who can't approve their own.
 */
export async function foreseeRouting(
  tx: Tx,
  { session, locale }: Pick<SignedInContext, 'session' | 'locale'>,
  valueUsdCents: bigint,
): Promise<ForeseenRouting> {
  const { enabled, rule, forbidsGrantees, readAt } = await readRouting(tx, valueUsdCents);
  if (!rule) return { outcome: enabled ? 'noRule' : 'off', rule: null, steps: [] };
  const people = await peopleById(tx, locale);
  const names = { people, roles: await findRoleNames(tx, locale) };
  const chain = {
    initiatorId: session.userId,
    nodes: rule.nodes,
    valueCents: valueUsdCents,
    forbidsGrantees,
    now: readAt,
  };
  const steps = rule.nodes.map((node) => {
    const others = node.people.filter((id) => id !== session.userId);
    return {
      needed: node.needed,
      waitingFor: sayWaiting({ ...node, people: others }, 0, new Set(), names, locale),
    };
  });
  return { outcome: canBePassed(chain, start, people) ? 'required' : 'nobodyCan', rule: rule.name, steps };
}
