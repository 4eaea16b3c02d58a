import {
  type HedgeState,
  hedgeStates,
  type TermsState,
  termsStates,
} from '@causeway/contract/operator-exchange-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const hedgeStateTexts = Object.fromEntries(hedgeStates.map((state) => [state, `ops.hedgeState.${state}`]));
export const termsStateTexts = Object.fromEntries(termsStates.map((state) => [state, `ops.termsState.${state}`]));

export const hedgeTones: Record<HedgeState, Tone> = {
  stored: 'progress',
  sending: 'progress',
  unknown: 'pending',
  open: 'progress',
  done: 'positive',
  refused: 'negative',
  notPlaced: 'neutral',
};

export const termsTones: Record<TermsState, Tone> = {
  planned: 'progress',
  inForce: 'positive',
  ended: 'neutral',
  withdrawn: 'neutral',
};

/** While an order is in one of these, it is read again soon. */
export const liveStates: ReadonlySet<HedgeState> = new Set(['stored', 'sending', 'unknown', 'open']);
