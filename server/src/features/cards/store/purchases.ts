import { merchantGroupOf } from '@causeway/contract/cards-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Said } from '../domain.ts';
import type { AuthorizationRequest, CardEvent, Merchant, MerchantAmount } from '../issuer.ts';

/** Purchases, requests and events; amounts in minor units of the card's currency. */

export interface PurchaseRow {
  id: string;
  token: string;
  cardId: string;
  walletId: string;
  heldMinor: bigint;
  clearedMinor: bigint;
  forced: boolean;
  overdrawnMinor: bigint;
  postings: number;
}

const columns = sql`id, token, card_id as "cardId", wallet_id as "walletId", held as "heldMinor", cleared as "clearedMinor", forced,
  overdrawn as "overdrawnMinor", postings`;

export async function findPurchase(tx: Tx, token: string): Promise<PurchaseRow | null> {
  const { rows } = await sql<PurchaseRow>`
    select ${columns} from card_purchase where company_id = company_id() and token = ${token}`.execute(tx);
  return rows[0] ?? null;
}

/** What is known of where a purchase was made, as it was said last. */
export interface Where {
  merchant: Merchant;
  merchantAmount: MerchantAmount | null;
  isOnline: boolean | null;
}

const whereValues = ({
  merchant,
  merchantAmount,
  isOnline,
}: Where) => sql`${merchant.name.slice(0, 200)}, ${merchant.mcc},
  ${merchantGroupOf(merchant.mcc)}, ${merchant.city.slice(0, 100)}, ${merchant.country}, ${isOnline}::boolean, ${merchantAmount?.amount ?? null}::numeric,
  ${merchantAmount?.currency ?? null}, ${merchantAmount?.rate ?? null}::numeric`;

/** @returns its row, as it was inserted */
export async function insertPurchase(
  tx: Tx,
  purchase: Where & {
    id: string;
    token: string;
    cardId: string;
    originId: string;
    walletId: string;
    heldMinor: bigint;
    clearedMinor: bigint;
    forced: boolean;
    postings: number;
    at: Date;
  },
): Promise<void> {
  await sql`
    insert into card_purchase (company_id, id, token, card_id, origin_id, wallet_id, merchant, mcc, merchant_group, city, country, online,
      merchant_amount, merchant_currency, rate, held, cleared, forced, postings, at)
    values (company_id(), ${purchase.id}, ${purchase.token}, ${purchase.cardId}, ${purchase.originId}, ${purchase.walletId}, ${whereValues(purchase)},
      ${purchase.heldMinor.toString()}::numeric, ${purchase.clearedMinor.toString()}::numeric, ${purchase.forced}, ${purchase.postings},
      ${purchase.at})`.execute(tx);
}

