import { type InvitationState, invitationStates } from '@causeway/contract/operator-companies-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const invitationTexts = Object.fromEntries(
  invitationStates.map((state) => [state, `ops.companies.invitation.${state}`]),
);

export const invitationTones: Record<InvitationState, Tone> = {
  open: 'pending',
  used: 'positive',
  revoked: 'neutral',
  expired: 'neutral',
};
