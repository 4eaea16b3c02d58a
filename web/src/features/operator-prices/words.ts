import {
  announcementStates,
  type PriceState,
  priceKinds,
  priceStates,
} from '@causeway/contract/operator-prices-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

export { priceText, sayPrice } from '../operator/index.ts';

/** The chain or the bank that a fee is of. */
export function placeOf<Place>({ chain, bank }: { chain: Place | null; bank: Place | null }): Place | null {
  return chain ?? bank;
}

/** Text ids by value, for filters: one choice finds the prices of coins and of currencies. */
export const kindTexts = Object.fromEntries(
  priceKinds.map((kind) => [kind, kind === 'withdrawal_minimum' ? 'ops.prices.anyMinimum' : `ops.price.${kind}`]),
);
export const priceStateTexts = Object.fromEntries(priceStates.map((state) => [state, `ops.priceState.${state}`]));
export const announcementStateTexts = Object.fromEntries(
  announcementStates.map((state) => [state, `ops.announcementState.${state}`]),
);

export const priceTones: Record<PriceState, Tone> = {
  planned: 'progress',
  inForce: 'positive',
  ended: 'neutral',
  withdrawn: 'neutral',
};
export const announcementTones = { planned: 'progress', sent: 'positive', cancelled: 'neutral' } as const;
