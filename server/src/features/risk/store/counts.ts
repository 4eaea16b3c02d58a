import { sql } from 'kysely';
import { type CompaniesTx, databaseError, type Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Day } from '../calendar.ts';
import type { Inputs, RiskSubject } from '../domain.ts';
import { assetOf } from '../parts.ts';
import { assetOfFlow, instant } from './flows.ts';

/** A transaction that was let pass, as it is counted. */
export interface Counted {
  companyId: string;
  subject: RiskSubject;
  affiliation: Inputs['affiliation'];
  /** Microseconds since 1970. */
  atMicros: number;
  day: Day;
  whiteEntryId: string | null;
}

/**
 * Counts transactions that were let pass: in their day, and each as a flow of its own.
 * @throws DomainError idTaken when one of them was counted before
 */
export async function countFlows(tx: CompaniesTx, counted: readonly Counted[]): Promise<void> {
  const column = <T>(of: (counted: Counted) => T) => counted.map(of);
  const ofSubject = <T>(of: (subject: RiskSubject) => T) => counted.map(({ subject }) => of(subject));
  try {
    await sql`
      with given as (
        select * from unnest(${uuids(column(({ companyId }) => companyId))}, ${ofSubject(({ id }) => id)}::uuid[],
          ${column(({ atMicros }) => atMicros)}::bigint[], ${column(({ day }) => day)}::date[],
          ${ofSubject(({ business }) => business)}::text[], ${ofSubject(({ chainId }) => chainId)}::text[],
          ${ofSubject(({ coin }) => coin)}::text[], ${ofSubject(({ currency }) => currency)}::text[],
          ${ofSubject(({ region }) => region)}::text[], ${ofSubject(({ accountKind }) => accountKind)}::text[],
          ${ofSubject(({ account }) => account)}::text[], ${ofSubject(assetOf)}::text[],
          ${ofSubject(({ quantityMinor }) => String(quantityMinor))}::numeric[],
          ${ofSubject(({ decimals }) => decimals)}::smallint[],
          ${ofSubject(({ valueUsdCents }) => String(valueUsdCents))}::numeric[],
          ${ofSubject(({ paidWith }) => (paidWith ? String(paidWith.quantityMinor) : null))}::numeric[],
          ${ofSubject(({ paidWith }) => paidWith?.decimals ?? null)}::smallint[],
          ${ofSubject(({ initiatorId }) => initiatorId)}::uuid[], ${column(({ whiteEntryId }) => whiteEntryId)}::uuid[],
          ${column(({ affiliation }) => affiliation?.roleId ?? null)}::uuid[],
          ${column(({ affiliation }) => affiliation && `{${affiliation.departmentIds.join()}}`)}::text[])
          as g (company_id, transaction_id, at_micros, day, business, chain_id, coin, currency, region, account_kind, account,
            asset, quantity, decimals, value_cents, coin_quantity, coin_decimals, initiator_id, entry_id, role_id, department_ids)
      ), part as (
        select company_id, business, day, asset, quantity, value_cents from given
        union all
        select company_id, business, day, coin, coin_quantity, value_cents from given where coin_quantity is not null
      ), counted as (
        insert into risk_usage (company_id, business, day, asset, transactions, quantity, value_cents)
        select company_id, business, day, asset, count(*), sum(quantity), sum(value_cents) from part
        group by company_id, business, day, asset order by company_id, business, day, asset
        on conflict (company_id, business, day, asset) do update set
          transactions = risk_usage.transactions + excluded.transactions,
          quantity = risk_usage.quantity + excluded.quantity, value_cents = risk_usage.value_cents + excluded.value_cents
      )
      insert into risk_flow (company_id, transaction_id, at, day, business, chain_id, coin, currency, region, account_kind,
        account, quantity, decimals, value_cents, coin_quantity, coin_decimals, initiator_id, entry_id, role_id, department_ids)
      select company_id, transaction_id, ${instant(sql`at_micros`)}, day, business, chain_id, coin, currency, region,
        account_kind, account, quantity, decimals, value_cents, coin_quantity, coin_decimals, initiator_id, entry_id, role_id,
        department_ids::uuid[]
      from given`.execute(tx);
  } catch (error) {
    if (databaseError(error)?.constraint === 'risk_flow_pkey') throw new DomainError('idTaken');
    throw error;
  }
}

/** Counts those that have a white entry against it: on their day, and in all. */
export async function countEntries(tx: CompaniesTx, listed: readonly Counted[]): Promise<void> {
  await sql`
    with given as (
      select * from unnest(${uuids(listed.map(({ companyId }) => companyId))},
        ${listed.map(({ whiteEntryId }) => whiteEntryId)}::uuid[], ${listed.map(({ day }) => day)}::date[],
        ${listed.map(({ subject }) => String(subject.valueUsdCents))}::numeric[])
        as g (company_id, entry_id, day, value_cents)
    ), listed as (
      insert into risk_list_usage (company_id, entry_id, day, value_cents)
      select company_id, entry_id, day, sum(value_cents) from given
      group by company_id, entry_id, day order by company_id, entry_id, day
      on conflict (company_id, entry_id, day) do update set value_cents = risk_list_usage.value_cents + excluded.value_cents
    )
    update risk_list_entry e set counted_cents = e.counted_cents + g.value_cents
    from (select company_id, entry_id, sum(value_cents) as value_cents from given group by company_id, entry_id) g
    where e.company_id = g.company_id and e.id = g.entry_id`.execute(tx);
}

/** Gives the counts of transactions back; a second time it finds nothing to give. */
export async function uncountFlows(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  await sql`
    with given as (
      update risk_flow set forgotten_at = clock_timestamp()
      where company_id = company_id() and transaction_id = any (${[...transactionIds]}::uuid[]) and forgotten_at is null
      returning day, business, ${assetOfFlow(sql`risk_flow`)} as asset, quantity,
        value_cents, coin, coin_quantity, entry_id
    ), part as (
      select day, business, asset, quantity, value_cents from given
      union all
      select day, business, coin, coin_quantity, value_cents from given where coin_quantity is not null
    ), counted as (
      update risk_usage u set transactions = u.transactions - g.transactions, quantity = u.quantity - g.quantity,
        value_cents = u.value_cents - g.value_cents
      from (select business, day, asset, count(*) as transactions, sum(quantity) as quantity, sum(value_cents) as value_cents
        from part group by business, day, asset) g
      where u.company_id = company_id() and u.business = g.business and u.day = g.day and u.asset = g.asset
    ), listed as (
      update risk_list_usage u set value_cents = u.value_cents - g.value_cents
      from (select entry_id, day, sum(value_cents) as value_cents from given group by entry_id, day) g
      where u.company_id = company_id() and u.entry_id = g.entry_id and u.day = g.day
    )
    update risk_list_entry e set counted_cents = e.counted_cents - g.value_cents
    from (select entry_id, sum(value_cents) as value_cents from given group by entry_id) g
    where e.company_id = company_id() and e.id = g.entry_id`.execute(tx);
}
