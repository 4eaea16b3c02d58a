import {
  announcementStates,
  type PriceState,
  priceKinds,
  priceStates,
} from '@causeway/contract/operator-prices-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

export { sayPrice } from '../operator/index.ts';

/** The chain or the bank that a fee is of. */
export function placeOf<Place>({ chain, bank }: { chain: Place | null; bank: Place | null }): Place | null {
  return chain ?? bank;
}

/** Text ids by value, for filters. */
export const kindTexts = Object.fromEntries(priceKinds.map((kind) => [kind, `ops.price.${kind}`]));
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
