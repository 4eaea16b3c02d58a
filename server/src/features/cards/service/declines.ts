import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { type NoticeToGive, notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';
import { noteEvent } from '../../webhooks/index.ts';
import { shownDigits } from '../store/cards.ts';

/** Who learns of a declined attempt: its holder, the company's systems, and those who manage cards where it looks like abuse. */

/** So many declines of a card within an hour are notified to those who manage cards, once as they are reached. */
const declinesNotified = 3;

interface Attempt {
  cardId: string;
  card: string;
  holderId: string;
  merchant: string;
  amountMinor: bigint;
  asset: string;
  decimals: number;
}

interface DeclinedRow extends Attempt {
  lastFour: string | null;
  mcc: string;
  city: string;
  country: string | null;
  merchantAmount: string | null;
  merchantCurrency: string | null;
  isOnline: boolean | null;
  reason: string;
  at: Date;
  /** Declines of the card in the hour that ends with this one. */
  within: number;
}

const linkOf = (cardId: string) => `/app/wallet/credit-card/${cardId}`;

const valuesOf = ({ card, merchant, amountMinor, asset, decimals }: Attempt) => ({
  ...{ card, merchant, coin: asset },
  amount: sayAmount(amountMinor, decimals),
});

/** Those who manage the company's cards. */
export async function managers(tx: Tx): Promise<string[]> {
  const people = await findPeople(tx);
  return people
    .filter(({ status, permissions }) => status === 'active' && permissions.includes('card.manage'))
    .map(({ id }) => id);
}

export async function tellOfDecline(tx: Tx, requestId: string): Promise<void> {
  const { rows } = await sql<DeclinedRow>`
    select c.id as "cardId", c.name as card, c.holder_id as "holderId", ${shownDigits} as "lastFour", q.merchant, q.mcc, q.city, q.country,
      q.merchant_amount::text as "merchantAmount", q.merchant_currency as "merchantCurrency", q.online as "isOnline", q.amount as "amountMinor",
      c.asset_id as asset, a.decimals, q.reason, q.at,
      (select count(*)::integer from card_request o where o.company_id = q.company_id and o.card_id = q.card_id and o.outcome = 'declined'
        and o.at > q.at - interval '1 hour' and (o.at, o.id) <= (q.at, q.id)) as within
    from card_request q
    join card c on c.company_id = q.company_id and c.id = q.card_id
    join asset a on a.id = c.asset_id
    where q.company_id = company_id() and q.id = ${requestId} and q.outcome = 'declined'`.execute(tx);
  const [row] = rows;
  if (!row) return;
  const values = { ...valuesOf(row), reason: { text: `cards.reason.${row.reason}` } };
  const notice = { sourceId: requestId, link: linkOf(row.cardId), values };
  await notify(tx, { ...notice, kind: 'card.declined', to: [row.holderId], mailTo: [] });
  if (row.within === declinesNotified) await notifyManagers(tx, { ...notice, kind: 'card.declinedOften' });
  await noteDecline(tx, requestId, row);
}

export async function tellOfFraud(tx: Tx, eventId: string): Promise<void> {
  const { rows } = await sql<Attempt>`
    select c.id as "cardId", c.name as card, c.holder_id as "holderId", coalesce(q.merchant, p.merchant, '') as merchant, coalesce(e.amount, q.amount, 0) as "amountMinor",
      c.asset_id as asset, a.decimals
    from card_event e
    join card c on c.company_id = e.company_id and c.id = e.card_id
    join asset a on a.id = c.asset_id
    left join card_request q on q.company_id = e.company_id and q.token = e.request_token
    left join card_purchase p on p.company_id = e.company_id and p.token = e.purchase_token
    where e.company_id = company_id() and e.id = ${eventId}`.execute(tx);
  const [row] = rows;
  if (!row) return;
  const notice = { sourceId: eventId, link: linkOf(row.cardId), values: valuesOf(row) };
  await notifyManagers(tx, { ...notice, kind: 'card.fraudSuspected' });
}

async function notifyManagers(tx: Tx, notice: Omit<NoticeToGive, 'to'>): Promise<void> {
  await notify(tx, { ...notice, to: await managers(tx) });
}

/** `card.declined`, as docs/WEBHOOKS.md describes it. */
async function noteDecline(tx: Tx, id: string, row: DeclinedRow): Promise<void> {
  const type = 'card.declined';
  const { cardId, card, lastFour, holderId, asset, decimals, amountMinor, reason, isOnline, at } = row;
  const { merchant: name, mcc, city, country, merchantAmount, merchantCurrency } = row;
  const body = JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: {
      ...{
        requestId: id,
        cardId,
        card,
        lastFour,
        holderId,
        asset,
        amount: formatAmount(amountMinor, decimals),
        reason,
      },
      ...{ merchant: { name, mcc, city, country }, merchantAmount, merchantCurrency, online: isOnline },
    },
  });
  await noteEvent(tx, { id, type, transactionId: null, body, at });
}
