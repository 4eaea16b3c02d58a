import {
  type OperatorRole,
  type ProposalKind,
  proposalKinds,
  proposalPermissions,
} from '@causeway/contract/operator-rules.ts';
import { bankKinds } from '../../banks/kinds.ts';
import { exceptionKinds } from '../../exceptions/kinds.ts';
import { exchangeKinds } from '../../exchange/kinds.ts';
import { freezingKinds } from '../../freezing/kinds.ts';
import { pricingKinds } from '../../pricing/kinds.ts';
import { treasuryKinds } from '../../treasury/kinds.ts';
import { may } from '../domain.ts';
import type { Kind } from '../kind.ts';
import { staffKinds } from './staff-kinds.ts';

/** Every kind of proposal. Each part of the console declares its own. */
export const kinds: Readonly<Record<ProposalKind, Kind>> = {
  ...staffKinds,
  ...freezingKinds,
  ...pricingKinds,
  ...treasuryKinds,
  ...exceptionKinds,
  ...bankKinds,
  ...exchangeKinds,
};

/** The kinds on which a role may decide. */
export function decidableKinds(role: OperatorRole): readonly ProposalKind[] {
  if (!may(role, 'operator.confirm')) return [];
  return proposalKinds.filter((kind) => may(role, proposalPermissions[kind]));
}
