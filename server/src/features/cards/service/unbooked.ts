import type { Database, Tx } from '../../../platform/database/database.ts';
import { nilCompany } from '../../identity/index.ts';
import type { CardEvent, UnreadMessage } from '../issuer.ts';
import { findOwner } from '../store/deciding.ts';
import { insertMessage, type KeptMessage } from '../store/messages.ts';

/**
 * What the issuer says and cannot be booked (docs/adr/0102-…): kept as it was received, once, for the operator's queue. It posts nothing, and the issuer is answered that it
 * arrived, since it would say no more by saying it again.
 */

export type ContradictionProblem = Extract<
  KeptMessage['problem'],
  'otherCard' | 'otherCurrency' | 'otherContent' | 'declinedAfterCleared'
>;

/** In the transaction of the event that it concerns. */
export async function keepContradiction(
  tx: Tx,
  cardId: string,
  event: CardEvent,
  { problem, about, body }: { problem: ContradictionProblem; about: string; body: string },
): Promise<void> {
  await insertMessage(tx, { ...namesOf(event), problem, about, cardId, body });
}

/** What could not be read is of the card's company where the card is known. */
export async function keepUnread(
  database: Database,
  { problem, type, token, purchaseToken, cardToken }: UnreadMessage,
  body: string,
): Promise<void> {
  const companyId = cardToken === null ? null : await database.withoutCompany((tx) => findOwner(tx, cardToken));
  await database.withCompany(companyId ?? nilCompany, (tx) =>
    insertMessage(tx, {
      ...{ problem, type, token, purchaseToken, cardToken, body, about: token },
      ...{ cardId: null, amountMinor: null, currency: null },
    }),
  );
}

/** @param event null: it is about the card itself */
export async function keepOfUnknownCard(
  database: Database,
  cardToken: string,
  event: CardEvent | null,
  body: string,
): Promise<void> {
  const named =
    event === null
      ? { token: null, purchaseToken: null, type: 'card', amountMinor: null, currency: null }
      : namesOf(event);
  await database.withCompany(nilCompany, (tx) =>
    insertMessage(tx, {
      ...named,
      problem: 'unknownCard',
      about: event?.token ?? cardToken,
      cardId: null,
      cardToken,
      body,
    }),
  );
}

const namesOf = ({ token, purchaseToken, cardToken, type, amountMinor, currency }: CardEvent) => ({
  ...{ token, purchaseToken, cardToken, type, amountMinor, currency },
});

/** An event that did not come in a message: as we read it. */
export function textOf(event: CardEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
