import { listCardPayments } from '@causeway/contract/cards-payments.ts';
import type {
  CardDeclineReason,
  CardPaymentState,
  CardReceiptState,
  MerchantGroup,
} from '@causeway/contract/cards-rules.ts';
import type { AttachmentType } from '@causeway/contract/files.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import { shownDigits } from './cards.ts';

/** Attempts to pay by card as pages show them: purchases, declined requests and refunds in one order. Amounts in minor units of the card's currency. */

export interface PaymentRow {
  id: string;
  transactionId: string | null;
  cardId: string;
  cardName: string;
  lastFour: string | null;
  holderId: string;
  holder: string;
  state: CardPaymentState;
  reason: CardDeclineReason | null;
  merchant: string;
  mcc: string;
  group: MerchantGroup;
  city: string;
  country: string | null;
  online: boolean | null;
  asset: string;
  decimals: number;
  amountMinor: bigint;
  heldMinor: bigint;
  clearedMinor: bigint;
  merchantAmount: string | null;
  merchantCurrency: string | null;
  rate: string | null;
  forced: boolean;
  receipt: CardReceiptState;
  receiptId: string | null;
  receiptFile: { name: string; type: AttachmentType; sizeBytes: number } | null;
  receiptNote: string;
  /** Who added the receipt. */
  receiptBy: string | null;
  at: Date;
  clearedAt: Date | null;
}

const purchases = sql`(
  select p.company_id, p.id, p.id as transaction_id, p.card_id,
    case when p.held > 0 then 'held' when p.cleared > 0 then 'paid' else 'released' end as state, null::text as reason, p.merchant, p.mcc,
    p.merchant_group, p.city, p.country, p.online, t.quantity as amount, p.held, p.cleared, p.merchant_amount, p.merchant_currency, p.rate, p.forced,
    p.receipt_state, p.receipt_note, p.at, p.cleared_at
  from card_purchase p join transaction t on t.company_id = p.company_id and t.id = p.id where p.company_id = company_id()
) x`;
const declined = sql`(
  select q.company_id, q.id, null::uuid as transaction_id, q.card_id, 'declined' as state, q.reason, q.merchant, q.mcc, q.merchant_group, q.city, q.country,
    q.online, q.amount, 0::numeric as held, 0::numeric as cleared, q.merchant_amount, q.merchant_currency, q.rate, false as forced, 'none' as receipt_state, '' as receipt_note,
    q.at, null::timestamptz as cleared_at
  from card_request q where q.company_id = company_id() and q.outcome = 'declined'
) x`;
const refunds = sql`(
  select r.company_id, r.id, r.id as transaction_id, r.card_id, case when r.reversed_by is null then 'refunded' else 'refundReversed' end as state,
    null::text as reason, r.merchant, r.mcc, r.merchant_group, r.city, r.country, null::boolean as online, r.amount, 0::numeric as held,
    0::numeric as cleared, r.merchant_amount, r.merchant_currency, r.rate, false as forced, 'none' as receipt_state, '' as receipt_note, r.at, r.at as cleared_at
  from card_refund r where r.company_id = company_id()
) x`;

const joins = sql`
  join card c on c.company_id = x.company_id and c.id = x.card_id
  join asset a on a.id = c.asset_id
  join member m on m.company_id = c.company_id and m.id = c.holder_id
  left join card_receipt f on f.company_id = x.company_id and f.purchase_id = x.id and f.removed_at is null
  left join file stored on stored.company_id = f.company_id and stored.id = f.file_id`;

const columns = sql<PaymentRow>`x.id, x.transaction_id as "transactionId", x.card_id as "cardId", c.name as "cardName", ${shownDigits} as "lastFour",
  c.holder_id as "holderId", coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email) as holder, x.state, x.reason, x.merchant, x.mcc, x.merchant_group as "group", x.city,
  x.country, x.online, c.asset_id as asset, a.decimals, x.amount as "amountMinor", x.held as "heldMinor", x.cleared as "clearedMinor",
  trim_scale(x.merchant_amount)::text as "merchantAmount", x.merchant_currency as "merchantCurrency", trim_scale(x.rate)::text as rate, x.forced,
  x.receipt_state as receipt, x.receipt_note as "receiptNote", f.id as "receiptId", f.added_by as "receiptBy",
  case when stored.id is not null then jsonb_build_object('name', stored.name, 'type', stored.type, 'sizeBytes', stored.size_bytes) end as "receiptFile", x.at, x.cleared_at as "clearedAt"`;

const ofHolder = (holderId: string | null) =>
  holderId === null
    ? sql`true`
    : sql`exists (select from card h where h.company_id = x.company_id and h.id = x.card_id and h.holder_id = ${holderId})`;

export interface PaymentScope {
  /** Of whose cards alone; null: everyone's. */
  holderId: string | null;
  readerId: string;
}

