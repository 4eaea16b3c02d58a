import type { Body } from '@causeway/contract/call.ts';
import type { dismissFirstSteps, FirstSteps } from '@causeway/contract/home.ts';
import { type FirstStep, type FirstStepState, firstSteps } from '@causeway/contract/home-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { SignedInContext } from '../../platform/session.ts';
import { type Beginnings, findBeginnings, saveDismissal } from './store.ts';

/** Whose step it is: everybody's own, or theirs who may do it. */
const doneBy: Record<FirstStep, Permission | null> = {
  name: null,
  secondFactor: null,
  administrator: 'member.manage',
  rule: 'rule.manage',
  review: 'rule.manage',
  payee: 'payee.manage',
  recharge: 'transfer.create',
};

/** What is true of each first step that the person may do. */
export async function describeFirstSteps(tx: Tx, { session }: SignedInContext): Promise<FirstSteps> {
  const found = await findBeginnings(tx, session.userId);
  const mine = firstSteps.filter((step) => {
    const permission = doneBy[step];
    return permission === null || session.permissions.includes(permission);
  });
  return { dismissed: found.isDismissed, steps: mine.map((step) => ({ step, state: stateOf(step, found) })) };
}

function stateOf(step: FirstStep, found: Beginnings): FirstStepState {
  if (step === 'administrator' && !found.administrator) return found.isAdministratorInvited ? 'waiting' : 'open';
  if (step === 'recharge' && !found.recharge) return found.isRechargeSeen ? 'waiting' : 'open';
  return found[step] ? 'done' : 'open';
}

export async function dismiss(
  tx: Tx,
  context: SignedInContext,
  { dismissed }: Body<typeof dismissFirstSteps>,
): Promise<FirstSteps> {
  await saveDismissal(tx, context.session.userId, dismissed);
  return describeFirstSteps(tx, context);
}
