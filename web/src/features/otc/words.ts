import { type OtcState, otcStates } from '@causeway/contract/otc-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const stateTexts = Object.fromEntries(otcStates.map((state) => [state, `otc.state.${state}`]));

export const stateTones: Record<OtcState, Tone> = {
  asked: 'progress',
  quoted: 'pending',
  accepted: 'positive',
  declined: 'negative',
  withdrawn: 'neutral',
  lapsed: 'neutral',
};
