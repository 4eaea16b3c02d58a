import { currencyCodes } from '@causeway/contract/currencies.ts';
import type { Business, ListAccountType } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import { type CompaniesTx, type Tx, together } from '../../../platform/database/database.ts';
import { refuseQueuedOf } from '../../../platform/database/queued.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Day } from '../calendar.ts';
import type { DayUsage } from '../domain.ts';
import type { AssetKind } from '../parts.ts';
import { assetOfFlow } from './flows.ts';

/**
 * What a judgement reads. Nothing here looks at transactions: the windows are kept by day. Each row is looked up by itself
 * (`lateral`): a join of sets could be planned as a scan of a table that was small when it was last analysed.
 */

/**
 * Takes the risk locks of companies, in ascending order of their numbers, until the transaction ends. Judgements that count
 * go one after another in a company, so that two at once both see the other's count.
 */
export async function lockRisk(tx: CompaniesTx, companyIds: readonly string[]): Promise<void> {
  // Behind the lock: what held it before has counted its rows, or queued them.
  await together([lockRiskBesideQueue(tx, companyIds), refuseQueuedOf(tx, companyIds)]);
}

/** The same lock for what enters queued rows. */
export async function lockRiskBesideQueue(tx: CompaniesTx, companyIds: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(number) from (
      select distinct hashtextextended('risk ' || id, 0) as number from unnest(${companyIds}::uuid[]) as id order by number
    ) locks`.execute(tx);
}

/** The same for the company of the transaction. */
export function lockCompany(tx: Tx): Promise<void> {
  return lockRisk(tx, [tx.companyId]);
}

/** A list entry in use, with what it counted. */
export interface EntryStanding {
  id: string;
  kind: 'white' | 'black';
  singleCents: bigint;
  dailyCents: bigint;
  cumulativeCents: bigint;
  countedCents: bigint;
  /** What it counted on each of the last days. */
  countedOn: Map<Day, bigint>;
}

/** An earlier count of a transaction. */
export interface OwnCount {
  day: Day;
  asset: string;
  quantityMinor: bigint;
  /** What it was paid with, if that is a coin beside it. */
  coin: { asset: string; quantityMinor: bigint } | null;
  valueCents: bigint;
  entryId: string | null;
  isGivenBack: boolean;
}

/** The controls of a company, the list entry of an account and the own count of a transaction, at the moment of judging. */
export interface Standing {
  /** Microseconds since 1970. */
  atMicros: number;
  rulesetVersion: number;
  onlyWhitelisted: boolean;
  entry: EntryStanding | null;
  own: OwnCount | null;
}

interface FlatStanding {
  place: number;
  atMicros: number;
  rulesetVersion: number;
  onlyWhitelisted: boolean;
  entryId: string | null;
  kind: 'white' | 'black';
  singleCents: bigint;
  dailyCents: bigint;
  cumulativeCents: bigint;
  countedCents: bigint;
  countedOn: Record<Day, string> | null;
  ownDay: Day | null;
  ownAsset: string;
  ownQuantity: bigint;
  ownCoin: string | null;
  ownCoins: bigint | null;
  ownValue: bigint;
  ownEntryId: string | null;
  isGivenBack: boolean;
}

/** What is asked for: a transaction, and the account that it goes to. */
export interface Asked {
  companyId: string;
  id: string;
  accountKind: ListAccountType | null;
  accountKey: string;
}

/** In the order of what is asked for. */
export async function readStandings(tx: CompaniesTx, asked: readonly Asked[]): Promise<Standing[]> {
  const { rows } = await sql<FlatStanding>`
    select r.place::integer, (extract(epoch from clock_timestamp()) * 1000000)::bigint as "atMicros",
      coalesce((select version from risk_ruleset where company_id = r.company_id order by version desc limit 1), 0)
        as "rulesetVersion",
      coalesce((select only_whitelisted from risk_setting where company_id = r.company_id), false) as "onlyWhitelisted",
      e.id as "entryId", e.kind, e.single_cents as "singleCents", e.daily_cents as "dailyCents",
      e.cumulative_cents as "cumulativeCents", e.counted_cents as "countedCents",
      (select jsonb_object_agg(day, value_cents::text) from risk_list_usage
        where company_id = r.company_id and entry_id = e.id and day >= current_date - 2) as "countedOn",
      f.day::text as "ownDay", f.asset as "ownAsset", f.quantity as "ownQuantity", f.coin as "ownCoin", f.coin_quantity as "ownCoins", f.value_cents as "ownValue",
      f.entry_id as "ownEntryId", f.forgotten_at is not null as "isGivenBack"
    from unnest(${uuids(asked.map(({ companyId }) => companyId))}, ${asked.map(({ id }) => id)}::uuid[],
      ${asked.map(({ accountKind }) => accountKind)}::text[], ${asked.map(({ accountKey }) => accountKey)}::text[])
      with ordinality as r (company_id, transaction_id, payee_type, account_key, place)
    left join lateral (
      select * from risk_list_entry
      where company_id = r.company_id and payee_type = r.payee_type and account_key = r.account_key and status = 'in_use'
      limit 1
    ) e on true
    left join lateral (
      select *, ${assetOfFlow(sql`risk_flow`)} as asset from risk_flow
      where company_id = r.company_id and transaction_id = r.transaction_id limit 1
    ) f on true`.execute(tx);
  invariant(rows.length === asked.length, 'what stands for a transaction is one row');
  const standings: Standing[] = [];
  for (const row of rows) standings[row.place - 1] = standingOf(row);
  return standings;
}

function standingOf(row: FlatStanding): Standing {
  const { atMicros, rulesetVersion, onlyWhitelisted, entryId, ownDay } = row;
  const { kind, singleCents, dailyCents, cumulativeCents, countedCents, countedOn } = row;
  return {
    atMicros,
    rulesetVersion,
    onlyWhitelisted,
    entry:
      entryId === null
        ? null
        : {
            id: entryId,
            kind,
            singleCents,
            dailyCents,
            cumulativeCents,
            countedCents,
            countedOn: new Map(Object.entries(countedOn ?? {}).map(([day, cents]) => [day, BigInt(cents)])),
          },
    own:
      ownDay === null
        ? null
        : {
            day: ownDay,
            asset: row.ownAsset,
            quantityMinor: row.ownQuantity,
            coin:
              row.ownCoin === null || row.ownCoins === null
                ? null
                : { asset: row.ownCoin, quantityMinor: row.ownCoins },
            valueCents: row.ownValue,
            entryId: row.ownEntryId,
            isGivenBack: row.isGivenBack,
          },
  };
}

/** What a business of a company counted of coins or of currencies; the quantity is that of one of them. */
export interface Counter {
  companyId: string;
  business: Business;
  kind: AssetKind;
  asset: string;
}

/** For each of these, in their order, the last days: as many as the longest window can have and a day for the time zone. */
export async function readUsage(tx: CompaniesTx, counters: readonly Counter[]): Promise<DayUsage[][]> {
  const { rows } = await sql<DayUsage & { place: number }>`
    select r.place::integer, u.day::text, u.transactions, u.quantity as "quantityMinor", u.value_cents as "valueCents"
    from unnest(${uuids(counters.map(({ companyId }) => companyId))}, ${counters.map(({ business }) => business)}::text[],
      ${counters.map(({ kind }) => kind === 'currency')}::boolean[], ${counters.map(({ asset }) => asset)}::text[])
      with ordinality as r (company_id, business, of_currencies, asset, place)
    cross join lateral (
      select day, sum(transactions)::bigint as transactions,
        coalesce(sum(quantity) filter (where asset = r.asset), 0) as quantity, sum(value_cents) as value_cents
      from risk_usage
      where company_id = r.company_id and business = r.business and day >= current_date - 33
        and (asset = any (${[...currencyCodes]}::text[])) = r.of_currencies
      group by day
    ) u`.execute(tx);
  const usage: DayUsage[][] = counters.map(() => []);
  for (const { place, ...day } of rows) usage[place - 1]?.push(day);
  return usage;
}
