import { type RawBuilder, sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import type { PlaceNames } from '../../banks/index.ts';

/** A wallet as one side of an exchange; amounts in minor units. */
export interface Side {
  walletId: string;
  asset: string;
  decimals: number;
  /** Null where it is at a bank. */
  chainId: string | null;
  /** Its address or account number. */
  account: string;
  place: PlaceNames;
  isFrozen: boolean;
  /** The operator has switched off its chain or currency, or what leaves of it, or what arrives. */
  cannotSell: boolean;
  cannotBuy: boolean;
  availableMinor: bigint;
  /** Negative: what is missing of the wallet, which what comes in first makes good. */
  deficitMinor: bigint;
  accounts: Record<'available' | 'outbound' | 'fee' | 'fx' | 'deficit', string>;
  /** What is exchanged must be more than the minimum; the most at once, and within a day; null: no limit. */
  minimumMinor: bigint;
  transferLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  /** The company's prices of the asset, in basis points. */
  spreadBasisPoints: number;
  feeBasisPoints: number;
}

/** Both sides of an exchange, and its company. */
export interface Sides {
  sell: Side;
  buy: Side;
  companyName: string;
  isCompanyFrozen: boolean;
}

/** As JSON, in which amounts are texts. */
type JsonSide = Omit<
  Side,
  'availableMinor' | 'deficitMinor' | 'minimumMinor' | 'transferLimitMinor' | 'dailyLimitMinor'
> & {
  availableMinor: string;
  deficitMinor: string;
  minimumMinor: string;
  transferLimitMinor: string | null;
  dailyLimitMinor: string | null;
};

function sideOf(json: JsonSide): Side {
  const minor = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    ...json,
    availableMinor: BigInt(json.availableMinor),
    deficitMinor: BigInt(json.deficitMinor),
    minimumMinor: BigInt(json.minimumMinor),
    transferLimitMinor: minor(json.transferLimitMinor),
    dailyLimitMinor: minor(json.dailyLimitMinor),
  };
}

/** A wallet of the company as JSON; one row, or none. Looked up by its key (OFFSET 0), whatever the statistics say. */
function walletAsSide(companyId: RawBuilder<unknown>, walletId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select jsonb_build_object('walletId', w.id, 'asset', w.asset_id, 'decimals', a.decimals, 'chainId', w.chain_id,
      'account', coalesce(own.address, account.account_number, ''),
      'place', jsonb_build_object('name', coalesce(c.name, b.name), 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn),
      'isFrozen', w.frozen_at is not null,
      'cannotSell', not coalesce(
        case when w.bank_id is null then c.enabled and not c.paused and ca.enabled and not ca.withdrawals_paused
          else b.enabled and ba.enabled and not ba.payouts_paused and not ba.payouts_off end, false),
      'cannotBuy', not coalesce(
        case when w.bank_id is null then c.enabled and not c.paused and ca.enabled and not ca.deposits_paused
          else b.enabled and ba.enabled and not ba.recharges_off end, false),
      'availableMinor', available.balance::text, 'deficitMinor', deficit.balance::text,
      'accounts', (select jsonb_object_agg(l.kind, l.id) from ledger_account l
        where l.company_id = w.company_id and l.owner_id = w.id and l.kind in ('available', 'outbound', 'fee', 'fx', 'deficit')),
      'minimumMinor', coalesce(priced.withdrawal_minimum, ba.payout_minimum, a.minimum)::text,
      'transferLimitMinor', priced.transfer_limit::text, 'dailyLimitMinor', priced.daily_limit::text,
      'spreadBasisPoints', coalesce(priced.spread, 0)::integer,
      'feeBasisPoints', coalesce(fx_fee_at(w.company_id, w.asset_id, now()), 0)::integer) as side
    from (select * from wallet w where w.company_id = ${companyId} and w.id = ${walletId} offset 0) w
    join asset a on a.id = w.asset_id
    join ledger_account available
      on available.company_id = w.company_id and available.owner_id = w.id and available.kind = 'available'
    join ledger_account deficit
      on deficit.company_id = w.company_id and deficit.owner_id = w.id and deficit.kind = 'deficit'
    cross join lateral prices_at(w.company_id, w.asset_id, w.chain_id, now()) priced
    left join chain c on c.id = w.chain_id
    left join chain_asset ca on ca.chain_id = w.chain_id and ca.coin = w.asset_id
    left join chain_address own on own.company_id = w.company_id and own.chain_id = w.chain_id
    left join bank b on b.id = w.bank_id
    left join bank_asset ba on ba.bank_id = w.bank_id and ba.asset_id = w.asset_id
    left join bank_account account
      on account.company_id = w.company_id and account.bank_id = w.bank_id and account.asset_id = w.asset_id
  )`;
}

export interface SidesQuery {
  companyId: string;
  sellWalletId: string;
  buyWalletId: string;
}

/** Of several companies, in the order of the queries; null where the company lacks one of the wallets. */
export async function readAllSides(tx: CompaniesTx, queries: readonly SidesQuery[]): Promise<(Sides | null)[]> {
  const { rows } = await sql<{
    place: number;
    sell: JsonSide;
    buy: JsonSide;
    companyName: string;
    isCompanyFrozen: boolean;
  }>`
    select q.place::integer, sell.side as sell, buy.side as buy, company.name as "companyName",
      company.frozen_at is not null as "isCompanyFrozen"
    from unnest(${uuids(queries.map(({ companyId }) => companyId))}, ${queries.map(({ sellWalletId }) => sellWalletId)}::uuid[],
      ${queries.map(({ buyWalletId }) => buyWalletId)}::uuid[]) with ordinality as q (company_id, sell_id, buy_id, place)
    cross join lateral ${walletAsSide(sql`q.company_id`, sql`q.sell_id`)} sell
    cross join lateral ${walletAsSide(sql`q.company_id`, sql`q.buy_id`)} buy
    join company on company.company_id = q.company_id`.execute(tx);
  const found: (Sides | null)[] = queries.map(() => null);
  for (const { place, sell, buy, ...rest } of rows) {
    found[place - 1] = { sell: sideOf(sell), buy: sideOf(buy), ...rest };
  }
  return found;
}

/**
 * Holds back the operator's freezes of the companies, and the switches of the wallets' chains and banks, until the transaction ends: what reads
 * the sides afterwards sees each that has committed, and a later one commits after this transaction. Freezes first: a freeze holds its lock while
 * it waits for a member's codes and rows, so that this must come before any other lock of the transaction.
 */
export async function holdSides(tx: CompaniesTx, queries: readonly SidesQuery[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(number) from (
      select 1 as turn, freeze_lock(id) as number from unnest(${queries.map(({ companyId }) => companyId)}::uuid[]) as id
      union
      select 2, switch_lock(coalesce('chain:' || w.chain_id, 'banks'))
      from unnest(${queries.flatMap(({ companyId }) => [companyId, companyId])}::uuid[],
        ${queries.flatMap(({ sellWalletId, buyWalletId }) => [sellWalletId, buyWalletId])}::uuid[]) as q (company_id, id)
      join wallet w on w.company_id = q.company_id and w.id = q.id
      order by turn, number
    ) locks`.execute(tx);
}

