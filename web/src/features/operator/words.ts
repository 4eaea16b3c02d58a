import { isShare, type PriceKind, priceName } from '@causeway/contract/operator-prices-rules.ts';
import {
  type ActState,
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
import type { Translate } from '../../lib/locale.tsx';
import { amountLine } from '../../ui/amount-parts.ts';
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

export const actTones: Record<ActState, Tone> = { pending: 'progress', done: 'positive', refused: 'negative' };

/** What a role may do, in the order of the contract's list. */
export function rightsOf(role: OperatorRole): readonly OperatorPermission[] {
  return operatorPermissionsOf[role];
}

/** Whether another role allows nothing that the present one does not: such a change takes effect at once. */
export function isNarrower(from: OperatorRole, to: OperatorRole): boolean {
  return rightsOf(to).every((right) => rightsOf(from).includes(right));
}

/** The text id of what a price is called. Its texts are those of operator-prices. */
export function priceText(kind: PriceKind, of: { isCoin: boolean }): string {
  return `ops.price.${priceName(kind, of)}`;
}

const withoutValue: Partial<Record<PriceKind, string>> = {
  spread: 'ops.price.noSpread',
  fx_fee: 'ops.price.noSpread',
  withdrawal_minimum: 'ops.price.byBank',
  recharge_minimum: 'ops.price.byBank',
};

/** A price as a line: with its asset, a spread with its unit; what has none says so. Its texts are those of operator-prices. */
export function sayPrice(
  t: Translate,
  { kind, asset, value }: { kind: PriceKind; asset: string; value: string | null },
): string {
  if (value === null) return t(withoutValue[kind] ?? 'ops.price.noLimit');
  return isShare(kind) ? t('ops.price.basisPoints', { value }) : amountLine(value, asset);
}
