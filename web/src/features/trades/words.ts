import {
  type TradePhase,
  type TradeState,
  tradeActors,
  tradeSides,
  tradeStates,
} from '@causeway/contract/trades-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const stateTexts = Object.fromEntries(tradeStates.map((state) => [state, `trades.state.${state}`]));
export const sideTexts = Object.fromEntries(tradeSides.map((side) => [side, `trades.side.${side}`]));
export const actorTexts = Object.fromEntries(tradeActors.map((actor) => [actor, `trades.actor.${actor}`]));

export const stateTones: Record<TradeState, Tone> = {
  created: 'pending',
  in_progress: 'progress',
  success: 'positive',
  cancelled: 'neutral',
};

export const phaseTones: Record<TradePhase, Tone> = {
  agreed: 'neutral',
  shipped: 'progress',
  inspected: 'positive',
  disputed: 'negative',
  closed: 'neutral',
};
