import type { CardListMode, CardState, MerchantGroup } from '@causeway/contract/cards-rules.ts';
import { sql } from 'kysely';
import { type PlatformTx, type Tx, together } from '../../../platform/database/database.ts';
import { timeZoneColumn } from '../../organisation/index.ts';
import type { Bounds, Sourced } from '../domain.ts';

/** What an authorisation is decided by; amounts in minor units. */

/** The company whose card it is; null: none has it. */
export async function findOwner(tx: PlatformTx, issuerToken: string): Promise<string | null> {
  const { rows } = await sql<{ companyId: string | null }>`select card_owner(${issuerToken}) as "companyId"`.execute(
    tx,
  );
  return rows[0]?.companyId ?? null;
}

export interface DecidingRow {
  cardId: string;
  originId: string;
  holderId: string;
  holderName: string;
  walletId: string;
  asset: string;
  state: CardState;
  frozenBy: 'holder' | 'administrator' | null;
  /** It was blocked, and the wallet still lacks money. */
  isBlocked: boolean;
  /** It was blocked, and what was missing has been made good. */
  isMadeGood: boolean;
  isExpired: boolean;
  isRestoring: boolean;
  companyFrozen: boolean;
  walletFrozen: boolean;
  holderActive: boolean;
  availableMinor: bigint;
  availableId: string;
  outboundId: string;
  spentDay: bigint;
  spentMonth: bigint;
  spentTotal: bigint;
  /** Of this purchase, and whether anything was said of it before. */
  spentPurchase: bigint;
  isKnown: boolean;
  /** The issuer names by it a purchase of another card. */
  isOfAnother: boolean;
  sources: Sourced[];
  /** What the same request was answered before. */
  earlier: { outcome: 'approved' | 'declined'; approved: string; reason: string | null } | null;
}

interface JsonBounds {
  source: Sourced['source'];
  name: string | null;
  ruleId: string | null;
  limits: Record<'each' | 'day' | 'month' | 'total', string | null>;
  categoryMode: CardListMode | null;
  categories: MerchantGroup[];
  countryMode: CardListMode | null;
  countries: string[];
  online: boolean;
}

export function sourcedOf({ source, name, ruleId, limits, ...row }: JsonBounds): Sourced {
  return { source, name, ruleId, bounds: boundsOf({ ...row, limits }) };
}

export function boundsOf(row: Omit<JsonBounds, 'source' | 'name' | 'ruleId'>): Bounds {
  const minor = (text: string | null) => (text === null ? null : BigInt(text));
  const { each, day, month, total } = row.limits;
  return {
    limits: { each: minor(each), day: minor(day), month: minor(month), total: minor(total) },
    categories: row.categoryMode === null ? null : { mode: row.categoryMode, groups: row.categories },
    countries: row.countryMode === null ? null : { mode: row.countryMode, codes: row.countries },
    online: row.online,
  };
}

/** The bounds of a row of `card` or `card_rule` as JSON; amounts as texts. */
export const boundsJson = (row: string) =>
  sql.raw(`jsonb_build_object(
  'limits', jsonb_build_object('each', ${row}.limit_each::text, 'day', ${row}.limit_day::text, 'month', ${row}.limit_month::text,
    'total', ${row}.limit_total::text),
  'categoryMode', ${row}.category_mode, 'categories', ${row}.categories, 'countryMode', ${row}.country_mode, 'countries', ${row}.countries,
  'online', ${row}.online)`);

/** The card's own bounds, then those of the rules that concern its holder `m`: the company's, departments' from the nearest up, the role's. */
export const sourcesJson = sql`(
  select jsonb_build_array(jsonb_build_object('source', 'card', 'name', null, 'ruleId', null) || ${boundsJson('c')})
    || coalesce(jsonb_agg(jsonb_build_object('source', r.scope, 'name', coalesce(d.name, o.name, r.scope_id::text), 'ruleId', r.id) || ${boundsJson('r')}
      order by r.scope, above.distance), '[]')
  from card_rule r
  left join (
    with recursive up (id, parent_id, distance) as (
      select d.id, d.parent_id, 0 from department d where d.company_id = company_id() and d.id = m.department_id
      union all
      select d.id, d.parent_id, u.distance + 1 from up u join department d on d.company_id = company_id() and d.id = u.parent_id
    )
    select id, distance from up
  ) above on above.id = r.scope_id
  left join department d on d.company_id = r.company_id and d.id = r.scope_id
  left join role o on o.company_id = r.company_id and o.id = r.scope_id
  where r.company_id = company_id() and r.asset_id = c.asset_id
    and (r.scope = 'company' or (r.scope = 'department' and above.id is not null) or (r.scope = 'role' and r.scope_id = m.role_id))
)`;