export const paymentList = defineList(listCardPayments, {
  from: () => [purchases, declined, refunds],
  where: ({ holderId }: PaymentScope) => sql`x.company_id = company_id() and ${ofHolder(holderId)}`,
  filters: {
    cardId: (cardId) => sql`x.card_id = ${cardId}`,
    state: (state) => sql`x.state = ${state}`,
    receipt: (receipt) => sql`x.receipt_state = ${receipt}`,
    mine: (_, { readerId }) => ofHolder(readerId),
    search(words) {
      const sought = words.trim().toLowerCase();
      return sought === '' ? null : sql`strpos(lower(x.merchant), ${sought}) > 0`;
    },
  },
  columns: () => columns,
  page: { alias: 'x', joins },
  orders: { time: { by: sql`x.at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`x.id`,
});

export interface PaidRow extends PaymentRow {
  /** Of its receipt. */
  fileId: string | null;
}

/** Each clearing of a purchase. What the merchant asked for is of the whole purchase, and so only where it was cleared once. */
const clearings = sql`(
  select p.company_id, p.id, p.id as transaction_id, p.card_id, 'paid' as state, null::text as reason, p.merchant, p.mcc, p.merchant_group, p.city,
    p.country, p.online, e.amount, 0::numeric as held, e.amount as cleared, case when whole.is_one then p.merchant_amount end as merchant_amount,
    case when whole.is_one then p.merchant_currency end as merchant_currency, case when whole.is_one then p.rate end as rate, p.forced, p.receipt_state,
    p.receipt_note, p.at, e.at as cleared_at
  from card_purchase p
  join card_event e on e.company_id = p.company_id and e.purchase_token = p.token and e.type = 'cleared' and e.amount > 0
  cross join lateral (select count(*) = 1 as is_one from card_event o
    where o.company_id = p.company_id and o.purchase_token = p.token and o.type = 'cleared' and o.amount > 0) whole
  where p.company_id = company_id()
) x`;

/** Each refund, and each that was taken back, when it was. */
const refundMoves = sql`(
  select r.company_id, r.id, r.id as transaction_id, r.card_id, m.state, null::text as reason, r.merchant, r.mcc, r.merchant_group, r.city, r.country,
    null::boolean as online, r.amount, 0::numeric as held, 0::numeric as cleared, r.merchant_amount, r.merchant_currency, r.rate, false as forced,
    'none' as receipt_state, '' as receipt_note, m.at, m.at as cleared_at
  from card_refund r
  cross join lateral (select 'refunded' as state, r.at union all
    select 'refundReversed', e.at from card_event e where e.company_id = r.company_id and e.id = r.reversed_by) m
  where r.company_id = company_id()
) x`;

/**
 * What was paid and refunded in a period, the earliest first; of one card, or of all. At most `most` rows. A purchase that was cleared in parts has a row for
 * each, and a refund that was taken back another, so that what comes later changes no period that is over.
 */
export async function readPaid(
  tx: Tx,
  { cardId, opensAt, closesAt }: { cardId: string | null; opensAt: Date; closesAt: Date },
  most: number,
): Promise<PaidRow[]> {
  const { rows } = await sql<PaidRow>`
    select ${columns}, f.file_id as "fileId"
    from (select * from ${clearings} union all select * from ${refundMoves}) x ${joins}
    where (${cardId}::uuid is null or x.card_id = ${cardId}) and x.cleared_at >= ${opensAt} and x.cleared_at < ${closesAt}
    order by x.cleared_at, x.id limit ${most}`.execute(tx);
  return rows;
}

/** Purchases without a receipt, those that are still held too, that one may be of, the likeliest first: amount in either currency, then merchant, then day. */
export async function findCandidates(
  tx: Tx,
  holderId: string | null,
  said: { amount: string | null; date: string | null; merchant: string },
  most: number,
): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    select ${columns} from ${purchases} ${joins}
    cross join lateral (select
      (${said.amount}::numeric is not null and (x.amount * ('1e-' || a.decimals)::numeric = ${said.amount}::numeric or x.merchant_amount = ${said.amount}::numeric)) as amount,
      coalesce(abs(x.at::date - ${said.date}::date), 999) as days,
      (${said.merchant} <> '' and (strpos(lower(x.merchant), lower(${said.merchant})) > 0 or strpos(lower(${said.merchant}), lower(x.merchant)) > 0)) as named
    ) fits
    where (x.receipt_state = 'missing' or (x.receipt_state = 'none' and x.held > 0)) and ${ofHolder(holderId)}
      and (${said.amount}::numeric is null or fits.amount or fits.named)
    order by fits.amount desc, fits.named desc, fits.days, x.at desc, x.id limit ${most}`.execute(tx);
  return rows;
}

export async function findPayment(tx: Tx, id: string, holderId: string | null): Promise<PaymentRow | null> {
  const { rows } = await sql<PaymentRow>`
    select ${columns} from ${purchases} ${joins} where x.id = ${id} and ${ofHolder(holderId)}`.execute(tx);
  return rows[0] ?? null;
}
