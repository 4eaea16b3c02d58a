import type { CardShippingState } from '@causeway/contract/cards-rules.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import type { IssuerCard } from '../issuer.ts';
import { addStep, type CardStateRow, findCardState, writeIssuerCard } from '../store/cards.ts';
import { findOwner } from '../store/deciding.ts';

/** What the issuer says of a card itself. @returns false where the installation has no such card */
export async function takeInCard(database: Database, said: IssuerCard): Promise<boolean> {
  const companyId = await database.withoutCompany((tx) => findOwner(tx, said.token));
  if (companyId === null) return false;
  await database.withCompany(companyId, (tx) => followCard(tx, { token: said.token }, said));
  return true;
}

/**
 * Takes over what the issuer says of a card: digits, date, shipping; that it is made, and that the issuer has closed it. Its own pauses and freezes of ours are not mixed, and
 * a physical card is activated by its holder alone: ours decide here, and what the issuer said before it knew of that, or sends late, takes nothing back.
 */
export async function followCard(tx: Tx, by: { token: string } | { id: string }, said: IssuerCard): Promise<void> {
  const card = await findCardState(tx, by);
  if (!card) return;
  const isMade = card.issuerToken === null;
  const state =
    card.state === 'closed' || said.state === 'closed'
      ? 'closed'
      : card.kind === 'physical' && card.state !== 'active'
        ? 'inactive'
        : 'active';
  const shipping = said.shipping && { ...said.shipping, state: shippedTo(card, said.shipping.state) };
  const isChanged = await writeIssuerCard(tx, card.id, { ...said, shipping }, state);
  if (isMade) await addStep(tx, card.id, { step: 'made' });
  if (!isMade && card.state !== 'closed' && state === 'closed') await addStep(tx, card.id, { step: 'closed' });
  if (shipping?.state === 'shipped' && card.shippingState !== 'shipped') {
    await addStep(tx, card.id, { step: 'shipped', note: shipping.tracking ?? '' });
  }
  if (isMade || isChanged) await announce(tx, [live('card', card.id)]);
}

/** Shipping goes on and never back. That a card arrived is known by its activation; until then an issuer that says so is ahead of the post. */
function shippedTo({ state, shippingState }: CardStateRow, said: CardShippingState): CardShippingState {
  if (state === 'active') return 'delivered';
  return said === 'ordered' && shippingState !== null
    ? shippingState
    : said === 'delivered'
      ? (shippingState ?? 'ordered')
      : said;
}
