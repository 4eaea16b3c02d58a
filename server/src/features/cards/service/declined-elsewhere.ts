import type { CardDeclineReason } from '@causeway/contract/cards-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { attemptDeclined, fraudSuspected } from '../events.ts';
import type { CardEvent } from '../issuer.ts';
import { insertRequest } from '../store/purchases.ts';

/**
 * An attempt that the issuer declined without having asked us, as it does once it knows that a card is frozen or closed: kept with the attempts, and its holder is notified, so that
 * no decline is without a reason. It holds and counts nothing.
 */
export async function keepDecline(tx: Tx, cardId: string, event: CardEvent, eventId: string): Promise<void> {
  if (event.suspectsFraud) await announce(tx, [fraudSuspected(eventId)]);
  const { requestToken } = event;
  if (requestToken === null) return;
  const { rows } = await sql<{ reason: CardDeclineReason }>`
    select case when c.state = 'closed' then 'cardClosed' when c.frozen_by = 'holder' then 'cardFrozenByHolder'
      when c.frozen_by = 'administrator' then 'cardFrozenByAdministrator' else ${event.suspectsFraud ? 'fraud' : 'issuer'} end as reason
    from card c where c.company_id = company_id() and c.id = ${cardId}
      and not exists (select from card_request q where q.company_id = c.company_id and q.token = ${requestToken})`.execute(
    tx,
  );
  const [found] = rows;
  if (!found) return;
  const { purchaseToken, cardToken, currency, merchant, merchantAmount, isOnline, at } = event;
  const asked = {
    ...{ token: requestToken, purchaseToken, cardToken, kind: 'authorization' as const, currency, merchant, at },
    ...{ amountMinor: event.amountMinor ?? 0n, merchantAmount, isOnline, mayBePartial: false },
  };
  const id = await insertRequest(tx, cardId, asked, { approvedMinor: 0n, reason: found.reason });
  await announce(tx, [attemptDeclined(id), live('card', cardId)]);
}
