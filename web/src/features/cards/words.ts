import type { Card } from '@causeway/contract/cards.ts';
import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { cardKinds, cardPaymentStates, cardReceiptStates, cardStates } from '@causeway/contract/cards-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const stateTexts = Object.fromEntries([...cardStates, 'frozen'].map((state) => [state, `cards.state.${state}`]));
export const kindTexts = Object.fromEntries(cardKinds.map((kind) => [kind, `cards.kind.${kind}`]));
export const paymentTexts = Object.fromEntries(cardPaymentStates.map((state) => [state, `cards.payment.${state}`]));
export const receiptTexts = Object.fromEntries(
  cardReceiptStates.filter((state) => state !== 'none').map((state) => [state, `cards.receipt.${state}`]),
);

/** The one word that says what a card is, and how it is meant. */
export function stateOf({ state, frozenBy, blocked }: Pick<Card, 'state' | 'frozenBy' | 'blocked'>): {
  tone: Tone;
  text: string;
} {
  const isLiving = state === 'active' || state === 'inactive' || state === 'ordered';
  if (isLiving && blocked) return { tone: 'negative', text: 'cards.state.blocked' };
  if (isLiving && frozenBy !== null) return { tone: 'notice', text: 'cards.state.frozen' };
  const tones = { ordered: 'progress', inactive: 'pending', active: 'positive', closed: 'neutral', failed: 'negative' };
  return { tone: tones[state] as Tone, text: `cards.state.${state}` };
}

export const paymentTones: Record<CardPayment['state'], Tone> = {
  declined: 'negative',
  held: 'progress',
  paid: 'positive',
  released: 'neutral',
  refunded: 'positive',
  refundReversed: 'neutral',
};

/** "•••• 1234"; nothing before the issuer has made the card. */
export function dots(lastFour: string | null): string {
  return lastFour === null ? '' : `•••• ${lastFour}`;
}
