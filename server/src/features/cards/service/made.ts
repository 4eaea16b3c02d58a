import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import type { IssuerCard } from '../issuer.ts';
import { addStep, findCardState, writeIssuerCard } from '../store/cards.ts';
import { findOwner } from '../store/deciding.ts';

/** What the issuer says of a card itself. @returns false where the installation has no such card */
export async function takeInCard(database: Database, said: IssuerCard): Promise<boolean> {
  const companyId = await database.withoutCompany((tx) => findOwner(tx, said.token));
  if (companyId === null) return false;
  await database.withCompany(companyId, (tx) => followCard(tx, { token: said.token }, said));
  return true;
}

/**
 * Takes over what the issuer says of a card: digits, date, shipping; that it is made, and that the issuer has closed it. Its own pauses and freezes of ours are not mixed:
 * ours decide here.
 */
export async function followCard(tx: Tx, by: { token: string } | { id: string }, said: IssuerCard): Promise<void> {
  const card = await findCardState(tx, by);
  if (!card) return;
  const isMade = card.issuerToken === null;
  const state =
    card.state === 'closed' || said.state === 'closed'
      ? 'closed'
      : card.kind === 'physical' && !said.isActivated
        ? 'inactive'
        : 'active';
  const isChanged = await writeIssuerCard(tx, card.id, said, state);
  if (isMade) await addStep(tx, card.id, { step: 'made' });
  if (!isMade && card.state !== 'closed' && state === 'closed') await addStep(tx, card.id, { step: 'closed' });
  if (said.shipping?.state === 'shipped' && card.shippingState !== 'shipped') {
    await addStep(tx, card.id, { step: 'shipped', note: said.shipping.tracking ?? '' });
  }
  if (isMade || isChanged) await announce(tx, [live('card', card.id)]);
}