/** Null where the company lacks one of the wallets. */
export async function readSides(tx: Tx, query: Omit<SidesQuery, 'companyId'>): Promise<Sides | null> {
  const [sides] = await readAllSides(tx, [{ companyId: tx.companyId, ...query }]);
  return sides ?? null;
}

/** Every wallet of the company as a side, by asset and place. */
export async function readWallets(tx: Tx): Promise<Side[]> {
  const { rows } = await sql<{ side: JsonSide }>`
    select s.side from wallet each cross join lateral ${walletAsSide(sql`each.company_id`, sql`each.id`)} s
    where each.company_id = company_id() order by each.asset_id, each.chain_id, each.bank_id`.execute(tx);
  return rows.map(({ side }) => sideOf(side));
}

/** How much more of an asset the platform takes and gives, in minor units; null: no limit. */
export interface Room {
  take: bigint | null;
  give: bigint | null;
}

/** In the order of the assets, without what open quotes of the desk may come to. */
export async function readRooms(tx: CompaniesTx, assets: readonly string[]): Promise<Room[]> {
  const { rows } = await sql<Room>`
    select trunc(r.take) as take, trunc(r.give) as give
    from unnest(${[...assets]}::text[]) with ordinality as a (id, place) cross join lateral exchange_quote_room(a.id) r
    order by a.place`.execute(tx);
  return rows;
}

/** What pair and size add to the spreads of both assets, in basis points, by what the exchange is worth in US cents. */
export function readSpread(tx: Tx, sellAsset: string, buyAsset: string, usdCents: bigint): Promise<number> {
  return readSpreadOf(tx, tx.companyId, sellAsset, buyAsset, usdCents);
}

/** The same of a company that is named. */
export async function readSpreadOf(
  tx: CompaniesTx,
  companyId: string,
  sellAsset: string,
  buyAsset: string,
  usdCents: bigint,
): Promise<number> {
  const { rows } = await sql<{ points: number }>`
    select exchange_spread(${companyId}, ${sellAsset}, ${buyAsset}, ${usdCents.toString()}::numeric)::integer as points`.execute(
    tx,
  );
  return rows[0]?.points ?? 0;
}
