import type { Database } from '../../../platform/database/database.ts';
import { nilCompany } from '../../identity/index.ts';
import type { CardIssuer } from '../issuer.ts';
import { findOwner } from '../store/deciding.ts';
import { endMessage, findUnknownCards } from '../store/messages.ts';
import { takeInEvents } from './take-in.ts';

const mostAtOnce = 200;

/** Takes in what was said of cards that were not known and are by now: a card may be used before its making was answered. The issuer is asked for all of the purchase. */
export async function takeInUnknownCards(database: Database, issuer: CardIssuer): Promise<void> {
  const rows = await database.withCompany(nilCompany, (tx) => findUnknownCards(tx, mostAtOnce));
  for (const { id, cardToken, purchaseToken } of rows) {
    if ((await database.withoutCompany((tx) => findOwner(tx, cardToken))) === null) continue;
    const events = purchaseToken === null ? [] : await issuer.readPurchase(purchaseToken);
    // It knows no such purchase any more: a person looks at it.
    if (events === null) continue;
    await takeInEvents(database, events);
    await database.withCompany(nilCompany, (tx) => endMessage(tx, id));
  }
}
