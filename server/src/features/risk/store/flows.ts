import type { Business, ListAccountType } from '@causeway/contract/risk-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { Day } from '../calendar.ts';
import type { Flow } from '../replay.ts';

/** A counted transaction of the past; microseconds since 1970. */
export interface PastFlow extends Flow {
  atMicros: number;
  forgottenAtMicros: number | null;
}

interface Row {
  id: string;
  atMicros: number;
  forgottenAtMicros: number | null;
  day: Day;
  business: Business;
  chainId: string | null;
  coin: string | null;
  currency: string | null;
  region: string | null;
  accountKind: ListAccountType | null;
  account: string;
  quantityMinor: bigint;
  decimals: number;
  valueCents: bigint;
  coinQuantityMinor: bigint | null;
  coinDecimals: number | null;
  initiatorId: string;
  roleId: string | null;
  departmentIds: string[] | null;
}

/** Flows from an instant on, in the order of their time, from behind a position on. */
export async function findFlows(
  tx: Tx,
  from: Date,
  after: { atMicros: number; id: string } | null,
  limit: number,
): Promise<PastFlow[]> {
  const { rows } = await sql<Row>`
    select transaction_id as id, (extract(epoch from at) * 1000000)::bigint as "atMicros",
      (extract(epoch from forgotten_at) * 1000000)::bigint as "forgottenAtMicros", day::text, business,
      chain_id as "chainId", coin, currency, region, account_kind as "accountKind", account, quantity as "quantityMinor", decimals,
      value_cents as "valueCents", coin_quantity as "coinQuantityMinor", coin_decimals as "coinDecimals", initiator_id as "initiatorId", role_id as "roleId", department_ids as "departmentIds"
    from risk_flow
    where company_id = company_id() and at >= ${from}
      and (${after?.id ?? null}::uuid is null or (at, transaction_id)
        > (${instant(sql`${after?.atMicros ?? null}::bigint`)}, ${after?.id ?? null}::uuid))
    order by at, transaction_id limit ${limit}`.execute(tx);
  return rows.map(flowOf);
}

function flowOf(row: Row): PastFlow {
  const { id, atMicros, forgottenAtMicros, day, valueCents, roleId, departmentIds, ...rest } = row;
  const { coinQuantityMinor: quantityMinor, coinDecimals: decimals, ...subject } = rest;
  const paidWith = quantityMinor === null || decimals === null ? {} : { paidWith: { quantityMinor, decimals } };
  return {
    atMicros,
    forgottenAtMicros,
    day,
    subject: { id, ...subject, valueUsdCents: valueCents, ...paidWith },
    affiliation: departmentIds && { roleId, departmentIds },
  };
}

/** The time of so many microseconds since 1970. */
export function instant(micros: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(timestamptz 'epoch' + ${micros} * interval '1 microsecond')`;
}

/** As `assetOf`, of a row of `risk_flow`. */
export function assetOfFlow(flow: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(${flow}.currency, ${flow}.coin, '')`;
}