/** Writes what a purchase comes to now. A first clearing makes it lack a receipt. */
export async function updatePurchase(
  tx: Tx,
  { id, heldMinor, clearedMinor, forced, overdrawnMinor, postings }: Omit<PurchaseRow, 'token' | 'cardId' | 'walletId'>,
  clearedAt: Date | null,
): Promise<void> {
  await sql`
    update card_purchase set held = ${heldMinor.toString()}::numeric, cleared = ${clearedMinor.toString()}::numeric, forced = ${forced},
      overdrawn = ${overdrawnMinor.toString()}::numeric, postings = ${postings}, cleared_at = coalesce(cleared_at, ${clearedAt}::timestamptz),
      receipt_state = case when receipt_state = 'none' and ${clearedMinor > 0n} then 'missing' else receipt_state end
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** What the issuer says of the merchant once it clears is more exact than what was asked with. */
export async function updateWhere(tx: Tx, id: string, { merchant, merchantAmount }: Where): Promise<void> {
  await sql`
    update card_purchase set merchant = ${merchant.name.slice(0, 200)}, merchant_amount = coalesce(${merchantAmount?.amount ?? null}::numeric, merchant_amount),
      merchant_currency = coalesce(${merchantAmount?.currency ?? null}, merchant_currency), rate = coalesce(${merchantAmount?.rate ?? null}::numeric, rate)
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function insertRequest(
  tx: Tx,
  cardId: string,
  asked: AuthorizationRequest,
  answer: { approvedMinor: bigint; reason: string | null },
  id = newId(),
): Promise<string> {
  await sql`
    insert into card_request (company_id, id, token, purchase_token, card_id, kind, amount, approved, outcome, reason, merchant, mcc, merchant_group, city,
      country, online, merchant_amount, merchant_currency, rate, at)
    values (company_id(), ${id}, ${asked.token}, ${asked.purchaseToken}, ${cardId}, ${asked.kind}, ${asked.amountMinor.toString()}::numeric,
      ${answer.approvedMinor.toString()}::numeric, ${answer.reason === null ? 'approved' : 'declined'}, ${answer.reason}, ${whereValues(asked)},
      ${asked.at})`.execute(tx);
  return id;
}

/** @returns null where the event was taken in before */
export async function insertEvent(tx: Tx, cardId: string, event: CardEvent): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into card_event (company_id, id, token, purchase_token, card_id, type, amount, request_token, is_last, note, at)
    values (company_id(), ${newId()}, ${event.token}, ${event.purchaseToken}, ${cardId}, ${event.type}, ${event.amountMinor?.toString() ?? null}::numeric,
      ${event.requestToken}, ${event.isLast}, ${event.note.slice(0, 500)}, ${event.at})
    on conflict (company_id, token) do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

const saidOf = (purchaseToken: RawBuilder<unknown>) => sql`
    select 'requested' as type, token, null as "requestToken", approved as "amountMinor", false as "isLast", at from card_request
    where company_id = company_id() and purchase_token = ${purchaseToken} and approved > 0
    union all
    select type, token, request_token, amount, is_last, at from card_event
    where company_id = company_id() and purchase_token = ${purchaseToken} and type not in ('refunded', 'refundReversed')`;

/** All that was said of a purchase but of its refunds; in no order. */
export async function readSaid(tx: Tx, purchaseToken: string): Promise<Said[]> {
  const { rows } = await sql<Said>`${saidOf(sql`${purchaseToken}`)}`.execute(tx);
  return rows;
}

/** The same of several purchases, by their ids. */
export async function readSaidOfAll(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Said[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Said & { id: string }>`
    select p.id, said.* from card_purchase p cross join lateral (${saidOf(sql`p.token`)}) said
    where p.company_id = company_id() and p.id = any (${[...ids]}::uuid[])`.execute(tx);
  return Map.groupBy(rows, ({ id }) => id);
}

/** A card as events need it, locked until the transaction's end; by its id, or by the issuer's name. */
export interface EventCard {
  id: string;
  originId: string;
  walletId: string;
  asset: string;
  name: string;
  holderId: string;
  holderName: string;
  isBlocked: boolean;
}

export async function lockEventCard(tx: Tx, by: { token: string } | { id: string }): Promise<EventCard | null> {
  const condition = 'token' in by ? sql`c.issuer_token = ${by.token}` : sql`c.id = ${by.id}`;
  const { rows } = await sql<EventCard>`
    select c.id, c.origin_id as "originId", c.wallet_id as "walletId", c.asset_id as asset, c.name, c.holder_id as "holderId",
      coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email) as "holderName", c.blocked_at is not null as "isBlocked"
    from card c join member m on m.company_id = c.company_id and m.id = c.holder_id
    where c.company_id = company_id() and ${condition} for no key update of c`.execute(tx);
  return rows[0] ?? null;
}

export interface RefundRow {
  id: string;
  eventId: string;
  amountMinor: bigint;
  reversedBy: string | null;
}

export async function readRefunds(tx: Tx, purchaseToken: string): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select id, event_id as "eventId", amount as "amountMinor", reversed_by as "reversedBy" from card_refund
    where company_id = company_id() and purchase_token = ${purchaseToken} order by at, id`.execute(tx);
  return rows;
}

/** Events about refunds of a purchase, the earliest first. */
export async function readRefundEvents(
  tx: Tx,
  purchaseToken: string,
): Promise<{ id: string; type: 'refunded' | 'refundReversed'; amountMinor: bigint; at: Date }[]> {
  const { rows } = await sql<{ id: string; type: 'refunded' | 'refundReversed'; amountMinor: bigint; at: Date }>`
    select id, type, amount as "amountMinor", at from card_event
    where company_id = company_id() and purchase_token = ${purchaseToken} and type in ('refunded', 'refundReversed') order by at, id`.execute(
    tx,
  );
  return rows;
}

export async function insertCardRefund(
  tx: Tx,
  refund: Where & { id: string; eventId: string; cardId: string; purchaseToken: string; amountMinor: bigint; at: Date },
): Promise<void> {
  const { merchant, merchantAmount } = refund;
  await sql`
    insert into card_refund (company_id, id, event_id, card_id, purchase_token, merchant, mcc, merchant_group, city, country, amount, merchant_amount,
      merchant_currency, rate, at)
    values (company_id(), ${refund.id}, ${refund.eventId}, ${refund.cardId}, ${refund.purchaseToken}, ${merchant.name.slice(0, 200)}, ${merchant.mcc},
      ${merchantGroupOf(merchant.mcc)}, ${merchant.city.slice(0, 100)}, ${merchant.country}, ${refund.amountMinor.toString()}::numeric,
      ${merchantAmount?.amount ?? null}::numeric, ${merchantAmount?.currency ?? null}, ${merchantAmount?.rate ?? null}::numeric, ${refund.at})`.execute(
    tx,
  );
}

export async function markReversed(tx: Tx, refundId: string, eventId: string): Promise<void> {
  await sql`
    update card_refund set reversed_by = ${eventId} where company_id = company_id() and id = ${refundId} and reversed_by is null`.execute(
    tx,
  );
}