/** What the cards of one line (those that replaced each other) have held and cleared since the beginning of the company's day and month, and in all. */
export const spentSums = (now: Date) => sql`(
  select coalesce(sum(p.held + p.cleared) filter (where p.at >= since.day), 0) as day,
    coalesce(sum(p.held + p.cleared) filter (where p.at >= since.month), 0) as month,
    coalesce(sum(p.held + p.cleared), 0) as total
  from (
    select day_begins(today, zone.name) as day, day_begins(date_trunc('month', today)::date, zone.name) as month
    from (select (${now}::timestamptz at time zone zone.name)::date as today offset 0) of
    offset 0
  ) since, card_purchase p where p.company_id = company_id() and p.origin_id = c.origin_id
)`;

/** The company's time zone. */
export const zoneOf = sql`(
  select ${timeZoneColumn} as name
)`;

/** It no longer pays: its last day is over, or the month that is printed on it. */
const isExpired = (now: Date) => sql`(
  coalesce((${now}::timestamptz at time zone zone.name)::date > c.valid_until, false)
  or coalesce((${now}::timestamptz at time zone 'utc')::date >= (to_date(c.expires, 'YYYY-MM') + interval '1 month')::date, false))`;

/**
 * Locks the card until the transaction's end, holds the operator's freezes back meanwhile, and reads behind the locks what decides. Three statements that share a round trip.
 * Null where the company has no such card.
 * @param lockTimeoutMs a wait for a lock fails after it
 */
export async function lockForDecision(
  tx: Tx,
  asked: { cardToken: string; token: string; purchaseToken: string },
  now: Date,
  lockTimeoutMs: number,
): Promise<DecidingRow | null> {
  const timed = sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx);
  const held = sql`select pg_advisory_xact_lock_shared(freeze_lock(company_id()))`.execute(tx);
  const locked = sql`
    select from card where company_id = company_id() and issuer_token = ${asked.cardToken} for no key update`.execute(
    tx,
  );
  const read = sql<Omit<DecidingRow, 'sources'> & { sources: JsonBounds[] }>`
    select c.id as "cardId", c.origin_id as "originId", c.holder_id as "holderId", coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email) as "holderName",
      c.wallet_id as "walletId", c.asset_id as asset, c.state, c.frozen_by as "frozenBy",
      c.blocked_at is not null and deficit.balance < 0 as "isBlocked", c.blocked_at is not null and deficit.balance >= 0 as "isMadeGood",
      ${isExpired(now)} as "isExpired", exists (select from restore_mode r where r.released_at is null) as "isRestoring",
      co.frozen_at is not null as "companyFrozen", w.frozen_at is not null as "walletFrozen", m.disabled_at is null as "holderActive",
      available.balance as "availableMinor", available.id as "availableId", outbound.id as "outboundId", spent.day as "spentDay", spent.month as "spentMonth", spent.total as "spentTotal",
      coalesce((select p.held + p.cleared from card_purchase p where p.company_id = company_id() and p.token = ${asked.purchaseToken}), 0) as "spentPurchase",
      exists (select from card_purchase p where p.company_id = company_id() and p.token = ${asked.purchaseToken})
        or exists (select from card_event e where e.company_id = company_id() and e.purchase_token = ${asked.purchaseToken}) as "isKnown",
      exists (select from card_purchase p where p.company_id = company_id() and p.token = ${asked.purchaseToken} and p.card_id <> c.id) as "isOfAnother",
      ${sourcesJson} as sources,
      (select jsonb_build_object('outcome', q.outcome, 'approved', q.approved::text, 'reason', q.reason) from card_request q
        where q.company_id = company_id() and q.token = ${asked.token}) as earlier
    from card c
    join member m on m.company_id = c.company_id and m.id = c.holder_id
    join company co on co.company_id = c.company_id
    join wallet w on w.company_id = c.company_id and w.id = c.wallet_id
    join ledger_account available on available.company_id = c.company_id and available.owner_id = c.wallet_id and available.kind = 'available'
    join ledger_account outbound on outbound.company_id = c.company_id and outbound.owner_id = c.wallet_id and outbound.kind = 'outbound'
    join ledger_account deficit on deficit.company_id = c.company_id and deficit.owner_id = c.wallet_id and deficit.kind = 'deficit'
    cross join ${zoneOf} zone
    cross join lateral ${spentSums(now)} spent
    where c.company_id = company_id() and c.issuer_token = ${asked.cardToken}`.execute(tx);
  const [, , , { rows }] = await together([timed, held, locked, read]);
  const [row] = rows;
  return row ? { ...row, sources: row.sources.map(sourcedOf) } : null;
}

/** The bounds that a card was given itself; null where the company has no such card. */
export async function boundsOfCard(tx: Tx, id: string): Promise<Bounds | null> {
  const { rows } = await sql<{ bounds: Parameters<typeof boundsOf>[0] }>`
    select ${boundsJson('c')} as bounds from card c where c.company_id = company_id() and c.id = ${id}`.execute(tx);
  return rows[0] ? boundsOf(rows[0].bounds) : null;
}
