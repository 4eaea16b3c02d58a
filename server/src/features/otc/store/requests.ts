import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import { listOtc } from '@causeway/contract/otc.ts';
import type { OtcKind, OtcSide, OtcState } from '@causeway/contract/otc-rules.ts';
import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import type { PlaceNames } from '../../banks/index.ts';

/** Requests to the desk and their conversations as they are kept; amounts in minor units. */

export interface RequestSide {
  walletId: string;
  asset: string;
  decimals: number;
  place: PlaceNames;
}

export interface RequestRow {
  id: string;
  state: OtcState;
  version: number;
  memberId: string;
  memberName: string;
  sell: RequestSide;
  buy: RequestSide;
  fixed: ExchangeSide;
  amountMinor: bigint;
  usdCents: bigint;
  deadline: Date;
  createdAt: Date;
  stateAt: Date;
  /** The quote that can be accepted, or was. */
  quote: {
    id: string;
    soldMinor: string;
    feeMinor: string;
    boughtMinor: string;
    rate: string;
    mid: string;
    spreadBasisPoints: number;
    sellUsd: string;
    buyUsd: string;
    sources: string[];
    ratedAt: string;
    createdAt: string;
    validUntil: string;
    remainingMs: number;
  } | null;
  transaction: { id: string; status: TransactionStatus; stage: Stage } | null;
}

export interface DeskRow extends RequestRow {
  companyId: string;
  companyName: string;
}

const side = (wallet: string, asset: string) => sql`
  jsonb_build_object('walletId', ${sql.raw(wallet)}.id, 'asset', ${sql.raw(asset)}.id, 'decimals', ${sql.raw(asset)}.decimals,
    'place', (select jsonb_build_object('name', coalesce(c.name, b.name), 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn)
      from (select 1) one left join chain c on c.id = ${sql.raw(wallet)}.chain_id left join bank b on b.id = ${sql.raw(wallet)}.bank_id))`;

/** What `requestColumns` reads beside `otc_request r`. */
export const requestJoins = sql`
  join wallet sw on sw.company_id = r.company_id and sw.id = r.sell_wallet_id
  join wallet bw on bw.company_id = r.company_id and bw.id = r.buy_wallet_id
  join asset sa on sa.id = r.sell_asset
  join asset ba on ba.id = r.buy_asset
  left join exchange_quote q on q.company_id = r.company_id and q.id = r.quote_id
  left join transaction t on t.company_id = r.company_id and t.id = r.transaction_id`;

const requestColumns = sql`
  r.id, r.state, r.version, r.member_id as "memberId", r.member_name as "memberName", ${side('sw', 'sa')} as sell, ${side('bw', 'ba')} as buy,
  r.fixed, r.amount as "amountMinor", r.usd_cents as "usdCents", r.deadline, r.created_at as "createdAt", r.state_at as "stateAt",
  case when q.id is not null then jsonb_build_object('id', q.id, 'soldMinor', q.sold::text, 'feeMinor', q.fee::text, 'boughtMinor', q.bought::text,
    'rate', q.rate::text, 'mid', q.mid::text, 'spreadBasisPoints', q.spread_bp, 'sellUsd', q.sell_usd::text, 'buyUsd', q.buy_usd::text,
    'sources', q.sources, 'ratedAt', q.rated_at, 'createdAt', q.created_at, 'validUntil', q.expires_at,
    'remainingMs', case when r.state = 'quoted'
      then greatest(0, floor(extract(epoch from q.expires_at - clock_timestamp()) * 1000))::integer else 0 end) end as quote,
  case when t.id is not null then jsonb_build_object('id', t.id, 'status', t.status, 'stage', t.stage) end as transaction` as RawBuilder<RequestRow>;

/** The same with its company, for the desk. */
export const deskColumns = sql`${requestColumns}, r.company_id as "companyId",
  (select c.name from company c where c.company_id = r.company_id) as "companyName"` as RawBuilder<DeskRow>;

export const requestList = defineList(listOtc, {
  from: () => sql`otc_request r`,
  where: () => sql`r.company_id = company_id()`,
  filters: {
    state: (state) => sql`r.state = ${state}`,
    open: () => sql`r.state in ('asked', 'quoted')`,
    keyword: containsWords,
  },
  columns: () => requestColumns,
  page: { alias: 'r', joins: requestJoins },
  orders: { time: { by: sql`r.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`r.id`,
});

/** Whether a request contains every word of a keyword. No index helps, and none is needed: a company has few requests. */
function containsWords(keyword: string): RawBuilder<unknown> {
  const words =
    keyword
      .toLowerCase()
      .replaceAll(',', '')
      .match(/[\p{L}\p{N}.-]+/gu) ?? [];
  const text = sql`lower(concat_ws(' ', r.sell_asset, r.buy_asset, r.member_name, r.id,
    (select trim_scale(r.amount * ('1e-' || a.decimals)::numeric) from asset a
      where a.id = case r.fixed when 'sell' then r.sell_asset else r.buy_asset end)))`;
  return sql.join([sql`true`, ...words.map((word) => sql`position(${word} in ${text}) > 0`)], sql` and `);
}

/** Null: the company has none of this id. */
export async function findRequest(tx: Tx, id: string): Promise<RequestRow | null> {
  const { rows } = await sql<RequestRow>`
    select ${requestColumns} from otc_request r ${requestJoins} where r.company_id = company_id() and r.id = ${id}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

export interface MessageRow {
  seq: number;
  side: OtcSide;
  authorId: string | null;
  authorName: string;
  kind: OtcKind;
  text: string;
  rate: string | null;
  soldMinor: bigint | null;
  feeMinor: bigint | null;
  boughtMinor: bigint | null;
  validUntil: Date | null;
  wantedMinor: bigint | null;
  at: Date;
}

/** The conversation of a request, oldest first. */
export async function findMessages(tx: PlatformTx, requestId: string): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select m.seq, m.side, m.author_id as "authorId", m.author_name as "authorName", m.kind, m.text, m.rate::text, m.sold as "soldMinor",
      m.fee as "feeMinor", m.bought as "boughtMinor", m.valid_until as "validUntil", m.wanted as "wantedMinor", m.at
    from otc_request r join otc_message m on m.company_id = r.company_id and m.request_id = r.id
    where r.id = ${requestId} order by m.seq`.execute(tx);
  return rows;
}
