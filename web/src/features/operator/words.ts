import {
  type OperatorPermission,
  type OperatorRole,
  type OperatorState,
  operatorPermissionsOf,
  operatorRoles,
  type ProposalKind,
  type ProposalState,
  proposalKinds,
  proposalStates,
} from '@causeway/contract/operator-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const roleTexts = Object.fromEntries(operatorRoles.map((role) => [role, `ops.role.${role}`]));
export const kindTexts = Object.fromEntries(proposalKinds.map((kind: ProposalKind) => [kind, `ops.kind.${kind}`]));
export const proposalStateTexts = Object.fromEntries(
  proposalStates.map((state) => [state, `ops.proposalState.${state}`]),
);
export const staffStateTexts: Record<OperatorState, string> = {
  active: 'ops.state.active',
  invited: 'ops.state.invited',
  disabled: 'ops.state.disabled',
};

export const staffTones: Record<OperatorState, Tone> = { active: 'positive', invited: 'pending', disabled: 'neutral' };

/** Amber is for what waits for a person. */
export const proposalTones: Record<ProposalState, Tone> = {
  open: 'pending',
  confirmed: 'positive',
  rejected: 'negative',
  withdrawn: 'neutral',
  stale: 'neutral',
  expired: 'neutral',
};

/** What a role may do, in the order of the contract's list. */
export function rightsOf(role: OperatorRole): readonly OperatorPermission[] {
  return operatorPermissionsOf[role];
}

/** Whether another role allows nothing that the present one does not: such a change takes effect at once. */
export function isNarrower(from: OperatorRole, to: OperatorRole): boolean {
  return rightsOf(to).every((right) => rightsOf(from).includes(right));
}
