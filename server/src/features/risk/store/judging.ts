import { businesses, countedBy, type ListAccountType, type RiskMoment } from '@causeway/contract/risk-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { Day } from '../calendar.ts';
import { assetOf, type DayUsage, type Inputs, type Judgement, type RiskSubject } from '../domain.ts';
import { inputsToJson } from './inputs.ts';

/** What a judgement reads and writes. Nothing here looks at transactions: the windows are kept by day. */

/** Judgements that count go one after another in a company, so that two at once both see the other's count. */
export async function lockCompany(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('risk ' || company_id(), 0))`.execute(tx);
}

/** The controls of a company and the list entries of an account at the moment of judging. */
export interface Standing {
  companyId: string;
  at: Date;
  rulesetVersion: number;
  onlyWhitelisted: boolean;
  entry: {
    id: string;
    kind: 'white' | 'black';
    singleCents: bigint;
    dailyCents: bigint;
    cumulativeCents: bigint;
    countedCents: bigint;
  } | null;
  /** The transaction's own count, if it was counted and not given back. */
  own: { day: Day; asset: string; quantityMinor: bigint; valueCents: bigint; entryId: string | null } | null;
}

interface FlatStanding {
  companyId: string;
  at: Date;
  rulesetVersion: number;
  onlyWhitelisted: boolean;
  entryId: string | null;
  kind: 'white' | 'black';
  singleCents: bigint;
  dailyCents: bigint;
  cumulativeCents: bigint;
  countedCents: bigint;
  ownDay: Day | null;
  ownAsset: string;
  ownQuantity: bigint;
  ownValue: bigint;
  ownEntryId: string | null;
}

export async function readStanding(
  tx: Tx,
  transactionId: string,
  account: { type: ListAccountType; key: string },
): Promise<Standing> {
  const { rows } = await sql<FlatStanding>`
    select company_id() as "companyId", clock_timestamp() as at,
      coalesce((select version from risk_ruleset where company_id = company_id() order by version desc limit 1), 0)
        as "rulesetVersion",
      coalesce((select only_whitelisted from risk_setting where company_id = company_id()), false) as "onlyWhitelisted",
      e.id as "entryId", e.kind, e.single_cents as "singleCents", e.daily_cents as "dailyCents",
      e.cumulative_cents as "cumulativeCents", e.counted_cents as "countedCents",
      f.day::text as "ownDay", ${counted(sql`f`)} as "ownAsset",
      f.quantity as "ownQuantity", f.value_cents as "ownValue", f.entry_id as "ownEntryId"
    from (values (1)) one
    left join risk_list_entry e on e.company_id = company_id() and e.payee_type = ${account.type}
      and e.account_key = ${account.key} and e.status = 'in_use'
    left join risk_flow f on f.company_id = company_id() and f.transaction_id = ${transactionId}
      and f.forgotten_at is null`.execute(tx);
  const row = rows[0];
  invariant(row, 'what stands for a company is one row');
  const { companyId, at, rulesetVersion, onlyWhitelisted, entryId, ownDay } = row;
  const { kind, singleCents, dailyCents, cumulativeCents, countedCents } = row;
  return {
    companyId,
    at,
    rulesetVersion,
    onlyWhitelisted,
    entry: entryId === null ? null : { id: entryId, kind, singleCents, dailyCents, cumulativeCents, countedCents },
    own:
      ownDay === null
        ? null
        : {
            day: ownDay,
            asset: row.ownAsset,
            quantityMinor: row.ownQuantity,
            valueCents: row.ownValue,
            entryId: row.ownEntryId,
          },
  };
}

/** The last days, as many as the longest window can have and a day for the time zone. */
export async function readUsage(tx: Tx, business: string, asset: string): Promise<DayUsage[]> {
  const { rows } = await sql<DayUsage>`
    select day::text, sum(transactions)::bigint as transactions,
      coalesce(sum(quantity) filter (where asset = ${asset}), 0) as "quantityMinor", sum(value_cents) as "valueCents"
    from risk_usage
    where company_id = company_id() and business = ${business} and day >= current_date - 33
    group by day`.execute(tx);
  return rows;
}

/** What was sent to the white entry of an account on the last days. */
export async function readListUsage(
  tx: Tx,
  account: { type: ListAccountType; key: string },
): Promise<{ day: Day; valueCents: bigint }[]> {
  const { rows } = await sql<{ day: Day; valueCents: bigint }>`
    select u.day::text, u.value_cents as "valueCents"
    from risk_list_entry e join risk_list_usage u on u.company_id = e.company_id and u.entry_id = e.id
    where e.company_id = company_id() and e.payee_type = ${account.type} and e.account_key = ${account.key}
      and e.status = 'in_use' and u.day >= current_date - 2`.execute(tx);
  return rows;
}

export interface NewAssessment {
  id: string;
  at: Date;
  moment: RiskMoment;
  inputs: Inputs;
  judgement: Judgement;
  rulesetVersion: number;
}

export async function insertAssessment(tx: Tx, assessment: NewAssessment): Promise<void> {
  const { judgement, inputs } = assessment;
  await sql`
    insert into risk_assessment (company_id, id, transaction_id, at, moment, allowed, reason, subject_id, subject_name,
      ruleset_version, inputs)
    values (company_id(), ${assessment.id}, ${inputs.subject.id}, ${assessment.at}, ${assessment.moment},
      ${judgement.allowed}, ${judgement.reason}, ${judgement.subjectId}, ${judgement.subjectName},
      ${assessment.rulesetVersion}, ${JSON.stringify(inputsToJson(inputs))})`.execute(tx);
}

/** Counts a transaction that was let pass: in its day, against its white entry, and as a flow of its own. */
export async function countFlow(
  tx: Tx,
  subject: RiskSubject,
  counted: { at: Date; day: Day; whiteEntryId: string | null },
): Promise<void> {
  const { at, day, whiteEntryId } = counted;
  await sql`
    with counted as (
      insert into risk_usage (company_id, business, day, asset, transactions, quantity, value_cents)
      values (company_id(), ${subject.business}, ${day}, ${assetOf(subject)}, 1, ${subject.quantityMinor}::numeric,
        ${subject.valueUsdCents}::numeric)
      on conflict (company_id, business, day, asset) do update set transactions = risk_usage.transactions + 1,
        quantity = risk_usage.quantity + excluded.quantity, value_cents = risk_usage.value_cents + excluded.value_cents
    ), listed as (
      insert into risk_list_usage (company_id, entry_id, day, value_cents)
      select company_id(), ${whiteEntryId}::uuid, ${day}, ${subject.valueUsdCents}::numeric
      where ${whiteEntryId}::uuid is not null
      on conflict (company_id, entry_id, day) do update set value_cents = risk_list_usage.value_cents + excluded.value_cents
    ), entered as (
      update risk_list_entry set counted_cents = counted_cents + ${subject.valueUsdCents}::numeric
      where company_id = company_id() and id = ${whiteEntryId}::uuid
    )
    insert into risk_flow (company_id, transaction_id, at, day, business, chain_id, coin, currency, region, account_kind,
      account, quantity, decimals, value_cents, initiator_id, entry_id)
    values (company_id(), ${subject.id}, ${at}, ${day}, ${subject.business}, ${subject.chainId}, ${subject.coin},
      ${subject.currency}, ${subject.region}, ${subject.accountKind}, ${subject.account}, ${subject.quantityMinor}::numeric,
      ${subject.decimals}, ${subject.valueUsdCents}::numeric, ${subject.initiatorId}, ${whiteEntryId}::uuid)`.execute(
    tx,
  );
}

/**
 * Gives a transaction’s count back; a second time it finds nothing to give. The moment is cut to milliseconds as those of judgements
 * are, so that a replay has the two in their order.
 */
export async function uncountFlow(tx: Tx, transactionId: string): Promise<void> {
  await sql`
    with given as (
      update risk_flow set forgotten_at = date_trunc('milliseconds', clock_timestamp())
      where company_id = company_id() and transaction_id = ${transactionId} and forgotten_at is null
      returning day, business, ${counted(sql`risk_flow`)} as asset, quantity,
        value_cents, entry_id
    ), counted as (
      update risk_usage u set transactions = u.transactions - 1, quantity = u.quantity - g.quantity,
        value_cents = u.value_cents - g.value_cents
      from given g
      where u.company_id = company_id() and u.business = g.business and u.day = g.day and u.asset = g.asset
    ), listed as (
      update risk_list_usage u set value_cents = u.value_cents - g.value_cents
      from given g where u.company_id = company_id() and u.entry_id = g.entry_id and u.day = g.day
    )
    update risk_list_entry e set counted_cents = e.counted_cents - g.value_cents
    from given g where e.company_id = company_id() and e.id = g.entry_id`.execute(tx);
}

/** Writes that a judgement stopped a transaction: at its policy or entry, and in their log. */
export async function recordHit(tx: Tx, assessment: NewAssessment): Promise<void> {
  const { reason, subjectId } = assessment.judgement;
  const isPolicy = reason === 'policy';
  await sql`
    with policy as (
      update risk_policy set intercept_count = intercept_count + 1
      where company_id = company_id() and id = ${isPolicy ? subjectId : null}::uuid
    ), entry as (
      update risk_list_entry set hit_count = hit_count + 1
      where company_id = company_id() and id = ${isPolicy ? null : subjectId}::uuid
    )
    insert into risk_log (company_id, id, at, subject_kind, subject_id, list_kind, type, assessment_id)
    values (company_id(), ${newId()}, ${assessment.at}, ${isPolicy ? 'policy' : 'entry'}, ${subjectId},
      ${isPolicy ? null : reason === 'blacklisted' ? 'black' : 'white'}, 'hit', ${assessment.id})`.execute(tx);
}

const byCurrency = businesses.filter((business) => countedBy[business] === 'currency');

/** As `assetOf`, of a row of `risk_flow`. */
function counted(flow: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(case when ${flow}.business = any (${byCurrency}::text[]) then ${flow}.currency else ${flow}.coin end, '')`;
}
